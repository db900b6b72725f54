import type { ClusterApiHarness } from './cluster-api-harness.js';
import { describeEvents } from './describe-events.js';
import { describeLeases } from './describe-leases.js';
import { describeLists } from './describe-lists.js';
import { describePods } from './describe-pods.js';
import { describeWatches } from './describe-watches.js';

/** What the parts of the suite share: the harness of the running test. */
export interface ClusterApiFixture {
  readonly harness: ClusterApiHarness;
  /** Never aborts. */
  readonly signal: AbortSignal;
}

/**
 * The conformance suite of the ClusterApi port. It asserts only what a real API server does, so that the in-memory
 * cluster, the simulator and kube-apiserver pass the same one.
 */
export function describeClusterApi(name: string, makeHarness: () => Promise<ClusterApiHarness>): void {
  describe(`ClusterApi: ${name}`, () => {
    let current: ClusterApiHarness | undefined;
    const fixture: ClusterApiFixture = {
      get harness() {
        if (current === undefined) throw new Error('no test is running');
        return current;
      },
      signal: new AbortController().signal,
    };
    beforeEach(async () => {
      current = await makeHarness();
    });
    afterEach(async () => {
      await current?.close();
      current = undefined;
    });
    describeLists(fixture);
    describeWatches(fixture);
    describePods(fixture);
    describeEvents(fixture);
    describeLeases(fixture);
  });
}
