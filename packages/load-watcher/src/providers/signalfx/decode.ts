import { ok, problem, type Result } from '@catamaran/model';
import { errorTexts, isMap, type Point } from '../hosted/reading.js';

export interface WindowAnswer {
  /** By id of the series. */
  readonly points: ReadonlyMap<string, readonly Point[]>;
  /** Ids whose value is no list of points. */
  readonly malformed: readonly string[];
  /** What the service says went wrong though it answered. */
  readonly errors: readonly string[];
}

export interface MetadataPage {
  /** By id of the series. */
  readonly hosts: ReadonlyMap<string, HostOfSeries>;
  /** Entries of the page, whatever they are. */
  readonly returned: number;
  /** Series that the search has in all; undefined where the service does not know it for sure. */
  readonly total: number | undefined;
  /** Why entries of the page tell no host; one sentence each. */
  readonly malformed: readonly string[];
}

export interface HostOfSeries {
  readonly host: string;
  readonly cluster: string | undefined;
}

/**
 * Reads `{data: {ID: [[ms, value], …]}, errors: […]}`. A gap (null) is no point; a value that is no number is a point of
 * NaN, so that it is told.
 */
export function decodeWindow(body: unknown): Result<WindowAnswer> {
  const errors = isMap(body) ? errorTexts(body.errors) : [];
  if (!isMap(body) || !isMap(body.data)) {
    return problem(`the answer has no data${errors.length === 0 ? '' : `: ${errors.join('; ')}`}`);
  }
  const points = new Map<string, readonly Point[]>();
  const malformed: string[] = [];
  for (const [id, list] of Object.entries(body.data)) {
    if (Array.isArray(list)) points.set(id, (list as readonly unknown[]).flatMap(readPoint));
    else malformed.push(id);
  }
  // Errors without data: whether there is nothing or nothing could be read, nobody knows.
  if (errors.length > 0 && [...points.values()].every((list) => list.length === 0))
    return problem(`the answer has errors and no series: ${errors.join('; ')}`);
  return ok({ points, malformed, errors });
}

/** Reads `{results: [{id, dimensions: {host, cluster}}], count, partialCount}`. */
export function decodeMetadata(body: unknown): Result<MetadataPage> {
  if (!isMap(body) || !Array.isArray(body.results)) {
    const errors = isMap(body) ? errorTexts(body.errors ?? body.message) : [];
    return problem(`the answer has no results${errors.length === 0 ? '' : `: ${errors.join('; ')}`}`);
  }
  const hosts = new Map<string, HostOfSeries>();
  const malformed: string[] = [];
  const results = body.results as readonly unknown[];
  for (const [position, result] of results.entries()) {
    const read = readResult(result);
    if (typeof read === 'string') malformed.push(`entry ${position} of the series' metadata ${read}`);
    else hosts.set(read.id, read);
  }
  const isSure = body.partialCount !== true && typeof body.count === 'number';
  return ok({ hosts, malformed, returned: results.length, total: isSure ? Number(body.count) : undefined });
}

function readPoint(entry: unknown): readonly Point[] {
  if (!Array.isArray(entry)) return [{ unixMs: Number.NaN, percent: Number.NaN }];
  const [unixMs, value] = entry as readonly unknown[];
  if (value === null || value === undefined) return [];
  if (typeof unixMs !== 'number') return [{ unixMs: Number.NaN, percent: Number.NaN }];
  return [{ unixMs, percent: typeof value === 'number' ? value : Number.NaN }];
}

function readResult(result: unknown): (HostOfSeries & { readonly id: string }) | string {
  if (!isMap(result) || typeof result.id !== 'string') return 'has no id';
  const dimensions = isMap(result.dimensions) ? result.dimensions : {};
  const properties = isMap(result.customProperties) ? result.customProperties : {};
  const { host } = dimensions;
  if (typeof host !== 'string' || host === '') return `(${result.id.slice(0, 40)}) has no dimension host`;
  const cluster = dimensions.cluster ?? properties.cluster;
  return {
    id: result.id,
    host,
    cluster: typeof cluster === 'string' && cluster !== '' ? cluster : undefined,
  };
}
