import { podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { defaultSchedulerConfig } from '../config/load-scheduler-config.js';
import { compileProfile } from '../core/cycle/profile.js';
import { podInfo } from '../core/state/pod-info.js';
import type { Snapshot } from '../core/state/snapshot.js';
import { DecisionLog, type DecisionRecord } from './decision-log.js';

const [profileConfig] = defaultSchedulerConfig().profiles;

/** A decision on a cluster in which `changed` nodes changed since the last one. */
function record(name: string, timeMs: number, changed: number | 'all' = 0): DecisionRecord {
  const slots = changed === 'all' ? undefined : Array.from({ length: changed }, (_, slot) => slot);
  const snapshot = { nodeCount: 100, version: timeMs, changedSince: () => slots } as unknown as Snapshot;
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
  function kept(log: DecisionLog): readonly (readonly [number, boolean])[] {
    return log.newest().map(({ timeMs, snapshot }) => [timeMs, snapshot !== undefined]);
  }

  it('keeps the newest, newest first', () => {
    const log = new DecisionLog({ capacity: 3, changedNodes: 1_000 });
    for (let at = 1; at <= 5; at++) {
      log.append(record(`p${at}`, at));
    }
    expect(kept(log)).to.deep.equal([
      [5, true],
      [4, true],
      [3, true],
    ]);
  });

  it('lets go of snapshots when too many nodes changed since', () => {
    const log = new DecisionLog({ capacity: 10, changedNodes: 50 });
    log.append(record('a', 1));
    log.append(record('b', 2, 30));
    log.append(record('c', 3, 20));
    expect(kept(log).every(([, hasSnapshot]) => hasSnapshot)).to.equal(true);
    log.append(record('d', 4, 1));
    expect(kept(log)).to.deep.equal([
      [4, true],
      [3, true],
      [2, true],
      [1, false],
    ]);
  });

  it('keeps the newest snapshot alone when all nodes changed', () => {
    const log = new DecisionLog({ capacity: 10, changedNodes: 50 });
    for (const at of [1, 2, 3]) {
      log.append(record('a', at, 'all'));
    }
    expect(kept(log)).to.deep.equal([
      [3, true],
      [2, false],
      [1, false],
    ]);
  });

  it('finds the decisions of one pod', () => {
    const log = new DecisionLog({ capacity: 10, changedNodes: 10 });
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
    expect(new DecisionLog({ capacity: 3, changedNodes: 3 }).newest()).to.deep.equal([]);
  });
});
