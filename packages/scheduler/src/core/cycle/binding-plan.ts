import type { Binding, Cycle, PodWrite, Rejection } from '../framework/plugin.js';
import type { NodeInfo } from '../state/node-info.js';
import type { CompiledProfile } from './profile.js';

/** What PreBind and Bind plugins make of a placement. */
export type BindingPlan =
  | { readonly kind: 'bind'; readonly writes: readonly PlannedWrite[]; readonly binding: Binding }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }
  | { readonly kind: 'error'; readonly message: string };

/** A write to be made before the binding, and whose it is. */
export interface PlannedWrite {
  readonly plugin: string;
  readonly write: PodWrite;
}

export function bindingPlan(cycle: Cycle, profile: CompiledProfile, nodeName: string): BindingPlan {
  const node = cycle.snapshot.node(nodeName);
  if (node === undefined) return { kind: 'error', message: `node "${nodeName}" is gone` };
  const writes: PlannedWrite[] = [];
  for (const plugin of profile.preBinds) {
    const outcome = plugin.preBind(cycle, node);
    if (outcome.kind === 'reject') return { kind: 'rejected', rejection: outcome.rejection };
    if (outcome.kind === 'skip') continue;
    writes.push(...outcome.writes.map((write) => ({ plugin: plugin.name, write })));
  }
  return chosenBinding(cycle, profile, { node, writes });
}

function chosenBinding(
  cycle: Cycle,
  { binds, schedulerName }: CompiledProfile,
  { node, writes }: { readonly node: NodeInfo; readonly writes: readonly PlannedWrite[] },
): BindingPlan {
  for (const plugin of binds) {
    const choice = plugin.bind(cycle, node);
    if (choice.kind === 'skip') continue;
    const { uid, nodeName } = choice.binding;
    if (uid === cycle.pod.uid && nodeName === node.name)
      return { kind: 'bind', writes, binding: choice.binding };
    const message = `plugin "${plugin.name}" binds pod ${uid} to node "${nodeName}" in place of ${cycle.pod.uid} to "${node.name}"`;
    return { kind: 'error', message };
  }
  return { kind: 'error', message: `no Bind plugin of profile "${schedulerName}" binds the pod` };
}
