import type { RecordingFormat } from './format.js';

/** Every format of recording that can be replayed. */
export const RECORDING_FORMATS: readonly RecordingFormat[] = [];
