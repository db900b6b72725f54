import type { PodWrite, Rejection } from '../../framework/plugin.js';
import { definePlugin, filterPart, type PluginParts, scorePart } from '../../framework/plugin-definition.js';
import { shareOfMax } from '../../framework/share-of-max.js';
import type { NodeInfo } from '../../state/node-info.js';
import type { PodInfo } from '../../state/pod-info.js';
import { LICENCE_DEFAULTS, type LicenceArgs } from './args.js';
import { freeLicences } from './filter.js';
import { licenceScore } from './score.js';

const NAME = 'ExampleLicence';

function rejection(reason: string): Rejection {
  return { plugin: NAME, code: 'Unschedulable', reasons: [reason] };
}

const NONE_FREE = rejection('node(s) had no free licence');
const CLOSING = rejection('the node is being closed');

const LICENSED: PodWrite = {
  kind: 'condition',
  type: 'example.com/Licensed',
  status: 'True',
  reason: 'LicenceTaken',
  message: 'a licence of the node is held',
};

const FREED: PodWrite = {
  kind: 'event',
  type: 'Normal',
  reason: 'LicenceFreed',
  action: 'Unreserving',
  note: 'the licence is free again',
};

/** The example of docs/guides/write-a-plugin.md that has every extension point. */
export const exampleLicence = definePlugin<LicenceArgs>(NAME, (given) => {
  const args = { ...LICENCE_DEFAULTS, ...given };
  const needsOne = ({ labels }: PodInfo): boolean => Object.hasOwn(labels, args.podLabel);
  const free = ({ labels, pods }: NodeInfo): number =>
    freeLicences(labels[args.nodeLabel], pods.filter(({ info }) => needsOne(info)).length);
  return { ...choosing(needsOne, free), ...binding(needsOne, free) };
});

type Needs = (pod: PodInfo) => boolean;
type Free = (node: NodeInfo) => number;

/** Which nodes will do, and which is best. Labels are no part of a pod's class: `inputsKey` stands for them. */
function choosing(needsOne: Needs, free: Free): PluginParts {
  return {
    ...filterPart<undefined>({
      name: NAME,
      inputsKey: ({ pod }) => String(needsOne(pod)),
      preFilter: ({ pod }) => (needsOne(pod) ? { kind: 'continue', state: undefined } : { kind: 'skip' }),
      filter: (_cycle, node) => (free(node) > 0 ? undefined : NONE_FREE),
    }),
    ...scorePart<undefined>({
      name: NAME,
      inputsKey: ({ pod }) => String(needsOne(pod)),
      preScore: ({ pod }) => (needsOne(pod) ? { kind: 'continue', state: undefined } : { kind: 'skip' }),
      score: (_cycle, node) => licenceScore(free(node)),
      normalize: shareOfMax,
      explain: (_cycle, node) => ({ freeLicences: free(node) }),
    }),
    postFilter: {
      name: NAME,
      postFilter: ({ pod }, rejected) =>
        needsOne(pod) && rejected.some((node) => node.rejection === NONE_FREE)
          ? 'More licences, or fewer pods that hold one, would help.'
          : undefined,
    },
  };
}

/** What happens to the chosen node. */
function binding(needsOne: Needs, free: Free): PluginParts {
  return {
    reserve: {
      name: NAME,
      reserve: ({ pod }, node) => (needsOne(pod) && free(node) < 1 ? NONE_FREE : undefined),
      unreserve: ({ pod }) => (needsOne(pod) ? [FREED] : []),
    },
    permit: {
      name: NAME,
      permit: (_cycle, { labels }) => (Object.hasOwn(labels, 'example.com/closing') ? CLOSING : undefined),
    },
    preBind: {
      name: NAME,
      preBind: ({ pod }) => (needsOne(pod) ? { kind: 'write', writes: [LICENSED] } : { kind: 'skip' }),
    },
    bind: {
      name: NAME,
      bind: ({ pod }, { name: nodeName }) => {
        if (!needsOne(pod)) return { kind: 'skip' };
        const { namespace, uid } = pod;
        return { kind: 'bind', binding: { namespace, name: pod.pod.metadata.name, uid, nodeName } };
      },
    },
  };
}
