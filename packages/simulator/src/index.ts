export { SERVER_VERSION } from './core/api/discovery.js';
export { nodeExporterPage } from './core/api/node-exporter-page.js';
export {
  type IoRates,
  LoadModel,
  type NodeLoadSpec,
  type PodLoad,
  type ResourceUse,
} from './core/load/load-model.js';
export { type CurveShape, scaledCurve, seededCurve } from './core/load/seeded-curve.js';
export { SeededRandom } from './core/load/seeded-random.js';
export { curveFromPercents, meanShare, steadyCurve, type UsageCurve } from './core/load/usage-curve.js';
export { type RunningSimulatorServer, startSimulatorServer } from './http/simulator-server.js';
