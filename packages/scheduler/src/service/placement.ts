import { type BindingPlan, bindingPlan } from '../core/cycle/binding-plan.js';
import type { CompiledProfile } from '../core/cycle/profile.js';
import type { Cycle } from '../core/framework/plugin.js';
import type { Attempt, FailedAttempt } from '../core/queue/queue-options.js';
import type { FailureReason } from './outcome-writer.js';
import type { PendingPod } from './pending-pod.js';

/** A node that was chosen for a pod. */
export interface Placement {
  readonly attempt: Attempt<PendingPod>;
  readonly cycle: Cycle;
  readonly profile: CompiledProfile;
  readonly nodeName: string;
  /** On the stopwatch. */
  readonly startedMs: number;
}

/** Why it came to nothing, for the queue and for people. */
export interface Failure {
  readonly result: FailedAttempt;
  readonly reason: FailureReason;
  readonly message: string;
}

export type Plan = Extract<BindingPlan, { kind: 'bind' }>;

/** A plugin that throws is an error of the attempt. */
export function planOf({ cycle, profile, nodeName }: Placement): BindingPlan {
  try {
    return bindingPlan(cycle, profile, nodeName);
  } catch (error) {
    return { kind: 'error', message: messageOf(error) };
  }
}

export function failureOf(plan: Exclude<BindingPlan, Plan>): Failure {
  if (plan.kind === 'error') {
    return { result: { kind: 'error' }, reason: 'SchedulerError', message: plan.message };
  }
  const { plugin, reasons } = plan.rejection;
  const result = { kind: 'unschedulable', rejectedBy: new Set([plugin]) } as const;
  return { result, reason: 'Unschedulable', message: reasons.join(', ') };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
