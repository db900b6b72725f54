import type { KubernetesEvent, Pod } from '@catamaran/model';
import {
  HttpClusterApi,
  InMemoryCluster,
  type NodeUsage,
  SystemClock,
  silentLogger,
  VirtualClock,
} from '@catamaran/platform';
import { type ClusterApiHarness, describeClusterApi, nodeOf, podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import fc from 'fast-check';
import { type RunningSimulatorServer, startSimulatorServer } from './simulator-server.js';

const START_MS = Date.UTC(2026, 10, 30, 15);
const nodeUsage: NodeUsage = () => ({ cpuMilli: 1500, memoryBytes: 4 * 2 ** 30 });

async function makeHarness(): Promise<ClusterApiHarness> {
  const clock = new VirtualClock(START_MS);
  const cluster = new InMemoryCluster({}, { clock, nodeUsage });
  cluster.createNode(nodeOf('measured'));
  cluster.createNamespace('suite');
  const server = await startSimulatorServer({ port: 0 }, { cluster, clock, log: silentLogger });
  const connection = { serverUrl: server.url, skipTlsVerify: false, describe: 'simulator' };
  const api = new HttpClusterApi({ connection }, { clock: new SystemClock(), log: silentLogger });
  return {
    api,
    namespace: 'suite',
    createPod: async (pod) => cluster.createPod(pod),
    deletePod: async (name) => cluster.deletePod('suite', name),
    createNode: async (node) => cluster.createNode(node),
    deleteNode: async (name) => cluster.deleteNode(name),
    passSeconds: async (seconds) => {
      await clock.advanceBy(seconds * 1000);
      await new Promise((resolve) => setImmediate(resolve));
    },
    compact: async () => cluster.compact(),
    hasMetrics: true,
    close: async () => {
      await api.close();
      await server.close();
    },
  };
}

describeClusterApi('HttpClusterApi and the simulator', makeHarness);

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  // Test code reads what it expects to be there; a wrong shape fails its assertion.
  readonly body: Record<string, unknown> & {
    readonly metadata: { readonly resourceVersion: string; readonly uid: string };
  };
}

