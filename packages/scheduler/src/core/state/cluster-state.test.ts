import type { Node, Pod } from '@catamaran/model';
import { expect } from 'chai';
import { ClusterState } from './cluster-state.js';
import type { NodeInfo } from './node-info.js';
import { podInfo } from './pod-info.js';

const NOW_MS = Date.UTC(2026, 10, 30, 12);

function node(name: string, more: Partial<Node> = {}): Node {
  return {
    metadata: { name, labels: { zone: 'east' } },
    status: { capacity: { cpu: '4' }, allocatable: { cpu: '4', memory: '8Gi', pods: '110' } },
    ...more,
  };
}

function pod(name: string, nodeName?: string, scheduledMs?: number): Pod {
  return {
    metadata: { name, namespace: 'default', uid: `uid-${name}` },
    spec: {
      ...(nodeName === undefined ? {} : { nodeName }),
      containers: [{ name: 'c', resources: { requests: { cpu: '1', memory: '1Gi' } } }],
    },
    ...(scheduledMs === undefined
      ? {}
      : {
          status: {
            conditions: [
              {
                type: 'PodScheduled',
                status: 'True',
                lastTransitionTime: new Date(scheduledMs).toISOString(),
              },
            ],
          },
        }),
  };
}

function look(state: ClusterState, name: string): NodeInfo {
  const info = state.snapshot(NOW_MS).node(name);
  if (info === undefined) throw new Error(`no node ${name}`);
  return info;
}

function held(state: ClusterState, name: string): readonly (readonly [string, number])[] {
  return look(state, name).pods.map(({ info, assignedUnixSeconds }) => [
    info.pod.metadata.name,
    assignedUnixSeconds,
  ]);
}

