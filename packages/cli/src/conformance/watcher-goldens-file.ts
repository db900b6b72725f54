/** An HTTP answer, as far as it is compared. */
export interface GoldenAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: string;
}

/** What this project answers instead. A body of null differs from one answer to the next and is not compared. */
export type GoldenExpectation = Omit<GoldenAnswer, 'body'> & { readonly body: string | null };

export interface GoldenExchange {
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  readonly hostOrder?: 'random';
  /** What this project answers instead, on purpose. */
  readonly expect?: GoldenExpectation;
  readonly why?: string;
}

export interface GoldenScenario {
  readonly id: string;
  readonly provider: 'Prometheus' | 'KubernetesMetricsServer';
  readonly defects: readonly string[];
  readonly exchanges: readonly GoldenExchange[];
  readonly series?: Readonly<
    Record<string, readonly { readonly metric: Readonly<Record<string, string>>; readonly value: string }[]>
  >;
  readonly fail?: Readonly<Record<string, number>>;
  readonly post?: number;
  readonly delay?: number;
  readonly nodes?: Readonly<
    Record<
      string,
      { readonly capacity: readonly [string, string]; readonly allocatable: readonly [string, string] }
    >
  >;
  readonly usage?: Readonly<Record<string, readonly [string, string]>>;
  readonly metricsStatus?: number;
}

export interface GoldenFile {
  /** Unix seconds to which all windows' ends were moved. */
  readonly end: number;
  readonly notReproduced: Readonly<Record<string, string>>;
  readonly scenarios: readonly GoldenScenario[];
}

/** Undefined when the document is of another format. */
export function asGoldenFile(document: unknown): GoldenFile | undefined {
  if (typeof document !== 'object' || document === null || !('notReproduced' in document)) return undefined;
  const { scenarios, end } = document as Partial<GoldenFile>;
  return Array.isArray(scenarios) && typeof end === 'number' ? (document as GoldenFile) : undefined;
}

export function recordedAnswer(exchange: GoldenExchange): GoldenAnswer {
  const type = exchange.headers.find(([name]) => name.toLowerCase() === 'content-type');
  return { status: exchange.status, contentType: type?.[1] ?? null, body: exchange.body };
}
