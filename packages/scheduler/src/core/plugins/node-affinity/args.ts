import type { NodeAffinity } from '@catamaran/model';

export interface NodeAffinityArgs {
  /** Applies to every pod of the profile on top of its own affinity. */
  readonly addedAffinity: NodeAffinity | undefined;
}
