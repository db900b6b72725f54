import { readFileSync } from 'node:fs';
import type { Pod } from '@catamaran/model';
import { expect } from 'chai';
import {
  FREE_VOLUME_SOURCES,
  refusalMessage,
  refusedFeature,
  softFeaturesIgnored,
} from './refused-feature.js';

const term = { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'a' } } };
const required = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
const preferred = {
  preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }],
};
const constraint = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };

function pod(spec: Pod['spec']): Pod {
  return { metadata: { name: 'p' }, spec };
}

/** Spec, what it is refused for. */
const REFUSED: readonly (readonly [Pod['spec'], string])[] = [
  [{ resourceClaims: [{ name: 'gpu' }] }, 'resource claims (spec.resourceClaims)'],
  [
    { containers: [{ name: 'c', resources: { claims: [{ name: 'gpu' }] } }] },
    'resource claims (container c)',
  ],
  [{ schedulingGroup: { podGroupName: 'g' } }, 'pod groups (spec.schedulingGroup)'],
  [{ affinity: { podAffinity: required } }, 'required pod affinity (spec.affinity.podAffinity)'],
  [{ affinity: { podAntiAffinity: required } }, 'required pod anti-affinity (spec.affinity.podAntiAffinity)'],
  [
    { topologySpreadConstraints: [constraint] },
    'hard topology spreading (spec.topologySpreadConstraints with DoNotSchedule)',
  ],
  [
    { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'x' } }] },
    'persistentVolumeClaim volumes (volume v)',
  ],
  [{ volumes: [{ name: 'v', ephemeral: {} }] }, 'ephemeral volumes (volume v)'],
  [{ volumes: [{ name: 'v', gcePersistentDisk: {} }] }, 'gcePersistentDisk volumes (volume v)'],
  [{ volumes: [{ name: 'v', awsElasticBlockStore: {} }] }, 'awsElasticBlockStore volumes (volume v)'],
  [{ volumes: [{ name: 'v', azureDisk: {} }] }, 'azureDisk volumes (volume v)'],
  [{ volumes: [{ name: 'v', rbd: {} }] }, 'rbd volumes (volume v)'],
  [{ volumes: [{ name: 'v', iscsi: {} }] }, 'iscsi volumes (volume v)'],
  [{ volumes: [{ name: 'v', holographic: {} }] }, 'holographic volumes (volume v)'],
  [{ workloadRef: { name: 'w' } }, 'unknown field spec.workloadRef'],
  [{ resources: { claims: [{ name: 'gpu' }] } }, 'resource claims (spec.resources.claims)'],
  [{ resources: { shares: 3 } as object }, 'unknown field spec.resources.shares'],
  [
    { containers: [{ name: 'c', resources: { shares: 3 } as object }] },
    'unknown field spec.containers[c].resources.shares',
  ],
  [
    { affinity: { nodeAffinity: { requiredDuringSchedulingRequiredDuringExecution: {} } as object } },
    'unknown field spec.affinity.nodeAffinity.requiredDuringSchedulingRequiredDuringExecution',
  ],
  [
    { affinity: { podAntiAffinity: { requiredDuringSchedulingRequiredDuringExecution: [term] } as object } },
    'unknown field spec.affinity.podAntiAffinity.requiredDuringSchedulingRequiredDuringExecution',
  ],
  [{ affinity: { rackAffinity: {} } as object }, 'unknown field spec.affinity.rackAffinity'],
  [
    requiringNode({ matchRacks: ['r1'] }),
    'unknown field spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchRacks',
  ],
  [
    requiringNode({ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'], caseSensitive: false }] }),
    'unknown field spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].caseSensitive',
  ],
  [{ tolerations: [{ key: 'a', until: 'noon' } as object] }, 'unknown field spec.tolerations[0].until'],
  [
    {
      topologySpreadConstraints: [
        { ...constraint, whenUnsatisfiable: 'ScheduleAnyway', nodeLoadPolicy: 'Honor' } as typeof constraint,
      ],
    },
    'unknown field spec.topologySpreadConstraints[0].nodeLoadPolicy',
  ],
];

function requiringNode(nodeTerm: object): Pod['spec'] {
  const required = { nodeSelectorTerms: [nodeTerm] };
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } } };
}

