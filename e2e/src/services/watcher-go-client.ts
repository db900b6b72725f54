import { request } from 'undici';
import type { ControlPlane } from '../control-plane/control-plane.js';
import { until } from '../process/until.js';

interface Metric {
  readonly name: string;
  readonly type: string;
  readonly operator: string;
  readonly rollup?: string;
  readonly value: number;
}

/** A `/watcher` document as Go's encoding/json writes what the Go client holds. */
interface Document {
  readonly timestamp: number;
  readonly window: object;
  readonly source: string;
  readonly data: {
    readonly NodeMetricsMap: Readonly<Record<string, { readonly metrics?: readonly Metric[] }>>;
  };
}

/** The same document, as served and as the Go client has decoded it, without its figures; and those, by their names. */
export interface ReadTwice {
  readonly served: ReadDocument;
  readonly decoded: ReadDocument;
}

interface ReadDocument {
  readonly head: object;
  /** `node type operator rollup name` → value. */
  readonly figures: ReadonlyMap<string, number>;
}

/** Reads a load-watcher through paypal/load-watcher's own Go client, and the same document without it. */
export async function readByGoClient(plane: ControlPlane, url: string): Promise<ReadTwice> {
  return await until({ what: 'one document read twice', timeoutMs: 60_000 }, async () => {
    const decoded = JSON.parse(await plane.run('watcher-client', [url])) as Document;
    const served = (await (await request(`${url}/watcher`)).body.json()) as Document;
    return served.timestamp === decoded.timestamp && { served: read(served), decoded: read(decoded) };
  });
}

function read({ timestamp, window, source, data }: Document): ReadDocument {
  const figures = Object.entries(data.NodeMetricsMap).flatMap(([node, { metrics = [] }]) =>
    metrics.map(
      ({ name, type, operator, rollup = '', value }) =>
        [[node, type, operator, rollup, name].join(' '), value] as const,
    ),
  );
  return { head: { timestamp, window, source }, figures: new Map(figures) };
}

/** Figures of the first that the second has not, or has otherwise: gojay reads decimals to about 15 digits. */
export function differences(one: ReadDocument, other: ReadDocument): readonly string[] {
  return [...one.figures].flatMap(([name, value]) => {
    const read = other.figures.get(name);
    const isSame = read !== undefined && Math.abs(read - value) <= 1e-12 * Math.max(1, Math.abs(value));
    return isSame ? [] : [`${name}: ${value} and ${read}`];
  });
}
