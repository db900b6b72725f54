import type { Node, Pod } from '@catamaran/model';
import { HttpClusterApi, SystemClock, silentLogger } from '@catamaran/platform';
import { type ClusterApiHarness, describeClusterApi } from '@catamaran/testkit';
import { ControlPlane } from '../control-plane/control-plane.js';
import { Teardown } from '../process/teardown.js';
import { pause } from '../process/until.js';

describe('on a real kube-apiserver', () => {
  let plane: ControlPlane;
  let teardown: Teardown;
  let count = 0;

  before(async function () {
    this.timeout(120_000);
    teardown = new Teardown();
    plane = await ControlPlane.start(teardown);
  });
  after(() => teardown.run());

  describeClusterApi('HttpClusterApi', async () => {
    const { admin } = plane;
    count += 1;
    const namespace = `conformance-${count}`;
    await admin.create('/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    });
    const api = new HttpClusterApi(
      { connection: plane.connectionFor(plane.credentials.adminToken) },
      { clock: new SystemClock(), log: silentLogger },
    );
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const harness: ClusterApiHarness = {
      api,
      namespace,
      createPod: (pod) => admin.create<Pod>(pods, pod),
      deletePod: async (name) => void (await admin.delete(`${pods}/${name}`, { gracePeriodSeconds: 0 })),
      createNode: (node) => admin.create<Node>('/api/v1/nodes', node),
      deleteNode: async (name) => void (await admin.delete(`/api/v1/nodes/${name}`)),
      passSeconds: (seconds) => pause(seconds * 1000),
      compact: () => plane.compact(),
      hasMetrics: false,
      close: () => api.close(),
    };
    return harness;
  });
});
