import { ok, problem, type Result } from '@catamaran/model';
import type { Labels } from '../../core/mapping/resolve-node.js';

export interface PrometheusSample {
  readonly labels: Labels;
  /** May be NaN or infinite: whoever uses it judges it. */
  readonly value: number;
  /** The instant for which Prometheus evaluated the query, by its own clock. */
  readonly evaluatedMs: number;
}

export interface PrometheusAnswer {
  readonly samples: readonly PrometheusSample[];
  /** Warnings and infos of the server, and partial answers. */
  readonly notes: readonly string[];
}

export interface HttpAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

const EXCERPT_LENGTH = 200;

/**
 * Reads the answer to an instant query. Unknown fields, warnings and partial answers of compatible engines are
 * tolerated; whatever is no vector is a problem that names status, content type and how the body begins.
 */
export function decodeAnswer(answer: HttpAnswer): Result<PrometheusAnswer> {
  const parsed = parseBody(answer.body);
  if (!isMap(parsed)) return problem(`${describe(answer)}: no answer of the Prometheus API`);
  const { status, data } = parsed;
  if (status !== 'success' || answer.status < 200 || answer.status > 299) {
    const text = typeof parsed.error === 'string' ? parsed.error : 'no reason given';
    return problem(`${describe(answer)}: ${text.slice(0, EXCERPT_LENGTH)}`);
  }
  if (!isMap(data) || data.resultType !== 'vector' || !Array.isArray(data.result)) {
    const type = isMap(data) ? String(data.resultType) : 'nothing';
    return problem(`HTTP ${answer.status}: the result is a ${type}; the query must give an instant vector`);
  }
  return ok({ samples: readSamples(data.result), notes: readNotes(parsed) });
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A sample's text as Prometheus writes it: decimal, exponent, `NaN`, `+Inf`, `-Inf`. Anything else is NaN. */
export function parseSampleValue(text: unknown): number {
  if (typeof text !== 'string' || text.trim() === '') return Number.NaN;
  const infinity = /^([+-]?)inf(inity)?$/i.exec(text);
  if (infinity !== null) return infinity[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return DECIMAL.test(text) ? Number(text) : Number.NaN;
}

function readSamples(result: readonly unknown[]): PrometheusSample[] {
  const samples: PrometheusSample[] = [];
  for (const item of result) {
    if (!isMap(item) || !Array.isArray(item.value)) continue;
    const [seconds, text] = item.value as readonly unknown[];
    samples.push({
      labels: readLabels(item.metric),
      value: parseSampleValue(text),
      evaluatedMs: typeof seconds === 'number' ? seconds * 1000 : Number.NaN,
    });
  }
  return samples;
}

/** The map itself when all is well: there are many of them. */
function readLabels(metric: unknown): Labels {
  if (!isMap(metric)) return {};
  for (const value of Object.values(metric)) {
    if (typeof value !== 'string') {
      return Object.fromEntries(
        Object.entries(metric).filter(([, text]) => typeof text === 'string'),
      ) as Labels;
    }
  }
  return metric as Labels;
}

function readNotes(body: Readonly<Record<string, unknown>>): readonly string[] {
  const notes: string[] = [];
  for (const key of ['warnings', 'infos'] as const) {
    const list = body[key];
    if (Array.isArray(list)) {
      for (const text of list) notes.push(`${key.slice(0, -1)}: ${String(text).slice(0, EXCERPT_LENGTH)}`);
    }
  }
  if (body.isPartial === true)
    notes.push('partial answer: some of the storage behind the query API did not answer');
  return notes;
}

function describe({ status, contentType, body }: HttpAnswer): string {
  const type = contentType === '' ? 'without a content type' : contentType;
  return `HTTP ${status}, ${type}, body begins ${JSON.stringify(body.slice(0, EXCERPT_LENGTH))}`;
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
