import type { Metric, WatcherDocument } from './document.js';
import { plainDecimal, wholeDecimal } from './number-text.js';

/**
 * The wire form in pieces: `head`, the nodes' texts joined by commas, `tail`. Lets a server cut the document of one
 * node out of the whole without encoding twice.
 */
export interface EncodedWatcherDocument {
  readonly head: string;
  /** By node name, in the document's order: `"name":{"metrics":[…],…}`. */
  readonly nodes: ReadonlyMap<string, string>;
  readonly tail: string;
}

const TAIL = '}}}';
const NODE_TAIL = '],"tags":{},"metadata":{"dataCenter":""}}';
const PLAIN_TEXT = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/**
 * Encodes as Go's load-watcher does: fixed key order, nothing omitted, no white space, floats without an exponent.
 * Metrics whose value is not finite are left out, since they would make the whole document unreadable.
 */
export function encodeWatcherDocument(document: WatcherDocument): string {
  const { head, nodes, tail } = encodeWatcherParts(document);
  return head + [...nodes.values()].join(',') + tail;
}

export function encodeWatcherParts(document: WatcherDocument): EncodedWatcherDocument {
  const nodes = new Map<string, string>();
  for (const [name, metrics] of document.nodes) nodes.set(name, encodeWatcherNode(name, metrics));
  return { ...encodeWatcherFrame(document), nodes };
}

/** What stands around the nodes' texts. */
export function encodeWatcherFrame(
  document: Omit<WatcherDocument, 'nodes'>,
): Pick<EncodedWatcherDocument, 'head' | 'tail'> {
  return { head: encodeHead(document), tail: TAIL };
}

function encodeHead(document: Omit<WatcherDocument, 'nodes'>): string {
  const { window } = document;
  return (
    `{"timestamp":${wholeDecimal(document.timestampUnixSeconds)},"window":{"duration":${quote(window.duration)},` +
    `"start":${wholeDecimal(window.startUnixSeconds)},"end":${wholeDecimal(window.endUnixSeconds)}},` +
    `"source":${quote(document.source)},"data":{"NodeMetricsMap":{`
  );
}

/** One node's text, `"name":{"metrics":[…],…}`. */
export function encodeWatcherNode(name: string, metrics: readonly Metric[]): string {
  let text = `${quote(name)}:{"metrics":[`;
  let separator = '';
  for (const metric of metrics) {
    if (!Number.isFinite(metric.value)) continue;
    text += separator + encodeMetric(metric);
    separator = ',';
  }
  return text + NODE_TAIL;
}

function encodeMetric(metric: Metric): string {
  return (
    `{"name":${quote(metric.name)},"type":${quote(metric.type)},"operator":${quote(metric.operator)},` +
    `"rollup":${quote(metric.rollup)},"value":${plainDecimal(metric.value)}}`
  );
}

/** JSON text; half a surrogate pair becomes U+FFFD, because `\u` escapes confuse Go's stream reader. */
function quote(text: string): string {
  if (PLAIN_TEXT.test(text)) return `"${text}"`;
  return JSON.stringify(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}
