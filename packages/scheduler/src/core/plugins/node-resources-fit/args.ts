export interface ResourceWeight {
  readonly name: string;
  readonly weight: number;
}

export interface ScoringStrategy {
  readonly type: 'LeastAllocated' | 'MostAllocated' | 'RequestedToCapacityRatio';
  readonly resources?: readonly ResourceWeight[] | undefined;
  /** Utilisation 0..100 strictly rising, score 0..10. */
  readonly requestedToCapacityRatio?: { readonly shape: readonly ShapePoint[] } | undefined;
}

export interface ShapePoint {
  readonly utilization: number;
  readonly score: number;
}

/** Arguments as the config reader leaves them; what is absent takes kube-scheduler's default. */
export interface NodeResourcesFitArgs {
  /** Extended resources that the filter does not look at. */
  readonly ignoredResources: readonly string[];
  /** The same by the part before the slash. */
  readonly ignoredResourceGroups: readonly string[];
  readonly scoringStrategy: ScoringStrategy;
}

export const CPU_AND_MEMORY: readonly ResourceWeight[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

export const DEFAULT_STRATEGY: ScoringStrategy = { type: 'LeastAllocated', resources: CPU_AND_MEMORY };
