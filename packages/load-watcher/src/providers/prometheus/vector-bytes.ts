import { parseSampleValue } from './sample-value.js';
import { addToHash, type LabelsText, type SeriesTable } from './series-table.js';

/** The samples of an instant vector, flat: there are sixty thousand of them in a refresh of a large cluster. */
export interface VectorSamples {
  /** Numbers of the samples' label sets in the table that was given. */
  readonly series: Int32Array;
  /** By the same position; NaN and infinities as they come. */
  readonly values: Float64Array;
  /** When the server evaluated the query, by its own clock; NaN without samples. */
  readonly evaluatedMs: number;
}

const BEFORE_RESULT = Buffer.from('"resultType":"vector","result":[');
const BEFORE_METRIC = Buffer.from('{"metric":');
/** Can't stand inside a label: there a quote is escaped. */
const BEFORE_VALUE = Buffer.from(',"value":[');
const AFTER_VALUE = Buffer.from('"]}');
const [COMMA, QUOTE, CLOSE, OPEN] = [0x2c, 0x22, 0x5d, 0x7b];
/** A little less than a sample with the shortest labels takes, so that columns rarely have to grow. */
const BYTES_PER_SAMPLE = 60;
/** Of the answer that are text at a time. */
const PIECE_BYTES = 16_384;

/**
 * Reads the vector out of an answer as Prometheus and its kin write it: one pass over its bytes, in which only the
 * numbers become strings. Parsing the same answers as JSON costs twice the time and ten times the garbage. Undefined
 * when the text is laid out in another way; then it has to be parsed as JSON. `end` is where the vector's list ends.
 */
export function readVector(
  body: Buffer,
  table: SeriesTable,
): { readonly samples: VectorSamples; readonly end: number } | undefined {
  const marker = body.indexOf(BEFORE_RESULT);
  if (marker < 0) return undefined;
  const text = new TextOf(body);
  const columns = new SampleColumns(Math.ceil((body.length - marker) / BYTES_PER_SAMPLE));
  let evaluatedMs = Number.NaN;
  let at = marker + BEFORE_RESULT.length;
  let series = -1;
  while (body[at] !== CLOSE) {
    if (!standsAt(body, at, BEFORE_METRIC)) return undefined;
    const labelsAt = at + BEFORE_METRIC.length;
    // Answers mostly list the series in one order, so that the next number is a good guess.
    series += 1;
    let labelsEnd = labelsAt + table.lengthAt(series, body, labelsAt);
    if (labelsEnd <= labelsAt || !standsAt(body, labelsEnd, BEFORE_VALUE)) {
      const labels = findLabels(body, labelsAt);
      if (labels === undefined) return undefined;
      series = table.idAt(body, labels);
      labelsEnd = labels.end;
    }
    const timeAt = labelsEnd + BEFORE_VALUE.length;
    const comma = indexOfByte(body, COMMA, timeAt);
    const valueEnd = endOfValue(body, comma + 2);
    if (comma < 0 || body[comma + 1] !== QUOTE || valueEnd < 0) return undefined;
    if (columns.count === 0) evaluatedMs = Number(text.slice(timeAt, comma)) * 1000;
    columns.add(series, parseSampleValue(text.slice(comma + 2, valueEnd)));
    at = valueEnd + AFTER_VALUE.length;
    if (body[at] === COMMA) at += 1;
    else if (body[at] !== CLOSE) return undefined;
  }
  return { samples: { ...columns.finish(), evaluatedMs }, end: at + 1 };
}

/**
 * Labels that begin there: where they end, and their hash, in one pass. Undefined where the next series begins first:
 * a sample without a value, such as a histogram.
 */
function findLabels(body: Buffer, start: number): LabelsText | undefined {
  let hash = 0;
  for (let end = start; end < body.length; end += 1) {
    const byte = body[end] ?? 0;
    if (byte === COMMA && standsAt(body, end, BEFORE_VALUE)) return { start, end, hash };
    if (byte === OPEN && standsAt(body, end, BEFORE_METRIC)) return undefined;
    hash = addToHash(hash, byte);
  }
  return undefined;
}

function standsAt(body: Buffer, at: number, part: Buffer): boolean {
  for (let offset = 0; offset < part.length; offset += 1) {
    if (body[at + offset] !== part[offset]) return false;
  }
  return true;
}

function endOfValue(body: Buffer, from: number): number {
  let quote = indexOfByte(body, QUOTE, from);
  while (quote >= 0 && !standsAt(body, quote, AFTER_VALUE)) quote = indexOfByte(body, QUOTE, quote + 1);
  return quote;
}

/** Over a dozen bytes a loop is quicker than the call of `Buffer.indexOf`. */
function indexOfByte(body: Buffer, byte: number, from: number): number {
  for (let at = from; at < body.length; at += 1) {
    if (body[at] === byte) return at;
  }
  return -1;
}

/**
 * Parts of an answer as strings. A slice of a string is no copy, while cutting each number out of the bytes would be a
 * call into the engine; a string of the whole answer would be old garbage at once.
 */
class TextOf {
  readonly #body: Buffer;
  #piece = '';
  #pieceAt = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  slice(from: number, to: number): string {
    if (to > this.#pieceAt + this.#piece.length) {
      this.#piece = this.#body.toString('latin1', from, Math.max(to, from + PIECE_BYTES));
      this.#pieceAt = from;
    }
    return this.#piece.slice(from - this.#pieceAt, to - this.#pieceAt);
  }
}

/** Two growing columns of numbers. */
class SampleColumns {
  count = 0;
  #series: Int32Array;
  #values: Float64Array;

  constructor(expected: number) {
    this.#series = new Int32Array(expected);
    this.#values = new Float64Array(expected);
  }

  add(series: number, value: number): void {
    if (this.count === this.#series.length) this.#grow();
    this.#series[this.count] = series;
    this.#values[this.count] = value;
    this.count += 1;
  }

  finish(): Pick<VectorSamples, 'series' | 'values'> {
    return { series: this.#series.subarray(0, this.count), values: this.#values.subarray(0, this.count) };
  }

  #grow(): void {
    const [series, values] = [this.#series, this.#values];
    this.#series = new Int32Array(2 * series.length + 1);
    this.#values = new Float64Array(2 * values.length + 1);
    this.#series.set(series);
    this.#values.set(values);
  }
}
