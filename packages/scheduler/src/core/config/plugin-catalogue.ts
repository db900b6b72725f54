import type { ExtensionPoint } from './extension-point.js';

/** What the config reader must know of a plugin; the plugin's behaviour lives in its own folder. */
export interface CatalogueEntry {
  readonly name: string;
  readonly points: readonly ExtensionPoint[];
  /** Part of kube-scheduler's default set, with this weight where it scores (0: no weight given). */
  readonly defaultWeight: number | undefined;
  /** There is code for it here. */
  readonly built: boolean;
}

const FILTER = ['preFilter', 'filter'] as const;
const SCORE = ['preScore', 'score'] as const;

function standard(
  name: string,
  points: readonly ExtensionPoint[],
  { weight = 0, built = false }: { readonly weight?: number; readonly built?: boolean } = {},
): CatalogueEntry {
  return { name, points, defaultWeight: weight, built };
}

/**
 * The default plugins of kube-scheduler 1.37.2 in the order in which each point runs them, all enabled through
 * multiPoint (recorded: conformance/kube-scheduler), then the plugins users enable by name.
 */
export const PLUGIN_CATALOGUE: readonly CatalogueEntry[] = [
  standard('SchedulingGates', ['preEnqueue'], { built: true }),
  standard('PrioritySort', ['queueSort'], { built: true }),
  standard('NodeName', ['filter'], { built: true }),
  standard('NodeUnschedulable', ['filter'], { built: true }),
  standard('TaintToleration', ['filter', ...SCORE], { weight: 3, built: true }),
  standard('NodeAffinity', [...FILTER, ...SCORE], { weight: 2, built: true }),
  standard('NodePorts', FILTER, { built: true }),
  standard('NodeResourcesFit', [...FILTER, ...SCORE], { weight: 1, built: true }),
  standard('VolumeRestrictions', FILTER),
  standard('NodeVolumeLimits', FILTER),
  standard('VolumeBinding', [...FILTER, ...SCORE, 'reserve', 'preBind']),
  standard('VolumeZone', FILTER),
  standard('PodTopologySpread', [...FILTER, ...SCORE], { weight: 2 }),
  standard('InterPodAffinity', [...FILTER, ...SCORE], { weight: 2 }),
  standard('DynamicResources', ['preEnqueue', ...FILTER, 'postFilter', 'score', 'reserve', 'preBind'], {
    weight: 2,
  }),
  standard('DefaultPreemption', ['preEnqueue', 'postFilter']),
  standard('NodeResourcesBalancedAllocation', SCORE, { weight: 1, built: true }),
  standard('ImageLocality', ['score'], { weight: 1 }),
  standard('DefaultBinder', ['bind'], { built: true }),
  standard('NodeDeclaredFeatures', FILTER),
  { name: 'TargetLoadPacking', points: ['score'], defaultWeight: undefined, built: true },
  { name: 'LoadVariationRiskBalancing', points: ['score'], defaultWeight: undefined, built: true },
  { name: 'LowRiskOverCommitment', points: SCORE, defaultWeight: undefined, built: true },
  { name: 'Peaks', points: ['score'], defaultWeight: undefined, built: true },
  { name: 'CPUTraffic', points: ['score'], defaultWeight: undefined, built: true },
  { name: 'MemoryTraffic', points: ['score'], defaultWeight: undefined, built: true },
  { name: 'DiskTraffic', points: ['score'], defaultWeight: undefined, built: true },
  { name: 'DiskSpaceTraffic', points: ['score'], defaultWeight: undefined, built: true },
  { name: 'NetworkTraffic', points: ['score'], defaultWeight: undefined, built: true },
  { name: 'NodeSignals', points: ['score'], defaultWeight: undefined, built: true },
  { name: 'LoadCeiling', points: FILTER, defaultWeight: undefined, built: true },
];

/** Names that kube-scheduler once had and v1 refuses, with what replaced each. */
export const REMOVED_PLUGINS: ReadonlyMap<string, string> = new Map([
  ['NodeResourcesLeastAllocated', 'NodeResourcesFit with scoringStrategy type LeastAllocated'],
  ['NodeResourcesMostAllocated', 'NodeResourcesFit with scoringStrategy type MostAllocated'],
  ['RequestedToCapacityRatio', 'NodeResourcesFit with scoringStrategy type RequestedToCapacityRatio'],
  ['NodeLabel', 'NodeAffinity with addedAffinity'],
  ['ServiceAffinity', 'InterPodAffinity'],
  ['NodePreferAvoidPods', 'node taints'],
  ['SelectorSpread', 'PodTopologySpread'],
  ['DefaultPodTopologySpread', 'PodTopologySpread'],
  ['EvenPodsSpread', 'PodTopologySpread'],
  ['NodeResourceLimits', 'NodeResourcesFit'],
  ['AzureDiskLimits', 'NodeVolumeLimits'],
  ['CinderLimits', 'NodeVolumeLimits'],
  ['EBSLimits', 'NodeVolumeLimits'],
  ['GCEPDLimits', 'NodeVolumeLimits'],
]);

const BY_NAME: ReadonlyMap<string, CatalogueEntry> = new Map(
  PLUGIN_CATALOGUE.map((entry) => [entry.name, entry]),
);

export function catalogueEntry(name: string): CatalogueEntry | undefined {
  return BY_NAME.get(name);
}