describe('ClusterState, one event at a time', () => {
  it('a node that is another machine than the one measured takes its value out of the view of a signal', () => {
    const state = new ClusterState();
    state.upsertNode(node('a'));
    state.setSignals([{ key: 's', readMs: NOW_MS, values: new Map([['a', 5]]), absences: new Map() }]);
    expect(state.snapshot(NOW_MS).signal('s')).to.include({ measuredNodes: 1, largest: 5 });
    const creationTimestamp = new Date(NOW_MS + 1000).toISOString();
    state.upsertNode({ ...node('a'), metadata: { name: 'a', creationTimestamp } });
    expect(state.snapshot(NOW_MS).signal('s')).to.include({ measuredNodes: 0, largest: 0 });
  });

  it('a pod on a node that is not known counts once the node appears', () => {
    const state = new ClusterState();
    state.upsertPod(pod('p', 'a', NOW_MS));
    expect(state.snapshot(NOW_MS).nodeCount).to.equal(0);
    state.upsertNode(node('a'));
    expect(look(state, 'a').requested.cpuMilli).to.equal(1000);
  });

  it('a node that goes and comes back has its pods again', () => {
    const state = new ClusterState();
    state.upsertNode(node('a'));
    state.upsertPod(pod('p', 'a', NOW_MS));
    state.removeNode('a');
    expect(state.snapshot(NOW_MS).node('a')).to.equal(undefined);
    state.upsertNode(node('a'));
    expect(held(state, 'a')).to.deep.equal([['p', NOW_MS / 1000]]);
  });

  it('the same event twice counts once', () => {
    const state = new ClusterState();
    for (let times = 0; times < 2; times += 1) {
      state.upsertNode(node('a'));
      state.upsertPod(pod('p', 'a', NOW_MS));
    }
    expect(look(state, 'a').requested.cpuMilli).to.equal(1000);
    expect(state.placedPodCount).to.equal(1);
  });

  it('an assumed pod counts from the moment it is assumed, by our clock', () => {
    const state = new ClusterState();
    state.upsertNode(node('a'));
    state.assume(podInfo(pod('p')), 'a', NOW_MS + 999);
    expect(held(state, 'a')).to.deep.equal([['p', NOW_MS / 1000]]);
    expect(state.isAssumed('uid-p')).to.equal(true);
  });

  it('the watch confirms an assumption, and its time counts then', () => {
    const state = new ClusterState();
    state.upsertNode(node('a'));
    state.assume(podInfo(pod('p')), 'a', NOW_MS);
    state.upsertPod(pod('p', 'a', NOW_MS + 2000));
    expect(held(state, 'a')).to.deep.equal([['p', NOW_MS / 1000 + 2]]);
    expect(state.isAssumed('uid-p')).to.equal(false);
    state.forget('uid-p');
    expect(held(state, 'a')).to.have.length(1);
  });

  it('a confirmation without a time keeps the assumed one', () => {
    const state = new ClusterState();
    state.upsertNode(node('a'));
    state.assume(podInfo(pod('p')), 'a', NOW_MS);
    state.upsertPod(pod('p', 'a'));
    expect(held(state, 'a')).to.deep.equal([['p', NOW_MS / 1000]]);
  });

  it('a late update of the pending pod does not take an assumption back, forgetting does', () => {
    const state = new ClusterState();
    state.upsertNode(node('a'));
    state.assume(podInfo(pod('p')), 'a', NOW_MS);
    state.upsertPod(pod('p'));
    expect(held(state, 'a')).to.have.length(1);
    state.forget('uid-p');
    expect(held(state, 'a')).to.have.length(0);
    expect(look(state, 'a').requested.cpuMilli).to.equal(0);
  });

  it('a pod that another scheduler bound elsewhere moves there', () => {
    const state = new ClusterState();
    state.upsertNode(node('a'));
    state.upsertNode(node('b'));
    state.assume(podInfo(pod('p')), 'a', NOW_MS);
    state.upsertPod(pod('p', 'b', NOW_MS));
    expect([held(state, 'a').length, held(state, 'b').length]).to.deep.equal([0, 1]);
  });

  it('a terminating pod still holds its node, a finished one does not', () => {
    const state = new ClusterState();
    state.upsertNode(node('a'));
    const placed = pod('p', 'a', NOW_MS);
    state.upsertPod({
      ...placed,
      metadata: { ...placed.metadata, deletionTimestamp: '2026-11-30T12:00:00Z' },
    });
    expect(held(state, 'a')).to.have.length(1);
    state.upsertPod({ ...placed, status: { ...placed.status, phase: 'Failed' } });
    expect(held(state, 'a')).to.have.length(0);
  });

  it('a heartbeat changes nothing: the node keeps its place in every cache', () => {
    const state = new ClusterState();
    state.upsertNode(node('a'));
    const before = state.snapshot(NOW_MS);
    const ready = { type: 'Ready', status: 'True', lastHeartbeatTime: '2026-11-30T12:00:10Z' };
    state.upsertNode(node('a', { status: { ...node('a').status, conditions: [ready] } }));
    const after = state.snapshot(NOW_MS);
    expect(after.nodeAt(0)).to.equal(before.nodeAt(0));
    expect(after.changedSince(before.version)).to.deep.equal([]);
  });

  it('a status update of a pod changes nothing', () => {
    const state = new ClusterState();
    state.upsertNode(node('a'));
    state.upsertPod(pod('p', 'a', NOW_MS));
    const before = state.snapshot(NOW_MS);
    const placed = pod('p', 'a', NOW_MS);
    state.upsertPod({
      ...placed,
      status: { ...placed.status, phase: 'Running', startTime: '2026-11-30T12:00:05Z' },
    });
    expect(state.snapshot(NOW_MS).changedSince(before.version)).to.deep.equal([]);
  });

  it('a resize of a pod changes what its node holds', () => {
    const state = new ClusterState();
    state.upsertNode(node('a'));
    state.upsertPod(pod('p', 'a', NOW_MS));
    const placed = pod('p', 'a', NOW_MS);
    const containerStatuses = [{ name: 'c', resources: { requests: { cpu: '3' } } }];
    state.upsertPod({ ...placed, status: { ...placed.status, containerStatuses } });
    expect(look(state, 'a').requested.cpuMilli).to.equal(3000);
  });

  it('a label of the node moves what its pods forbid', () => {
    const state = new ClusterState();
    const term = { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'a' } } };
    const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
    const placed = pod('p', 'a', NOW_MS);
    state.upsertPod({ ...placed, spec: { ...placed.spec, affinity: { podAntiAffinity } } });
    const forbidden = (): readonly string[] =>
      state
        .snapshot(NOW_MS)
        .antiAffinity.matching({ namespace: 'default', labels: { app: 'a' } }, {})
        .flatMap(({ values }) => [...values]);
    expect(forbidden()).to.deep.equal([]);
    state.upsertNode(node('a'));
    expect(forbidden()).to.deep.equal(['east']);
    state.upsertNode(node('a', { metadata: { name: 'a', labels: { zone: 'west' } } }));
    expect(forbidden()).to.deep.equal(['west']);
    state.removePod(placed);
    expect(forbidden()).to.deep.equal([]);
  });

  it('saturated sums are right again when the large pod has gone', () => {
    const state = new ClusterState();
    state.upsertNode(node('a'));
    state.upsertPod(pod('small', 'a', NOW_MS));
    const large = pod('large', 'a', NOW_MS);
    const containers = ['1', '2'].map((name) => ({ name, resources: { requests: { memory: '7Ei' } } }));
    state.upsertPod({ ...large, spec: { ...large.spec, containers } });
    expect(look(state, 'a').requested.memoryBytes).to.equal(9223372036854775807n);
    state.removePod(large);
    expect(look(state, 'a').requested.memoryBytes).to.equal(1073741824);
  });

  it('nothing is left behind after a thousand nodes came and went', () => {
    const state = new ClusterState();
    for (let index = 0; index < 1000; index += 1) {
      const name = `n${index}`;
      state.upsertNode(node(name));
      state.upsertPod(pod(`p${index}`, name, NOW_MS));
      state.snapshot(NOW_MS);
      state.removePod(pod(`p${index}`, name, NOW_MS));
      state.removeNode(name);
    }
    expect([state.placedPodCount, state.snapshot(NOW_MS).nodeCount]).to.deep.equal([0, 0]);
  });
});
