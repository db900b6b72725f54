import { ok, problem } from '@catamaran/model';
import { excerptOf } from '../connection/mask-known.js';
import { parseSampleValue } from './sample-value.js';
import type { SeriesTable } from './series-table.js';
import { readVector, type VectorSamples } from './vector-bytes.js';

export interface PrometheusAnswer extends VectorSamples {
  /** Warnings and infos of the server, and partial answers. */
  readonly notes: readonly string[];
  /** Storage behind the query API did not answer, so that series may be missing. */
  readonly isPartial: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
  /** Takes our credentials out of what the server says. */
  readonly mask: (text: string) => string;
}

type JsonMap = Readonly<Record<string, unknown>>;

/** The server understood the question and can't answer it: what was asked tells more than where. */
const QUERY_REFUSED = new Set([400, 422]);

export type Decoded =
  | { readonly ok: true; readonly value: PrometheusAnswer }
  | {
      readonly ok: false;
      readonly problem: string;
      /** Whether it is the query that is at fault, not the way to the server. */
      readonly ofQuery?: boolean;
    };

const EXCERPT_LENGTH = 200;
const USUAL_BEGIN = '{"status":"success","data":{"resultType":"vector"';

/**
 * Reads the answer to an instant query. Unknown fields, warnings and partial answers of compatible engines are
 * tolerated; whatever is no vector is a problem that names status, content type and how the body begins.
 */
export function decodeAnswer(answer: HttpAnswer, table: SeriesTable): Decoded {
  return readUsual(answer, table) ?? readJson(answer, table);
}

/** The layout of Prometheus itself, with nothing else in the answer that would have to be told. */
function readUsual({ status, body }: HttpAnswer, table: SeriesTable): Decoded | undefined {
  if (status !== 200 || body.toString('latin1', 0, USUAL_BEGIN.length) !== USUAL_BEGIN) return undefined;
  const read = readVector(body, table);
  if (read === undefined || body.toString('utf8', read.end).trim() !== '}}') return undefined;
  return ok({ ...read.samples, notes: [], isPartial: false });
}

function readJson(answer: HttpAnswer, table: SeriesTable): Decoded {
  const parsed = parseBody(answer.body.toString('utf8'));
  if (!isMap(parsed)) return problem(`${describe(answer)}: no answer of the Prometheus API`);
  const { status, data, error } = parsed;
  if (status !== 'success' || answer.status < 200 || answer.status > 299) {
    const text = typeof error === 'string' ? error : 'no reason given';
    const ofQuery = status === 'error' && QUERY_REFUSED.has(answer.status);
    return {
      ok: false,
      problem: `${describe(answer)}: ${answer.mask(text).slice(0, EXCERPT_LENGTH)}`,
      ofQuery,
    };
  }
  if (!isMap(data) || data.resultType !== 'vector') {
    const type = isMap(data) ? String(data.resultType) : 'nothing';
    const text = `HTTP ${answer.status}: the result is a ${type}; the query must give an instant vector`;
    return { ok: false, problem: text, ofQuery: true };
  }
  // Go writes an empty list as null where nobody made one.
  const result = data.result ?? [];
  if (!Array.isArray(result)) return problem(`${describe(answer)}: the result is a vector, but no list`);
  return ok({
    ...readResult(result, table),
    notes: readNotes(parsed, answer.mask),
    isPartial: isPartial(parsed),
  });
}

function readResult(result: readonly unknown[], table: SeriesTable): VectorSamples {
  const series: number[] = [];
  const values: number[] = [];
  let evaluatedMs = Number.NaN;
  for (const item of result) {
    if (!isMap(item) || !Array.isArray(item.value)) continue;
    const [seconds, text] = item.value as readonly unknown[];
    series.push(table.idOf(JSON.stringify(item.metric ?? {})));
    values.push(parseSampleValue(text));
    if (typeof seconds === 'number') evaluatedMs = seconds * 1000;
  }
  return { series: Int32Array.from(series), values: Float64Array.from(values), evaluatedMs };
}

function readNotes(body: JsonMap, mask: HttpAnswer['mask']): readonly string[] {
  const notes: string[] = [];
  for (const key of ['warnings', 'infos']) {
    const list = body[key];
    if (Array.isArray(list)) {
      for (const text of list)
        notes.push(`${key.slice(0, -1)}: ${mask(String(text)).slice(0, EXCERPT_LENGTH)}`);
    }
  }
  if (body.isPartial === true) {
    notes.push('partial answer: some of the storage behind the query API did not answer');
  }
  return notes;
}

/**
 * VictoriaMetrics has a field for it. Thanos and remote reads warn of the stores that failed; warnings of the query
 * language itself are about series that are there.
 */
function isPartial({ isPartial: declared, warnings }: JsonMap): boolean {
  if (declared === true) return true;
  return Array.isArray(warnings) && warnings.some((text) => !String(text).startsWith('PromQL '));
}

function describe({ status, contentType, body, mask }: HttpAnswer): string {
  const type = contentType === '' ? 'without a content type' : mask(contentType);
  return `HTTP ${status}, ${type}, body begins ${JSON.stringify(excerptOf(body, EXCERPT_LENGTH, mask))}`;
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

function isMap(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
