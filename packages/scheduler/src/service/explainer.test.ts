import type { Pod } from '@catamaran/model';
import { nodeOf, podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { expandPlugins } from '../core/config/plugin-set.js';
import { compileProfile } from '../core/cycle/profile.js';
import { ClusterState } from '../core/state/cluster-state.js';
import { podInfo } from '../core/state/pod-info.js';
import { DecisionLog } from './decision-log.js';
import { Explainer } from './explainer.js';
import type { Explanation } from './explanation.js';

const NOW_MS = Date.UTC(2026, 0, 1);

describe('a question about a pod', () => {
  let state: ClusterState;

  beforeEach(() => {
    state = new ClusterState();
    state.upsertNode(nodeOf('a', { cpu: '4', labels: { zone: 'east' } }));
    state.upsertNode(nodeOf('b', { cpu: '4', labels: { zone: 'east' } }));
  });

  function ask(pod: Pod): Explanation {
    const profile = compileProfile({
      schedulerName: 'packer',
      percentageOfNodesToScore: undefined,
      plugins: expandPlugins({}),
      pluginArgs: {},
    });
    const profiles = new Map([['packer', profile]]);
    const clock = { nowMs: () => NOW_MS };
    const deps = { profiles, loadSources: new Map(), state, log: new DecisionLog(), clock, tieSeed: 1 };
    return new Explainer(deps).hypothetical(pod);
  }

  function totals({ nodes }: Explanation): readonly (readonly [string, number])[] {
    return nodes.map(({ name, total }) => [name, total]);
  }

  const bound = (uid?: string): Pod =>
    podOf('p', {
      ...(uid === undefined ? {} : { uid }),
      nodeName: 'a',
      requests: { cpu: '3' },
      spec: {
        containers: [
          { name: 'c', resources: { requests: { cpu: '3' } }, ports: [{ containerPort: 1, hostPort: 80 }] },
        ],
      },
    });

  it('that has gates says that it is not tried before they are gone, and where it would go then', () => {
    const gated = podOf('p', { spec: { containers: [], schedulingGates: [{ name: 'g' }, { name: 'h' }] } });
    const { chosen, message } = ask(gated);
    expect(chosen).to.be.oneOf(['a', 'b']);
    expect(message).to.equal(
      'Scheduling is blocked by its scheduling gates (g, h): this is what would happen without them.',
    );
    expect(ask(podOf('p'))).not.to.have.property('message');
  });

  for (const [sentence, asked] of [
    ['with its uid', bound('u')],
    ['without a uid, as people write it', bound()],
  ] as const) {
    it(`that is on a node, ${sentence}, neither counts it twice nor sees only its node`, () => {
      const fresh = totals(
        ask(podOf('p', { ...bound(), uid: 'u', spec: { ...bound().spec, nodeName: '' } })),
      );
      state.upsertPod(bound('u'));
      const explanation = ask(asked);
      expect(explanation.nodes.map(({ name, rejectedBy }) => [name, rejectedBy])).to.deep.equal([
        ['a', undefined],
        ['b', undefined],
      ]);
      expect(totals(explanation)).to.deep.equal(fresh);
      expect(explanation.uid).to.equal('u');
    });
  }

  it('that repels its equals does not let it repel itself', () => {
    const affinity = {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'a' } } },
        ],
      },
    };
    state.upsertPod(podOf('p', { uid: 'u', nodeName: 'a', labels: { app: 'a' }, spec: { affinity } }));
    const plain = podOf('p', { uid: 'u', labels: { app: 'a' } });
    expect(ask(plain).chosen).not.to.equal(null);
    expect(ask(podOf('q', { uid: 'v', labels: { app: 'a' } })).message).to.match(/anti-affinity/);
  });

  it('of the same name but another uid counts what is there', () => {
    state.upsertPod(bound('old'));
    const rejected = ask(podOf('p', { uid: 'new', requests: { cpu: '3' } })).nodes.find(
      ({ name }) => name === 'a',
    );
    expect(rejected?.reason).to.equal('Insufficient cpu');
  });

  it('that is assumed on a node does not count it twice either', () => {
    const asked = podOf('p', { uid: 'u', requests: { cpu: '3' } });
    state.assume(podInfo(asked), 'b', NOW_MS);
    expect(ask(asked).nodes.every(({ rejectedBy }) => rejectedBy === undefined)).to.equal(true);
  });

  it('that can not be read is refused in a sentence', () => {
    expect(() => ask({ metadata: { name: 'p' }, spec: { nodeName: 7 } } as unknown as Pod)).to.throw(
      TypeError,
      'not a pod: spec.nodeName: expected a string, got 7',
    );
  });
});
