import { podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { defaultSchedulerConfig } from '../config/load-scheduler-config.js';
import { compileProfile } from '../core/cycle/profile.js';
import { ClusterState } from '../core/state/cluster-state.js';
import { podInfo } from '../core/state/pod-info.js';
import { DecisionLog, type DecisionRecord } from './decision-log.js';

const snapshot = new ClusterState().snapshot(0);
const [profileConfig] = defaultSchedulerConfig().profiles;

function record(name: string, timeMs: number): DecisionRecord {
  if (profileConfig === undefined) {
    throw new Error('no profile');
  }
  return {
    pod: podInfo(podOf(name)),
    profile: compileProfile(profileConfig),
    timeMs,
    snapshotVersion: timeMs,
    decision: { kind: 'error', message: '', refusedFeature: undefined },
    snapshot,
  };
}

describe('DecisionLog', () => {
  it('keeps the newest, newest first, and the snapshots of a few', () => {
    const log = new DecisionLog({ capacity: 4, withSnapshot: 2 });
    for (let at = 1; at <= 6; at++) {
      log.append(record(`p${at}`, at));
    }
    const kept = log.newest().map(({ timeMs, snapshot: seen }) => [timeMs, seen !== undefined]);
    expect(kept).to.deep.equal([
      [6, true],
      [5, true],
      [4, false],
      [3, false],
    ]);
  });

  it('finds the decisions of one pod', () => {
    const log = new DecisionLog({ capacity: 10, withSnapshot: 10 });
    for (const [name, at] of [
      ['a', 1],
      ['b', 2],
      ['a', 3],
    ] as const) {
      log.append(record(name, at));
    }
    expect(log.newest('default/a').map(({ timeMs }) => timeMs)).to.deep.equal([3, 1]);
    expect(log.newest('default/c')).to.deep.equal([]);
  });

  it('is empty at first', () => {
    expect(new DecisionLog({ capacity: 3, withSnapshot: 3 }).newest()).to.deep.equal([]);
  });
});