describe('simulator server', () => {
  let cluster: InMemoryCluster;
  let clock: VirtualClock;
  let server: RunningSimulatorServer;

  beforeEach(async () => {
    clock = new VirtualClock(START_MS);
    cluster = new InMemoryCluster({}, { clock, nodeUsage });
    server = await startSimulatorServer(
      { port: 0, bodyLimitBytes: 20_000 },
      { cluster, clock, log: silentLogger },
    );
  });
  afterEach(() => server.close());

  async function ask(
    method: string,
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<Answer> {
    const response = await fetch(`${server.url}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : {
            headers: { 'content-type': type },
            body: typeof body === 'string' ? body : JSON.stringify(body),
          }),
    });
    const text = await response.text();
    const contentType = response.headers.get('content-type') ?? '';
    const parsed = contentType.startsWith('application/json') ? JSON.parse(text) : {};
    return { status: response.status, type: contentType, text, body: parsed };
  }
  const get = (path: string) => ask('GET', path);
  const namesIn = (answer: Answer) =>
    (answer.body.items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);

  it('says that it is well and which version it speaks', async () => {
    for (const path of ['/healthz', '/livez', '/readyz']) expect((await get(path)).text).to.equal('ok');
    expect((await get('/version')).body).to.include({ major: '1', minor: '37' });
  });

  it('lets clients discover its resources', async () => {
    expect((await get('/api')).body).to.deep.include({ kind: 'APIVersions', versions: ['v1'] });
    const { groups } = (await get('/apis')).body as unknown as { groups: { name: string }[] };
    expect(groups.map(({ name }) => name)).to.deep.equal([
      'events.k8s.io',
      'coordination.k8s.io',
      'metrics.k8s.io',
    ]);
    const { resources } = (await get('/api/v1')).body as unknown as { resources: { name: string }[] };
    expect(resources.map(({ name }) => name)).to.include.members(['pods', 'pods/binding', 'nodes/status']);
    expect((await get('/apis/coordination.k8s.io')).body).to.include({
      kind: 'APIGroup',
      name: 'coordination.k8s.io',
    });
    expect((await get('/apis/coordination.k8s.io/v1')).body).to.include({ kind: 'APIResourceList' });
    for (const path of ['/apis/apps/v1', '/apis/coordination.k8s.io/v2', '/api/v2', '/apis/apps']) {
      expect((await get(path)).status, path).to.equal(404);
    }
  });

  it('creates, reads, patches, replaces and deletes a pod', async () => {
    const pods = '/api/v1/namespaces/default/pods';
    const created = await ask('POST', pods, podOf('p1', { status: { phase: 'Running' } }));
    expect(created.status).to.equal(201);
    expect(created.body).to.deep.include({ status: { phase: 'Pending' }, kind: 'Pod', apiVersion: 'v1' });
    const patched = await ask(
      'PATCH',
      `${pods}/p1`,
      { metadata: { labels: { app: 'web' } } },
      'application/merge-patch+json',
    );
    expect(patched.body.metadata).to.have.deep.property('labels', { app: 'web' });
    const stale = { ...created.body, metadata: { ...created.body.metadata, labels: { app: 'db' } } };
    const refused = await ask('PUT', `${pods}/p1`, stale);
    expect(refused.body).to.include({ code: 409, reason: 'Conflict' });
    const fresh = { ...patched.body, metadata: { ...patched.body.metadata, labels: { app: 'db' } } };
    expect((await ask('PUT', `${pods}/p1`, fresh)).status).to.equal(200);
    expect(namesIn(await get(`${pods}?labelSelector=app%3Ddb`))).to.deep.equal(['p1']);
    expect(namesIn(await get('/api/v1/namespaces/kube-system/pods'))).to.deep.equal([]);
    expect((await ask('DELETE', `${pods}/p1`, { preconditions: { uid: 'other' } })).status).to.equal(409);
    expect((await ask('DELETE', `${pods}/p1`)).status).to.equal(200);
    expect((await get(`${pods}/p1`)).body).to.include({
      code: 404,
      reason: 'NotFound',
      message: 'pods "p1" not found',
    });
  });

  it('shows lists, objects and watches as tables to whoever asks for them', async () => {
    cluster.createNode(nodeOf('n1'));
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };
    const table = async (path: string): Promise<Record<string, unknown>> =>
      (await (await fetch(`${server.url}${path}`, { headers })).json()) as Record<string, unknown>;
    const list = await table('/api/v1/nodes');
    expect(list).to.include({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
    expect(list.metadata).to.deep.equal({ resourceVersion: cluster.latestVersion('nodes') });
    const [row] = list.rows as { cells: unknown[]; object: { kind: string; metadata: { name: string } } }[];
    expect(row?.cells.slice(0, 4)).to.deep.equal(['n1', 'Ready', '<none>', '0s']);
    expect(row?.object).to.deep.include({ kind: 'PartialObjectMetadata' });
    expect((await table('/api/v1/nodes/n1')).rows).to.deep.equal(list.rows);
    expect((await table('/api/v1/nodes?includeObject=Object')).rows).to.have.nested.property(
      '[0].object.kind',
      'Node',
    );
    expect(await table('/api/v1/nodes/nowhere')).to.include({ kind: 'Status', code: 404 });
    const watching = await fetch(`${server.url}/api/v1/nodes?watch=true`, { headers });
    const { value } = (await watching.body?.getReader().read()) ?? {};
    const event = JSON.parse(Buffer.from(value ?? []).toString()) as { type: string; object: object };
    expect(event).to.deep.equal({ type: 'ADDED', object: await table('/api/v1/nodes/n1') });
  });

  it('compresses what is longer than 128 KiB, for whoever accepts it', async () => {
    cluster.createPod(podOf('p1', { metadata: { annotations: { note: 'x'.repeat(200_000) } } as object }));
    const encodingOf = async (path: string, accepted: string): Promise<string | null> => {
      const response = await fetch(`${server.url}${path}`, { headers: { 'accept-encoding': accepted } });
      expect(((await response.json()) as { kind: string }).kind).to.match(/List$/);
      return response.headers.get('content-encoding');
    };
    expect(await encodingOf('/api/v1/pods', 'br, gzip')).to.equal('gzip');
    expect(await encodingOf('/api/v1/pods', 'identity')).to.equal(null);
    expect(await encodingOf('/api/v1/nodes', 'gzip')).to.equal(null);
  });

  it('changes the status only below /status, and there nothing else', async () => {
    cluster.createNode(nodeOf('n1', { cpu: '4' }));
    const strategic = 'application/strategic-merge-patch+json';
    const patch = {
      metadata: { labels: { a: 'b' } },
      spec: { unschedulable: true },
      status: { capacity: { cpu: '8' } },
    };
    await ask('PATCH', '/api/v1/nodes/n1', patch, strategic);
    const main = cluster.objects.get('nodes', 'n1');
    expect(main.spec?.unschedulable).to.equal(true);
    expect(main.status?.capacity?.cpu).to.equal('4');
    await ask(
      'PATCH',
      '/api/v1/nodes/n1/status',
      { spec: { unschedulable: false }, status: { capacity: { cpu: '8' } } },
      strategic,
    );
    const after = cluster.objects.get('nodes', 'n1');
    expect(after.spec?.unschedulable).to.equal(true);
    expect(after.status?.capacity).to.include({ cpu: '8', memory: '16Gi' });
  });

  it('keeps a lease for whoever holds its version', async () => {
    const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
    const lease = (holder: string) => ({
      metadata: { name: 'l1' },
      spec: { holderIdentity: holder, renewTime: '2026-11-30T15:00:00.123000Z' },
    });
    const created = await ask('POST', leases, lease('a'));
    expect(created.status).to.equal(201);
    const { resourceVersion } = created.body.metadata;
    const claim = (holder: string) => ({ ...lease(holder), metadata: { name: 'l1', resourceVersion } });
    const [first, second] = [
      await ask('PUT', `${leases}/l1`, claim('b')),
      await ask('PUT', `${leases}/l1`, claim('c')),
    ];
    expect([first.status, second.status]).to.deep.equal([200, 409]);
    expect((await get(`${leases}/l1`)).body.spec).to.include({ holderIdentity: 'b' });
    const milliseconds = { ...lease('d'), spec: { renewTime: '2026-11-30T15:00:00.123Z' } };
    expect((await ask('PUT', `${leases}/l1`, milliseconds)).text).to.include('exactly six decimals');
  });

  it('shows events under both of their names', async () => {
    const event: KubernetesEvent = {
      metadata: { name: 'p1.1', namespace: 'default' },
      eventTime: '2026-11-30T15:00:00.000000Z',
      type: 'Warning',
      reason: 'FailedScheduling',
      action: 'Scheduling',
      note: '0/1 nodes are available',
      reportingController: 'catamaran',
      reportingInstance: 'catamaran-host',
      regarding: { kind: 'Pod', name: 'p1', namespace: 'default' },
    };
    expect((await ask('POST', '/apis/events.k8s.io/v1/namespaces/default/events', event)).status).to.equal(
      201,
    );
    const list = await get('/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3Dp1');
    expect((list.body.items as object[])[0]).to.deep.include({
      kind: 'Event',
      apiVersion: 'v1',
      message: '0/1 nodes are available',
      involvedObject: event.regarding,
      count: 1,
      lastTimestamp: '2026-11-30T15:00:00Z',
    });
    expect((await ask('POST', '/api/v1/namespaces/default/events', event)).status).to.equal(405);
  });

  const good = podOf('p1');
  const bad: [sentence: string, method: string, path: string, body: unknown, code: number, text: string][] = [
    ['an unknown path', 'GET', '/api/v1/widgets', undefined, 404, 'could not find the requested resource'],
    [
      'a namespaced resource without its namespace',
      'GET',
      '/api/v1/pods/p1',
      undefined,
      404,
      'could not find',
    ],
    [
      'a cluster resource in a namespace',
      'GET',
      '/api/v1/namespaces/default/nodes',
      undefined,
      404,
      'could not find',
    ],
    ['a malformed escape', 'GET', '/api/v1/nodes/%zz', undefined, 400, 'malformed escape'],
    [
      'a limit that is no number',
      'GET',
      '/api/v1/pods?limit=many',
      undefined,
      400,
      'limit: "many" is not a whole number',
    ],
    [
      'a negative time',
      'GET',
      '/api/v1/pods?watch=1&timeoutSeconds=-1',
      undefined,
      400,
      'timeoutSeconds: "-1"',
    ],
    [
      'a watch that is neither on nor off',
      'GET',
      '/api/v1/pods?watch=perhaps',
      undefined,
      400,
      'neither true nor false',
    ],
    [
      'a version that is no number',
      'GET',
      '/api/v1/pods?resourceVersion=x',
      undefined,
      400,
      'Invalid value: "x"',
    ],
    [
      'a version from the future',
      'GET',
      '/api/v1/pods?resourceVersion=99999',
      undefined,
      504,
      'Too large resource version',
    ],
    [
      'a token with a version',
      'GET',
      '/api/v1/pods?resourceVersion=1&continue=x',
      undefined,
      400,
      'not allowed when using continue',
    ],
    ['a bad token', 'GET', '/api/v1/pods?continue=x', undefined, 400, 'continue key is not valid'],
    [
      'a bad field selector',
      'GET',
      '/api/v1/pods?fieldSelector=spec.x%3D1',
      undefined,
      400,
      'field label not supported: spec.x',
    ],
    [
      'a bad selector of a watch',
      'GET',
      '/api/v1/pods?watch=1&labelSelector=%3D',
      undefined,
      400,
      'unable to parse',
    ],
    [
      'initial events in a watch',
      'GET',
      '/api/v1/pods?watch=1&sendInitialEvents=true',
      undefined,
      422,
      'sendInitialEvents',
    ],
    [
      'deleting a collection',
      'DELETE',
      '/api/v1/namespaces/default/pods',
      undefined,
      405,
      'does not allow this method',
    ],
    [
      'posting to an object',
      'POST',
      '/api/v1/namespaces/default/pods/p1',
      good,
      405,
      'does not allow this method',
    ],
    ['posting across namespaces', 'POST', '/api/v1/pods', good, 405, 'does not allow this method'],
    ['an unknown method', 'OPTIONS', '/version', undefined, 405, 'does not allow this method'],
    [
      'a missing namespace',
      'POST',
      '/api/v1/namespaces/nowhere/pods',
      { ...good, metadata: { name: 'p1' } },
      404,
      'namespaces "nowhere" not found',
    ],
    [
      'another namespace than the URL',
      'POST',
      '/api/v1/namespaces/kube-system/pods',
      good,
      400,
      'does not match the namespace',
    ],
    [
      'another kind than the URL',
      'POST',
      '/api/v1/nodes',
      { ...good, metadata: { name: 'n1' } },
      400,
      'kind "Pod" does not match',
    ],
    ['a body that is no JSON', 'POST', '/api/v1/nodes', '{"a":', 400, 'the body is not JSON'],
    ['a body that is no object', 'POST', '/api/v1/nodes', [1], 400, 'not a JSON object'],
    ['a body that is too large', 'POST', '/api/v1/nodes', { a: 'x'.repeat(30_000) }, 413, 'limit is 20000'],
    ['a dry run', 'POST', '/api/v1/nodes?dryRun=All', nodeOf('n1'), 400, 'dryRun is not supported'],
    [
      'a binding without a target',
      'POST',
      '/api/v1/namespaces/default/pods/p1/binding',
      {},
      400,
      'target.name',
    ],
    [
      'a pod without a spec',
      'POST',
      '/api/v1/namespaces/default/pods',
      { metadata: { name: 'p1' } },
      400,
      'spec is not an object',
    ],
  ];
  for (const [sentence, method, path, body, code, text] of bad) {
    it(`answers ${code} as a Status to ${sentence}`, async () => {
      const answer = await ask(method, path, body);
      expect(answer.body, answer.text).to.include({
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        code,
      });
      expect(answer.status).to.equal(code);
      expect(answer.body.message).to.include(text);
      expect(answer.body.reason).to.be.a('string');
    });
  }

  it('answers 415 to a patch of a kind it does not know, naming those it does', async () => {
    cluster.createNode(nodeOf('n1'));
    for (const type of ['application/json-patch+json', 'application/apply-patch+yaml', 'constructor']) {
      const answer = await ask('PATCH', '/api/v1/nodes/n1', {}, type);
      expect(answer.body, type).to.include({ code: 415, reason: 'UnsupportedMediaType' });
      expect(answer.body.message).to.include('application/strategic-merge-patch+json');
    }
  });

  it('answers 415 to protobuf, whatever it is to do', async () => {
    cluster.createPod(podOf('p1'));
    const type = 'application/vnd.kubernetes.protobuf';
    const pods = '/api/v1/namespaces/default/pods';
    for (const [method, path] of [
      ['POST', pods],
      ['DELETE', `${pods}/p1`],
    ] as const) {
      const answer = await ask(method, path, 'k8s\0', type);
      expect(answer.body, method).to.include({ code: 415, reason: 'UnsupportedMediaType' });
    }
    expect(cluster.objects.find('pods', 'p1', 'default')).not.to.equal(undefined);
  });

  it('names everything that is wrong with an object at once', async () => {
    const pod = podOf('Bad_Name', {
      containers: [
        {
          name: 'a',
          image: 'i',
          resources: { requests: { cpu: '2' }, limits: { cpu: '1', memory: '1 Gi' } },
        },
        { name: 'a' },
      ],
    });
    const { body } = await ask('POST', '/api/v1/namespaces/default/pods', pod);
    expect(body).to.include({ code: 422, reason: 'Invalid' });
    const { causes } = body.details as { causes: { field: string }[] };
    expect(causes.map(({ field }) => field)).to.deep.equal([
      'metadata.name',
      'spec.containers[0].resources.limits[memory]',
      'spec.containers[0].resources.requests',
      'spec.containers[1].name',
      'spec.containers[1].image',
    ]);
  });

  it('does not let a pod be turned into another', async () => {
    cluster.createPod(podOf('p1', { spec: { schedulingGates: [{ name: 'example.com/a' }] } }));
    const path = '/api/v1/namespaces/default/pods/p1';
    const merge = 'application/merge-patch+json';
    expect((await ask('PATCH', path, { spec: { nodeName: 'n1' } }, merge)).status).to.equal(422);
    const more = [{ name: 'example.com/a' }, { name: 'example.com/b' }];
    expect((await ask('PATCH', path, { spec: { schedulingGates: more } }, merge)).status).to.equal(422);
    expect((await ask('PATCH', path, { spec: { schedulingGates: [] } }, merge)).status).to.equal(200);
  });

  it('streams changes, bookmarks only to those who ask, and ends when its time is up', async () => {
    const version = cluster.latestVersion('namespaces');
    const read = async (query: string): Promise<string[]> => {
      const path = `/api/v1/pods?watch=true&timeoutSeconds=5&resourceVersion=${version}${query}`;
      const text = await (await fetch(`${server.url}${path}`)).text();
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line).type);
    };
    const reading = [read(''), read('&allowWatchBookmarks=true')];
    cluster.createPod(podOf('p1'));
    const isDone = Promise.all(reading).then(() => true);
    while ((await Promise.race([isDone, new Promise((resolve) => setImmediate(resolve))])) !== true) {
      await clock.advanceBy(1000);
    }
    expect(await reading[0]).to.deep.equal(['ADDED']);
    expect(await reading[1]).to.deep.equal(['ADDED', 'BOOKMARK']);
  });

  it('ends its watches when it closes, and frees its port', async () => {
    const watching = await fetch(`${server.url}/api/v1/pods?watch=true`);
    const ended = watching.text().catch(() => 'cut');
    await server.close();
    await ended;
    expect(await fetch(server.url).catch((error: Error) => error.message)).to.equal('fetch failed');
    await server.close();
  });

  it('serves the use of nodes to metrics clients', async () => {
    cluster.createNode(nodeOf('n1'));
    const path = '/apis/metrics.k8s.io/v1beta1/nodes';
    expect((await get(path)).body).to.deep.include({
      kind: 'NodeMetricsList',
      apiVersion: 'metrics.k8s.io/v1beta1',
    });
    const one = (await get(`${path}/n1`)).body;
    expect(one.usage).to.deep.equal({ cpu: '1500000000n', memory: '4194304Ki' });
    expect((await get(`${path}/nowhere`)).status).to.equal(404);
  });

  const sumOf = (page: string, pattern: RegExp): number =>
    page
      .split('\n')
      .filter((line) => pattern.test(line))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);

  it('serves each node the page of an exporter, whose counters are the integral of its use', async () => {
    cluster.createNode(nodeOf('n1', { cpu: '4', memory: '16Gi' }));
    const first = (await get('/nodes/n1/metrics')).text;
    await clock.advanceBy(60_000);
    const answer = await get('/nodes/n1/metrics');
    expect(answer.type).to.equal('text/plain; version=0.0.4; charset=utf-8');
    const busy = /^node_cpu_seconds_total\{.*mode="(?!idle)/;
    const idle = /^node_cpu_seconds_total\{.*mode="idle"/;
    expect(sumOf(answer.text, busy) - sumOf(first, busy)).to.be.closeTo(90, 1e-6);
    expect(sumOf(answer.text, idle) - sumOf(first, idle)).to.be.closeTo(4 * 60 - 90, 1e-6);
    expect(sumOf(answer.text, /^node_memory_MemTotal_bytes/)).to.equal(16 * 2 ** 30);
    expect(sumOf(answer.text, /^node_memory_MemAvailable_bytes/)).to.equal(12 * 2 ** 30);
    expect(answer.text).to.match(/^node_uname_info\{.*nodename="n1".*\} 1$/m);
    expect(answer.text).to.not.match(/^node_(network|disk|filesystem)_/m);
    expect((await get('/nodes/nowhere/metrics')).status).to.equal(404);
  });

  it('takes the exact counters where it is given them', async () => {
    cluster.createNode(nodeOf('n1', { cpu: '2' }));
    const exact = await startSimulatorServer(
      { port: 0 },
      {
        cluster,
        clock,
        log: silentLogger,
        cpuTotals: (_name, nowMs) => ({ usedMilliMs: (nowMs - START_MS) * 250 }),
        ioTotals: (_name, nowMs) => ({ receive: nowMs - START_MS, transmit: 1, read: 2, write: 3e9 }),
      },
    );
    await clock.advanceBy(60_000);
    const page = await (await fetch(`${exact.url}/nodes/n1/metrics`)).text();
    await exact.close();
    expect(sumOf(page, /^node_cpu_seconds_total\{.*mode="(user|system)"/)).to.be.closeTo(15, 1e-6);
    expect(sumOf(page, /^node_network_receive_bytes_total\{device="eth0"/)).to.equal(60_000);
    expect(sumOf(page, /^node_disk_written_bytes_total\{device="sda"/)).to.equal(3e9);
    expect(sumOf(page, /^node_filesystem_avail_bytes\{.*mountpoint="\/"\}/)).to.equal(47e9);
  });

  it('survives any path, query and body', async function () {
    this.timeout(20_000);
    cluster.createNode(nodeOf('n1'));
    cluster.createPod(podOf('p1'));
    const paths = fc.constantFrom(
      '/api/v1/nodes',
      '/api/v1/nodes/n1',
      '/api/v1/nodes/n1/status',
      '/api/v1/namespaces/default/pods',
      '/api/v1/namespaces/default/pods/p1',
      '/api/v1/namespaces/default/pods/p1/binding',
      '/api/v1/namespaces/default/pods/p1/status',
      '/apis/events.k8s.io/v1/namespaces/default/events',
      '/apis/coordination.k8s.io/v1/namespaces/default/leases',
    );
    const anyPath = fc.webPath().map((path) => `/${path.replace(/^\/+/, '')}`);
    const hostileKeys = fc.constantFrom(
      'metadata',
      'spec',
      'status',
      'name',
      '__proto__',
      'containers',
      'labels',
      '$patch',
      'conditions',
    );
    const whole = [
      podOf('p1', { limits: { cpu: '1' }, spec: { schedulingGates: [{ name: 'a' }], initContainers: [] } }),
      nodeOf('n2', { taints: [{ key: 'k', effect: 'NoSchedule' }] }),
      { target: { kind: 'Node', name: 'n1' }, metadata: { name: 'p1', uid: 'x' } },
      { status: { conditions: [{ type: 'PodScheduled', status: 'False' }], phase: 'Running' } },
      { metadata: { name: 'l1' }, spec: { holderIdentity: 'a', renewTime: '2026-11-30T15:00:00.000000Z' } },
      {
        metadata: { name: 'e1' },
        eventTime: '2026-11-30T15:00:00.000000Z',
        regarding: {},
        series: { count: 1 },
      },
    ];
    const damaged = fc
      .record({ base: fc.constantFrom(...whole), at: fc.nat(), value: fc.jsonValue() })
      .map(damage);
    const body = fc.oneof(
      damaged,
      damaged,
      fc.json(),
      fc
        .dictionary(hostileKeys, fc.oneof(fc.jsonValue(), fc.dictionary(hostileKeys, fc.jsonValue())), {
          noNullPrototype: true,
        })
        .map((value) => JSON.stringify(value)),
      fc.string(),
    );
    const types = fc.constantFrom(
      'application/json',
      'application/merge-patch+json',
      'application/strategic-merge-patch+json',
    );
    const call = fc.record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH'),
      path: fc.oneof(paths, anyPath),
      query: fc.webQueryParameters().filter((query) => !query.includes('watch')),
      body,
      type: types,
    });
    await fc.assert(
      fc.asyncProperty(call, async ({ method, path, query, body: text, type }) => {
        const answer = await ask(method, `${path}?${query}`, method === 'GET' ? undefined : text, type);
        expect(answer.status, answer.text).to.be.below(500);
      }),
      { numRuns: 300 },
    );
    expect((await get('/api/v1/pods')).status).to.equal(200);
    expect(cluster.objects.get('pods', 'p1', 'default').spec.containers).to.have.length(1);
  });

  it('hands out the same identities for the same seed', async () => {
    const uidOf = async (): Promise<string> => {
      const other = new InMemoryCluster({ seed: 7 }, { clock });
      const running = await startSimulatorServer({ port: 0 }, { cluster: other, clock, log: silentLogger });
      const response = await fetch(`${running.url}/api/v1/namespaces/default/pods`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(podOf('p1')),
      });
      await running.close();
      return ((await response.json()) as Pod).metadata.uid ?? '';
    };
    expect(await uidOf()).to.equal(await uidOf());
  });
});

/** Replaces one of the values anywhere within an object. */
function damage(how: { readonly base: object; readonly at: number; readonly value: unknown }): string {
  const copy = structuredClone(how.base) as Record<string, unknown>;
  const places: (() => void)[] = [];
  const visit = (parent: Record<string, unknown>): void => {
    for (const [key, value] of Object.entries(parent)) {
      places.push(() => {
        parent[key] = how.value;
      });
      if (typeof value === 'object' && value !== null) visit(value as Record<string, unknown>);
    }
  };
  visit(copy);
  places[how.at % places.length]?.();
  return JSON.stringify(copy);
}
