import { decodeWatcherDocument, encodeWatcherDocument, type WatcherDocument } from '@catamaran/model';
import { type Benchmark, measure } from '../benchmark.js';
import type { Suite } from '../suite.js';

const SIZES = [10, 100, 1000, 5000];

export const watcherDocumentSuite: Suite = {
  name: 'watcher-document',
  summary: "Encoding and decoding /watcher documents, against the engine's own JSON on the same content.",
  run: (say) => {
    const comparisons = SIZES.flatMap(watcherDocumentBenchmarks).map((benchmark) => {
      say(benchmark.name);
      const { oursMicroseconds: ours, rivalMicroseconds: rival } = measure(benchmark);
      return {
        what: benchmark.name,
        unit: 'microseconds' as const,
        ours,
        rival,
        rivalName: benchmark.rival.name,
      };
    });
    return Promise.resolve({ comparisons, facts: [] });
  },
};

function watcherDocumentBenchmarks(nodeCount: number): Benchmark[] {
  const document = benchDocument(nodeCount);
  const text = encodeWatcherDocument(document);
  const parsed: unknown = JSON.parse(text);
  return [
    {
      name: `encode /watcher, ${nodeCount} nodes`,
      ours: { name: 'encodeWatcherDocument', run: () => encodeWatcherDocument(document) },
      rival: { name: 'JSON.stringify', run: () => JSON.stringify(parsed) },
    },
    {
      name: `decode /watcher, ${nodeCount} nodes`,
      ours: { name: 'decodeWatcherDocument', run: () => decodeWatcherDocument(text) },
      rival: { name: 'JSON.parse', run: () => JSON.parse(text) as unknown },
    },
  ];
}

/** Loads spread over 0 to 95 percent. */
function benchDocument(nodeCount: number): WatcherDocument {
  const metric = { name: 'bench', operator: 'AVG', rollup: '15m' };
  const nodes = Array.from({ length: nodeCount }, (_, index) => {
    const cpu = { ...metric, type: 'CPU', value: ((index * 37) % 9500) / 100 };
    const memory = { ...metric, type: 'Memory', value: ((index * 53) % 9500) / 100 };
    return [`node-${index}`, [cpu, memory]] as const;
  });
  return {
    timestampUnixSeconds: 1_800_000_000,
    window: { duration: '15m', startUnixSeconds: 1_799_999_100, endUnixSeconds: 1_800_000_000 },
    source: 'Prometheus',
    nodes: new Map(nodes),
  };
}
