import { X509Certificate } from 'node:crypto';
import { request as httpsRequest } from 'node:https';
import { MetricsRegistry, type RunningHttpServer, silentLogger, startHttpServer } from '@catamaran/platform';
import { nodeOf, podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import fc from 'fast-check';
import { PACKING, SchedulerWorld, START_MS } from '../service/scheduler-world.test.js';
import { createSchedulerApp } from './scheduler-app.js';
import { selfSignedCertificate } from './self-signed-certificate.js';

interface Answer {
  readonly status: number;
  readonly text: string;
}

describe('the scheduler over HTTP', () => {
  let world: SchedulerWorld;
  let server: RunningHttpServer;
  let unready: string | undefined;

  beforeEach(async () => {
    world = new SchedulerWorld();
    unready = undefined;
    world.cluster.createNode(nodeOf('a'));
    world.cluster.createNode(nodeOf('b'));
    world.cluster.createNode(nodeOf('cordoned', { unschedulable: true }));
    world.watcher.tell({ a: 30, b: 10 }, START_MS - 60_000);
    const service = await world.start(PACKING);
    const config = { profiles: [], metricProvider: { address: 'http://u:pw@prom.example', token: 'abc123' } };
    server = await startHttpServer(
      {
        host: '127.0.0.1',
        port: 0,
        name: 'scheduler',
        listener: createSchedulerApp(
          { config },
          {
            explainer: service.explainer,
            metrics: world.metrics,
            ready: [{ name: 'scheduler', problem: () => unready }],
            log: silentLogger,
          },
        ),
      },
      { log: silentLogger },
    );
  });

  afterEach(async () => {
    await server.close();
    await world.close();
  });

  async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(`${server.url}${path}`, init);
    return { status: response.status, text: await response.text() };
  }

  async function explain(body: unknown): Promise<Answer> {
    return await ask('/debug/explain', {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  it('answers probes', async () => {
    for (const path of ['/healthz', '/livez', '/readyz']) {
      expect(await ask(path), path).to.deep.equal({ status: 200, text: 'ok' });
    }
  });

  it('is alive but not ready while the cluster is being listed', async () => {
    unready = 'nodes are still being listed';
    expect(await ask('/livez')).to.include({ status: 200 });
    expect(await ask('/readyz')).to.deep.equal({
      status: 503,
      text: 'scheduler: nodes are still being listed\n',
    });
  });

  it('serves kube-scheduler metric names', async () => {
    world.cluster.createPod(podOf('p', { schedulerName: 'packer' }));
    await world.settle();
    const { text } = await ask('/metrics');
    expect(text).to.include('scheduler_schedule_attempts_total{result="scheduled",profile="packer"} 1\n');
    expect(text).to.include('scheduler_pending_pods{queue="active"} 0\n');
    expect(text).to.include('catamaran_scheduler_load_state{profile="packer",state="fresh"} 1\n');
  });

  it('shows the configuration with secrets masked', async () => {
    const { text } = await ask('/configz');
    expect(text).to.not.match(/abc123|pw@/);
    expect(JSON.parse(text)).to.have.property('kubescheduler.config.k8s.io');
  });

  it('tells what was decided and why the second best lost', async () => {
    world.cluster.createPod(podOf('p', { schedulerName: 'packer', requests: { cpu: '200m' } }));
    await world.settle();
    const { items } = JSON.parse((await ask('/debug/decisions?pod=default/p')).text) as {
      items: Record<string, unknown>[];
    };
    expect(items).to.have.length(1);
    const { nodes, uid, ...item } = items[0] ?? {};
    expect(uid).to.equal(world.pod('p')?.metadata.uid);
    // 300m expected on 4 cores: a 37.5 % -> 96, b 17.5 % -> 66.
    expect(item).to.deep.equal({
      pod: 'default/p',
      time: '2026-01-01T00:00:00.000Z',
      profile: 'packer',
      snapshotVersion: item.snapshotVersion,
      outcome: 'placed',
      chosen: 'a',
      loadAgeSeconds: 60,
      runnerUp: { name: 'b', total: 66, lostBy: { TargetLoadPacking: 30 }, tied: false },
      omittedNodes: 0,
    });
    const shown = (nodes as { name: string; total: number; rejectedBy?: string; reason?: string }[]).map(
      ({ name, total, rejectedBy, reason }) => [name, total, rejectedBy, reason],
    );
    expect(shown).to.deep.equal([
      ['a', 96, undefined, undefined],
      ['b', 66, undefined, undefined],
      ['cordoned', 0, 'NodeUnschedulable', 'node(s) were unschedulable'],
    ]);
  });

  it('limits the nodes it lists, best first', async () => {
    world.cluster.createPod(podOf('p', { schedulerName: 'packer', requests: { cpu: '200m' } }));
    await world.settle();
    const { items } = JSON.parse((await ask('/debug/decisions?nodes=1')).text) as {
      items: { nodes: { name: string }[]; omittedNodes: number }[];
    };
    expect(items[0]?.nodes.map(({ name }) => name)).to.deep.equal(['a']);
    expect(items[0]?.omittedNodes).to.equal(2);
  });

  it('limits the decisions it lists, newest first', async () => {
    for (const name of ['p', 'q', 'r']) {
      world.cluster.createPod(podOf(name, { schedulerName: 'packer' }));
      await world.settle();
    }
    const { items } = JSON.parse((await ask('/debug/decisions?limit=2')).text) as {
      items: { pod: string }[];
    };
    expect(items.map(({ pod }) => pod)).to.deep.equal(['default/r', 'default/q']);
  });

  it('lists no decisions of a pod it has not seen', async () => {
    expect(await ask('/debug/decisions?pod=default/none')).to.deep.equal({
      status: 200,
      text: '{"items":[]}',
    });
  });

  it('explains any pod without binding it', async () => {
    const answer = await explain(podOf('what-if', { schedulerName: 'packer', requests: { cpu: '200m' } }));
    expect(JSON.parse(answer.text)).to.include({ pod: 'default/what-if', outcome: 'placed', chosen: 'a' });
    expect(world.written.bindings).to.deep.equal([]);
    expect(JSON.parse((await ask('/debug/decisions')).text)).to.deep.equal({ items: [] });
  });

  it('explains why a pod fits nowhere, and what is not supported', async () => {
    const big = await explain(podOf('big', { requests: { cpu: '99' } }));
    expect(JSON.parse(big.text)).to.include({
      outcome: 'unschedulable',
      chosen: null,
      message: '0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient cpu.',
    });
    const claims = await explain(podOf('claims', { spec: { resourceClaims: [{ name: 'gpu' }] } }));
    expect(JSON.parse(claims.text)).to.include({ outcome: 'error' });
    expect(claims.text).to.include('resource claims');
  });

  const BAD: readonly (readonly [sentence: string, body: unknown, error: string])[] = [
    ['no JSON', '{', 'Expected property name'],
    ['a list', [], 'expected a Pod object as JSON: the body is not a JSON object'],
    ['null', null, ''],
    ['another kind', { kind: 'Node', metadata: { name: 'n' } }, 'kind is \\"Node\\"'],
    ['no name', { kind: 'Pod', metadata: {}, spec: {} }, 'metadata.name is missing'],
    ['no spec', { metadata: { name: 'p' } }, 'spec is missing'],
    [
      'containers as a map',
      { metadata: { name: 'p' }, spec: { containers: {} } },
      'spec.containers is not a list',
    ],
    [
      'a text among tolerations',
      { metadata: { name: 'p' }, spec: { tolerations: ['x'] } },
      'spec.tolerations is not',
    ],
  ];
  for (const [sentence, body, error] of BAD) {
    it(`refuses to explain ${sentence}`, async () => {
      const answer = await explain(body);
      expect(answer.status).to.equal(400);
      expect(answer.text)
        .to.include(error)
        .and.not.match(/\.[jt]s:/);
    });
  }

  it('judges by the profile that is asked for, or that the pod names; one without any by the first', async () => {
    const named = podOf('p', { schedulerName: 'elsewhere' });
    const { status, text } = await explain(named);
    expect([status, JSON.parse(text)]).to.deep.equal([
      400,
      { error: 'spec.schedulerName "elsewhere" is none of the profiles (packer): name one with ?profile=' },
    ]);
    const asked = await ask('/debug/explain?profile=packer', { method: 'POST', body: JSON.stringify(named) });
    expect(JSON.parse(asked.text)).to.include({ profile: 'packer', outcome: 'placed' });
    const nobody = { ...named, spec: { ...named.spec, schedulerName: 'default-scheduler' } };
    expect(JSON.parse((await explain(nobody)).text)).to.include({ profile: 'packer' });
    const unknown = await ask('/debug/explain?profile=x', { method: 'POST', body: JSON.stringify(named) });
    expect([unknown.status, JSON.parse(unknown.text)]).to.deep.equal([
      400,
      { error: 'profile: "x" is none of packer' },
    ]);
  });

  it('answers 413 to a body that is larger than any pod', async () => {
    const answer = await explain({ kind: 'Pod', metadata: { name: 'x'.repeat(5_000_000) }, spec: {} });
    expect(answer).to.deep.equal({ status: 413, text: '{"error":"request entity too large"}' });
  });

  it('answers 200 or 400 to whatever looks like a pod, and goes on', async () => {
    const field = fc.constantFrom(
      'containers',
      'initContainers',
      'resources',
      'requests',
      'limits',
      'cpu',
      'tolerations',
      'affinity',
      'nodeAffinity',
      'requiredDuringSchedulingIgnoredDuringExecution',
      'nodeSelectorTerms',
      'matchExpressions',
      'topologySpreadConstraints',
      'overhead',
      'volumes',
      'nodeSelector',
      'ports',
      'hostPort',
      'schedulerName',
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(null, true, 0, -1, 1e300, '', '1', '1x', 'In', 'packer'),
        fc.array(tie('value'), { maxLength: 2 }),
        fc.dictionary(field, tie('value'), { maxKeys: 4 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(field, value, { maxKeys: 5 }), async (spec) => {
        const { status, text } = await explain({ metadata: { name: 'odd' }, spec });
        expect(status, text).to.be.oneOf([200, 400]);
        expect(JSON.parse(text)).to.be.an('object');
      }),
    );
    expect(await ask('/livez')).to.include({ status: 200 });
  });

  for (const [sentence, path, error] of [
    ['a pod without namespace', '/debug/decisions?pod=p', 'expected namespace/name, got \\"p\\"'],
    ['two pods', '/debug/decisions?pod=a/b&pod=c/d', 'pod: given more than once'],
    ['a limit below zero', '/debug/decisions?limit=-1', 'limit: expected a whole number from 0 to 1000'],
    ['nodes that are no number', '/debug/decisions?nodes=many', 'expected a whole number'],
  ] as const) {
    it(`refuses ${sentence}`, async () => {
      const answer = await ask(path);
      expect(answer.status).to.equal(400);
      expect(answer.text).to.include(error);
    });
  }

  for (const path of ['/metrics', '/configz', '/debug/decisions']) {
    it(`keeps ${path} from whoever comes through a proxy`, async () => {
      for (const name of ['X-Forwarded-For', 'X-Envoy-External-Address', 'X-Client-IP']) {
        const headers = { [name]: '10.1.2.3' };
        expect((await ask(path, { headers })).status).to.equal(403);
        expect((await ask('/livez', { headers })).status).to.equal(200);
      }
    });
  }

  it('serves only probes on the plain port of old', async () => {
    const service = await world.start(PACKING, {}, new MetricsRegistry());
    const deps = { explainer: service.explainer, metrics: world.metrics, ready: [], log: silentLogger };
    const listener = createSchedulerApp({ config: {}, probesOnly: true }, deps);
    const plain = await startHttpServer(
      { host: '127.0.0.1', port: 0, name: 'plain', listener },
      { log: silentLogger },
    );
    const statuses = await Promise.all(
      ['/healthz', '/metrics', '/debug/decisions'].map(
        async (path) => (await fetch(plain.url + path)).status,
      ),
    );
    await plain.close();
    expect(statuses).to.deep.equal([200, 404, 404]);
  });
});

describe('selfSignedCertificate', () => {
  it('serves TLS for this machine, for a year', async () => {
    const nowMs = Date.now();
    const tls = await selfSignedCertificate(nowMs);
    const certificate = new X509Certificate(tls.certPem);
    expect(certificate.subjectAltName).to.match(/DNS:localhost.*IP Address:127\.0\.0\.1/);
    expect(Date.parse(certificate.validTo) - nowMs).to.be.within(364 * 86_400_000, 366 * 86_400_000);
    const server = await startHttpServer(
      {
        host: '127.0.0.1',
        port: 0,
        name: 'tls',
        tls,
        listener: (_request, response) => void response.end('yes'),
      },
      { log: silentLogger },
    );
    const text = await new Promise<string>((resolve, reject) => {
      const request = httpsRequest(server.url, { ca: tls.certPem, agent: false }, (response) => {
        response.setEncoding('utf8').on('data', resolve);
      });
      request.on('error', reject).end();
    });
    await server.close();
    expect(text).to.equal('yes');
  });
});
