import { readDurationMs } from '../process-sections.js';
import {
  choiceReader,
  type Fields,
  integerReader,
  listReader,
  objectReader,
  type Report,
  readBoolean,
  readString,
  type Shape,
} from '../reading.js';
import type { SourceNode } from '../source-node.js';
import { readAddedAffinity } from './node-affinity-args.js';
import {
  orCpuAndMemory,
  orDefaultStrategy,
  readResources,
  readScoringStrategy,
  readShape,
} from './scoring-strategy.js';

/** Reads the args of one plugin and fills in its defaults. */
export type ArgsReader = (node: SourceNode, report: Report) => unknown;

function argsReader<S extends Shape>(
  shape: S,
  effective: (fields: Fields<S>, node: SourceNode, report: Report) => unknown,
): ArgsReader {
  return (node, report) => {
    const fields = objectReader(shape)(node, report);
    return effective(fields ?? ({} as Fields<S>), node, report);
  };
}

const percent = integerReader({ min: 0, max: 100 });
const count = integerReader({ min: 0 });

/** The args kinds of kube-scheduler v1 with their defaults, by plugin name. */
export const STANDARD_ARGS: ReadonlyMap<string, ArgsReader> = new Map<string, ArgsReader>([
  [
    'NodeResourcesFit',
    argsReader(
      {
        ignoredResources: listReader(readString),
        ignoredResourceGroups: listReader(readString),
        scoringStrategy: readScoringStrategy,
      },
      (fields) => ({
        ignoredResources: fields.ignoredResources ?? [],
        ignoredResourceGroups: fields.ignoredResourceGroups ?? [],
        scoringStrategy: orDefaultStrategy(fields.scoringStrategy),
      }),
    ),
  ],
  [
    'NodeResourcesBalancedAllocation',
    argsReader({ resources: readResources }, ({ resources }, node, report) => {
      for (const { name, weight } of resources ?? []) {
        if (weight !== 1) {
          report.problem(node, `weight ${weight} of resource ${name} is not allowed: it must be 1`);
        }
      }
      return { resources: orCpuAndMemory(resources) };
    }),
  ],
  [
    'NodeAffinity',
    argsReader({ addedAffinity: readAddedAffinity }, (fields) => ({ addedAffinity: fields.addedAffinity })),
  ],
  [
    'InterPodAffinity',
    argsReader(
      { hardPodAffinityWeight: percent, ignorePreferredTermsOfExistingPods: readBoolean },
      (fields) => ({
        hardPodAffinityWeight: fields.hardPodAffinityWeight ?? 1,
        ignorePreferredTermsOfExistingPods: fields.ignorePreferredTermsOfExistingPods ?? false,
      }),
    ),
  ],
  [
    'PodTopologySpread',
    argsReader(
      {
        defaultConstraints: listReader(
          objectReader({
            maxSkew: integerReader({ min: 1 }),
            topologyKey: readString,
            whenUnsatisfiable: choiceReader(['DoNotSchedule', 'ScheduleAnyway']),
            minDomains: integerReader({ min: 1 }),
            nodeAffinityPolicy: choiceReader(['Honor', 'Ignore']),
            nodeTaintsPolicy: choiceReader(['Honor', 'Ignore']),
            matchLabelKeys: listReader(readString),
          }),
        ),
        defaultingType: choiceReader(['System', 'List']),
      },
      ({ defaultConstraints, defaultingType }, node, report) => {
        const type = defaultingType ?? 'System';
        if (type === 'System' && (defaultConstraints?.length ?? 0) > 0) {
          report.missing(node, 'defaultingType', 'defaultConstraints need defaultingType List');
        }
        return { defaultConstraints: defaultConstraints ?? [], defaultingType: type };
      },
    ),
  ],
  [
    'DefaultPreemption',
    argsReader(
      { minCandidateNodesPercentage: percent, minCandidateNodesAbsolute: count },
      (fields, node, report) => {
        const percentage = fields.minCandidateNodesPercentage ?? 10;
        const absolute = fields.minCandidateNodesAbsolute ?? 100;
        if (percentage === 0 && absolute === 0) {
          report.problem(node, 'minCandidateNodesPercentage and minCandidateNodesAbsolute may not both be 0');
        }
        return { minCandidateNodesPercentage: percentage, minCandidateNodesAbsolute: absolute };
      },
    ),
  ],
  [
    'VolumeBinding',
    argsReader({ bindTimeoutSeconds: count, shape: readShape }, (fields) => ({
      bindTimeoutSeconds: fields.bindTimeoutSeconds ?? 600,
      shape: fields.shape,
    })),
  ],
  [
    'DynamicResources',
    argsReader({ filterTimeout: readDurationMs, bindingTimeout: readDurationMs }, (fields) => ({
      filterTimeoutMs: fields.filterTimeout ?? 10_000,
      bindingTimeoutMs: fields.bindingTimeout ?? 600_000,
    })),
  ],
]);