const ALLOWED: readonly (readonly [string, Pod['spec']])[] = [
  ['nothing at all', {}],
  ['every volume that ties a pod to no node', { volumes: freeVolumes() }],
  ['soft spreading', { topologySpreadConstraints: [{ ...constraint, whenUnsatisfiable: 'ScheduleAnyway' }] }],
  ['preferred pod affinity', { affinity: { podAffinity: preferred, podAntiAffinity: preferred } }],
  ['node affinity', { affinity: { nodeAffinity: {} } }],
  ['empty lists', { resourceClaims: [], volumes: [], topologySpreadConstraints: [] }],
  ['fields that are null', { schedulingGroup: null, workloadRef: null }],
  [
    'what the API server fills in',
    {
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      serviceAccountName: 'default',
      terminationGracePeriodSeconds: 30,
      securityContext: {},
      schedulerName: 'catamaran',
      enableServiceLinks: true,
      preemptionPolicy: 'PreemptLowerPriority',
    },
  ],
];

function freeVolumes(): NonNullable<Pod['spec']['volumes']> {
  return documentedFreeVolumes().map((source) => ({ name: source, [source]: {} }));
}

/** SCOPE.md: "a volume of any other kind than `configMap`, …;". */
function documentedFreeVolumes(): readonly string[] {
  const scope = readFileSync(new URL('../../../../../SCOPE.md', import.meta.url), 'utf8');
  const [, list = ''] = /a volume of any other kind than ([^;]*);/.exec(scope) ?? [];
  return [...list.matchAll(/`(\w+)`/g)].map(([, source = '']) => source);
}

describe('refusedFeature', () => {
  for (const [spec, feature] of REFUSED) {
    it(`refuses ${feature}`, () => {
      expect(refusedFeature(pod(spec))).to.equal(feature);
    });
  }

  for (const [sentence, spec] of ALLOWED) {
    it(`allows ${sentence}`, () => {
      expect(refusedFeature(pod(spec))).to.equal(undefined);
    });
  }

  it('SCOPE.md lists the very volumes that are let through', () => {
    expect(documentedFreeVolumes().toSorted()).to.deep.equal([...FREE_VOLUME_SOURCES].sort());
  });

  it('a hard default constraint of the profile concerns pods without one of their own', () => {
    const hard = { hardDefaultSpread: true };
    expect(refusedFeature(pod({}), hard)).to.equal(
      "hard default topology spreading (the profile's PodTopologySpread defaultConstraints)",
    );
    const soft = { ...constraint, whenUnsatisfiable: 'ScheduleAnyway' };
    expect(refusedFeature(pod({ topologySpreadConstraints: [soft] }), hard)).to.equal(undefined);
  });

  it('the message names the feature and the way out', () => {
    expect(refusalMessage('rbd volumes (volume v)')).to.equal(
      'not supported by this scheduler: rbd volumes (volume v); leave such pods to kube-scheduler (spec.schedulerName), which will be able to use this scheduler as its extender; that mode is not built yet',
    );
  });

  it('soft wishes are listed, not refused', () => {
    const soft = { ...constraint, whenUnsatisfiable: 'ScheduleAnyway' };
    const wishful = pod({
      affinity: { podAffinity: preferred, podAntiAffinity: preferred },
      topologySpreadConstraints: [soft],
    });
    expect(softFeaturesIgnored(wishful)).to.deep.equal([
      'preferred pod affinity',
      'preferred pod anti-affinity',
      'soft topology spreading',
    ]);
    expect(softFeaturesIgnored(pod({}))).to.deep.equal([]);
  });
});
