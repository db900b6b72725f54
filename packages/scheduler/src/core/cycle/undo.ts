import type { Cycle } from '../framework/plugin.js';
import type { PlannedWrite } from './binding-plan.js';
import type { CompiledProfile } from './profile.js';

/** What Reserve plugins want written when a placement came to nothing, the last of them first. */
export interface Undoing {
  readonly writes: readonly PlannedWrite[];
  /** Plugins that threw: the others are asked all the same. */
  readonly failures: readonly { readonly plugin: string; readonly error: unknown }[];
}

/** Asks all Reserve plugins, also those that the placement did not come to. */
export function undoing(cycle: Cycle, { reserves }: CompiledProfile, nodeName: string): Undoing {
  const node = cycle.snapshot.node(nodeName);
  const writes: PlannedWrite[] = [];
  const failures: { plugin: string; error: unknown }[] = [];
  if (node === undefined) return { writes, failures };
  for (const plugin of reserves.toReversed()) {
    try {
      const asked = plugin.unreserve?.(cycle, node) ?? [];
      writes.push(...asked.map((write) => ({ plugin: plugin.name, write })));
    } catch (error) {
      failures.push({ plugin: plugin.name, error });
    }
  }
  return { writes, failures };
}
