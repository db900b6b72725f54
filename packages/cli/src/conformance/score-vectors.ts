import { podInfo, scoreAll } from '@catamaran/scheduler';
import type { Entry, Outcome, RecordingFormat } from './format.js';
import { isMap } from './json-map.js';
import { isPeaksVector, replayPeaks } from './peaks-vectors.js';
import { type ScoreVector, vectorWorld, WINDOW_END_UNIX_SECONDS } from './score-vector-world.js';
import { isBuilt, singlePluginProfile } from './single-plugin-profile.js';

/** `score-vectors.json`: the Trimaran plugins, a case at a time. */
export const scoreVectors: RecordingFormat = {
  name: 'score-vectors',
  entries: (documents) => {
    const [document] = documents;
    if (documents.length !== 1 || !isMap(document) || !Array.isArray(document.cases)) return undefined;
    return (document.cases as readonly ScoreVector[]).map(toEntry);
  },
};

function toEntry(vector: ScoreVector): Entry {
  return { id: vector.id, run: () => replay(vector) };
}

function replay(vector: ScoreVector): Outcome {
  if (!isBuilt(vector.plugin)) return { kind: 'skipped', why: `plugin ${vector.plugin} is not built yet` };
  if (isPeaksVector(vector)) return replayPeaks(vector);
  const expected = String(vector.expect ?? vector.upstream);
  const got = outcomeOf(vector);
  return got === expected ? { kind: 'passed' } : { kind: 'failed', expected, got };
}

/** The score, or `reject` where the arguments are refused. */
function outcomeOf(vector: ScoreVector): string {
  const profile = singlePluginProfile(vector);
  if (profile === undefined) return 'reject';
  const snapshot = vectorWorld(vector).snapshot(WINDOW_END_UNIX_SECONDS * 1000);
  const pod = podInfo({ ...vector.pod, metadata: { name: 'pending', namespace: 'default' } });
  const scores = scoreAll({ pod, snapshot }, profile, [...snapshot.nodes()]);
  return String(scores[0]?.total);
}
