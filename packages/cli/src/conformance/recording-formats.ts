import type { RecordingFormat } from './format.js';
import { kubeScheduler } from './kube-scheduler.js';
import { scoreVectors } from './score-vectors.js';
import { trimaranLive } from './trimaran-live.js';
import { watcherGoldens } from './watcher-goldens.js';

/** Every format of recording that can be replayed. */
export const RECORDING_FORMATS: readonly RecordingFormat[] = [
  scoreVectors,
  trimaranLive,
  kubeScheduler,
  watcherGoldens,
];
