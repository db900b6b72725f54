import type { PlannedPod } from '../plan/world-plan.js';
import type { Placement, WorldState } from './demo-state.js';

/** A cluster with its services, whose time stands still between two calls of the driver. */
export interface SteppedWorld {
  /** Creates the pods in the cluster, now. */
  arrive(pods: readonly PlannedPod[]): void;
  /** Waits until no service has anything left to do at this instant; pods bound meanwhile begin to make load. */
  settle(): Promise<void>;
  /** Adds the minute that ends now to the statistics. */
  recordMinute(): void;
  state(): WorldState;
  /** Undefined while the pod waits. */
  placementOf(podName: string): Placement | undefined;
  /** Pods that wait, with what their status says. */
  waiting(): readonly WaitingPod[];
}

export interface WaitingPod {
  readonly pod: string;
  readonly why: string;
}
