import type { FigureNames, Resource } from '../../core/figures/figure-rows.js';
import type { Absence } from '../../core/figures/figures.js';

/** One measurement; NaN where the service wrote something that is no number. */
export interface Point {
  readonly unixMs: number;
  readonly percent: number;
}

/** What a service measured of one resource of one host. */
export interface HostSeries {
  readonly host: string;
  /** The cluster that the service names for the host, where it does. */
  readonly cluster: string | undefined;
  readonly resource: Resource;
  readonly points: readonly Point[];
}

/** What a service answered, and for what it did not answer the reason. */
export interface HostReading {
  readonly series: readonly HostSeries[];
  /** Resources whose query was answered; an empty answer is one. */
  readonly answered: ReadonlySet<Resource>;
  readonly absences: readonly Absence[];
  /** One sentence for each call that failed. */
  readonly failures: readonly string[];
  readonly warnings: readonly string[];
}

/** A metrics service outside of the cluster that knows hosts and their points. */
export interface HostedSource {
  readonly name: 'SignalFx' | 'Datadog';
  /** As they stand in the document. */
  readonly figureNames: FigureNames;
  /** Remedy where one host name occurs in several clusters. */
  readonly clusterOption: string;
  /**
   * Reads what was measured in a span of time. One failed query costs its own figures.
   * @throws ProviderError when nothing was answered; the signal's reason when it aborts.
   */
  read(span: TimeSpan, signal: AbortSignal): Promise<HostReading>;
  close(): Promise<void>;
}

export interface TimeSpan {
  readonly startMs: number;
  readonly endMs: number;
}

export type JsonMap = Readonly<Record<string, unknown>>;

export function isMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Texts of a list of errors, or of the one error, shortened; empty where there is none. */
export function errorTexts(errors: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(errors) ? errors : [errors];
  return list
    .filter((error) => error !== undefined && error !== null && error !== '')
    .map((error) =>
      (typeof error === 'string' ? error : (JSON.stringify(error) ?? String(error))).slice(0, 200),
    );
}
