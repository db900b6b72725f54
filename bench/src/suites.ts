import { watcherDocumentSuite } from './cases/watcher-document.js';
import { refreshMetricsServerSuite } from './load-watcher/refresh-metrics-server.js';
import { refreshPrometheusSuite } from './load-watcher/refresh-prometheus.js';
import { servingSuite } from './load-watcher/serving.js';
import { decisionsSuite } from './scheduler/decisions.js';
import type { Suite } from './suite.js';

export const SUITES: readonly Suite[] = [
  decisionsSuite,
  servingSuite,
  refreshPrometheusSuite,
  refreshMetricsServerSuite,
  watcherDocumentSuite,
];
