/** The samples of an instant vector, flat: there are sixty thousand of them in a refresh of a large cluster. */
export interface VectorSamples {
  /** Numbers of the samples' label sets in the table that was given. */
  readonly series: ArrayLike<number>;
  /** By the same position; NaN and infinities as they come. */
  readonly values: ArrayLike<number>;
  /** When the server evaluated the query, by its own clock; NaN without samples. */
  readonly evaluatedMs: number;
}

export interface VectorReaders {
  /** Numbers a label set that is given as JSON text. */
  readonly series: (text: string) => number;
  readonly value: (text: string) => number;
}

const BEFORE_RESULT = '"resultType":"vector","result":[';
const BEFORE_METRIC = '{"metric":';
/** Can't stand inside a label: there a quote is escaped. */
const BEFORE_VALUE = ',"value":[';
const AFTER_VALUE = '"]}';
/** A little less than a sample with the shortest labels takes, so that columns rarely have to grow. */
const BYTES_PER_SAMPLE = 60;

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

/**
 * Reads the vector out of an answer as Prometheus and its kin write it, without building objects. Undefined when the
 * text is laid out in another way; then it has to be parsed as JSON. `end` is where the vector's list ends.
 */
export function readVectorText(
  body: string,
  read: VectorReaders,
): { readonly samples: VectorSamples; readonly end: number } | undefined {
  const marker = body.indexOf(BEFORE_RESULT);
  if (marker < 0) return undefined;
  const columns = new SampleColumns(Math.ceil((body.length - marker) / BYTES_PER_SAMPLE));
  let evaluatedMs = Number.NaN;
  let at = marker + BEFORE_RESULT.length;
  while (body[at] !== ']') {
    const labelsAt = at + BEFORE_METRIC.length;
    const labelsEnd = body.indexOf(BEFORE_VALUE, labelsAt);
    const comma = body.indexOf(',', labelsEnd + BEFORE_VALUE.length);
    const close = body.indexOf(AFTER_VALUE, comma + 2);
    if (labelsEnd < 0 || comma < 0 || close < 0) return undefined;
    if (!body.startsWith(BEFORE_METRIC, at) || body[comma + 1] !== '"') return undefined;
    columns.add(read.series(body.slice(labelsAt, labelsEnd)), read.value(body.slice(comma + 2, close)));
    if (columns.count === 1) evaluatedMs = Number(body.slice(labelsEnd + BEFORE_VALUE.length, comma)) * 1000;
    at = close + AFTER_VALUE.length;
    if (body[at] === ',') at += 1;
    else if (body[at] !== ']') return undefined;
  }
  return { samples: { ...columns.finish(), evaluatedMs }, end: at + 1 };
}
