import { readFile, writeFile } from 'node:fs/promises';
import { type PeerCertificate, connect as tlsConnect } from 'node:tls';
import { podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { Agent, request } from 'undici';
import { certificateAuthority, certificateFrom, type KeyPair } from '../control-plane/certificates.js';
import { ControlPlane } from '../control-plane/control-plane.js';
import {
  accountKubeconfig,
  applyShippedRoles,
  bindClusterRole,
  SCHEDULER_ACCOUNT,
  type ServiceAccount,
  tokenOf,
  userNameOf,
} from '../control-plane/service-account.js';
import { readAuditLog, rightOf } from '../evidence/audit-log.js';
import { freePorts } from '../process/free-ports.js';
import { Teardown } from '../process/teardown.js';
import { until } from '../process/until.js';
import { SCHEDULER_NAME, type SchedulerProcess, startScheduler } from '../services/scheduler-process.js';

const READER: ServiceAccount = { namespace: 'default', name: 'reader' };
const STRANGER: ServiceAccount = { namespace: 'default', name: 'stranger' };
const PACKING = ['watcherAddress: http://127.0.0.1:9'];
/** Its path is in the role catamaran-scheduler-reader, and it is no pod. */
const EXPLAIN = { method: 'POST', path: '/debug/explain', body: '{}' } as const;
/** Reviews are asked anew each time, so that the tests need not wait. */
const NO_CACHE = [
  '--authentication-token-webhook-cache-ttl=0s',
  '--authorization-webhook-cache-authorized-ttl=0s',
  '--authorization-webhook-cache-unauthorized-ttl=0s',
];

interface Asked {
  readonly path: string;
  readonly method?: 'GET' | 'POST';
  readonly body?: string;
  readonly token?: string;
  readonly client?: KeyPair;
}

describe('the secure port on a real control plane', function () {
  this.timeout(120_000);
  const teardown = new Teardown();
  let plane: ControlPlane;
  let scheduler: SchedulerProcess;
  let clientCa: KeyPair;
  let realUrl: string;
  let tokens: { readonly reader: string; readonly stranger: string };

  before(async () => {
    plane = await ControlPlane.start(teardown);
    await applyShippedRoles(plane);
    for (const { namespace, name } of [READER, STRANGER]) {
      await plane.kubectl('create', 'serviceaccount', name, `--namespace=${namespace}`);
    }
    await bindClusterRole(plane, READER, 'catamaran-scheduler-reader');
    tokens = { reader: await tokenOf(plane, READER), stranger: await tokenOf(plane, STRANGER) };
    clientCa = await certificateAuthority('clients');
    await writeFile(plane.file('client-ca.crt'), clientCa.certPem);
    await writePair(await certificateFrom(clientCa, { commonName: 'first' }));
    const { kubeconfig } = await accountKubeconfig(plane, SCHEDULER_ACCOUNT);
    const args = [
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      `--client-ca-file=${plane.file('client-ca.crt')}`,
      `--tls-cert-file=${plane.file('serving.crt')}`,
      `--tls-private-key-file=${plane.file('serving.key')}`,
      ...NO_CACHE,
    ];
    scheduler = await startScheduler(plane, { kubeconfig, packingArgs: PACKING, args });
  });
  after(() => teardown.run());

  async function writePair({ certPem, keyPem }: Partial<KeyPair>): Promise<void> {
    if (certPem !== undefined) await writeFile(plane.file('serving.crt'), certPem);
    if (keyPem !== undefined) await writeFile(plane.file('serving.key'), keyPem, { mode: 0o600 });
  }

  async function ask(url: string, asked: Asked): Promise<{ readonly status: number; readonly text: string }> {
    const { path, method = 'GET', body, token, client } = asked;
    const identity = client === undefined ? {} : { cert: client.certPem, key: client.keyPem };
    const dispatcher = new Agent({ connect: { rejectUnauthorized: false, ...identity } });
    try {
      const answer = await request(`${url}${path}`, {
        dispatcher,
        method,
        ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
        ...(body === undefined ? {} : { body }),
      });
      return { status: answer.statusCode, text: await answer.body.text() };
    } finally {
      await dispatcher.destroy();
    }
  }

  const status = async (asked: Asked): Promise<number> => (await ask(scheduler.url, asked)).status;

  it('answers probes to everybody', async () => {
    for (const path of ['/healthz', '/livez', '/readyz']) {
      expect(await status({ path }), path).to.equal(200);
    }
  });

  it('asks who it is, also on this machine: nobody 403, a forged token 401, no role 403', async () => {
    const { text, status: got } = await ask(scheduler.url, { path: '/metrics' });
    expect([got, text]).to.deep.equal([
      403,
      '{"error":"forbidden: User \\"system:anonymous\\" cannot get path \\"/metrics\\""}',
    ]);
    expect(await status({ path: '/metrics', token: 'forged' })).to.equal(401);
    expect(await status({ path: '/metrics', token: tokens.stranger })).to.equal(403);
    expect(await status({ ...EXPLAIN, token: tokens.stranger })).to.equal(403);
  });

  it('lets in whom the shipped role names, and for nothing else', async () => {
    const token = tokens.reader;
    expect((await ask(scheduler.url, { path: '/metrics', token })).text).to.include('scheduler_pending_pods');
    expect(await status({ path: '/configz', token })).to.equal(200);
    expect(await status({ path: '/debug/decisions?limit=1', token })).to.equal(200);
    expect(await status({ ...EXPLAIN, token }), 'an empty body is no pod').to.equal(400);
    expect(await status({ path: '/debug/explain', token }), 'get is another verb').to.equal(403);
    expect(await status({ path: '/debug/elsewhere', token })).to.equal(403);
  });

  it('takes the client certificate of a user that a role names', async () => {
    const alice = await certificateFrom(clientCa, { commonName: 'alice' });
    expect(await status({ path: '/metrics', client: alice })).to.equal(403);
    await plane.kubectl(
      'create',
      'clusterrolebinding',
      'alice-reads',
      '--clusterrole=catamaran-scheduler-reader',
      '--user=alice',
    );
    await until({ what: 'the binding to count', timeoutMs: 60_000 }, async () => {
      return (await status({ path: '/metrics', client: alice })) === 200;
    });
    const forged = await certificateFrom(await certificateAuthority('others'), { commonName: 'alice' });
    expect(await status({ path: '/metrics', client: forged })).to.equal(401);
  });

  it('needs the rights of system:auth-delegator, and no others, for it', async () => {
    const reviews = (await readAuditLog(plane.auditLog)).filter(
      ({ user, objectRef }) =>
        user.username === userNameOf(SCHEDULER_ACCOUNT) && (objectRef?.resource ?? '').endsWith('reviews'),
    );
    expect(new Set(reviews.map(rightOf))).to.deep.equal(
      new Set([
        'create tokenreviews.authentication.k8s.io',
        'create subjectaccessreviews.authorization.k8s.io',
      ]),
    );
    expect(reviews.filter(({ responseStatus }) => responseStatus?.code !== 201)).to.deep.equal([]);
  });

  it('without these rights: 401 and 500, one line that names the role, and it goes on', async () => {
    const { kubeconfig } = await accountKubeconfig(plane, STRANGER);
    const mute = await startScheduler(plane, {
      kubeconfig: (await accountKubeconfig(plane, SCHEDULER_ACCOUNT)).kubeconfig,
      packingArgs: PACKING,
      name: 'mute',
      args: [`--authentication-kubeconfig=${kubeconfig}`, `--authorization-kubeconfig=${kubeconfig}`],
    });
    const { reader } = tokens;
    for (const token of [reader, 'forged', reader]) {
      expect((await ask(mute.url, { path: '/metrics', token })).status).to.equal(401);
    }
    expect((await ask(mute.url, { path: '/metrics' })).status).to.equal(500);
    expect((await ask(mute.url, { path: '/healthz' })).status).to.equal(200);
    const lines = mute.program.log.split('\n').filter((line) => line.includes('system:auth-delegator'));
    expect(lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg)).to.deep.equal([
      'requests are refused: tokens can not be reviewed',
      'requests are refused: access can not be reviewed',
    ]);
    expect(mute.program.log).to.not.include(reader);
  });

  it('without set-up lets this machine in, but judges what it shows; probes in the clear where asked', async () => {
    const { kubeconfig } = await accountKubeconfig(plane, SCHEDULER_ACCOUNT);
    const [port = 0] = await freePorts(1);
    const args = ['--address=127.0.0.1', `--port=${port}`];
    const plain = await startScheduler(plane, { kubeconfig, packingArgs: PACKING, name: 'plain', args });
    expect((await ask(plain.url, { path: '/metrics' })).status).to.equal(200);
    expect((await ask(plain.url, { path: '/metrics', token: 'forged' })).status).to.equal(401);
    expect((await ask(plain.url, { path: '/metrics', token: tokens.stranger })).status).to.equal(403);
    expect((await ask(plain.url, { path: '/metrics', token: tokens.reader })).status).to.equal(200);
    const clear = `http://127.0.0.1:${port}`;
    expect((await ask(clear, { path: '/healthz' })).status).to.equal(200);
    expect((await ask(clear, { path: '/metrics' })).status).to.equal(404);
    expect(plain.program.log).to.include('--address is deprecated');
  });

  it('answers as the real kube-scheduler does', async () => {
    const [port = 0] = await freePorts(1);
    const { kubeSchedulerToken } = plane.credentials;
    const kubeconfig = await plane.kubeconfig('kube-scheduler', { token: kubeSchedulerToken });
    const theirs = plane.program('kube-scheduler', [
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      '--leader-elect=false',
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--cert-dir=${plane.file('kube-scheduler-pki')}`,
    ]);
    plane.stoppedAtEnd(theirs).start();
    realUrl = `https://127.0.0.1:${port}`;
    const url = realUrl;
    await theirs.ready('healthy', async () => (await ask(url, { path: '/healthz' })).status === 200);
    for (const path of ['/healthz', '/metrics', '/configz', '/no/such/path']) {
      for (const token of [undefined, 'forged', tokens.stranger, tokens.reader]) {
        // A bad token costs kube-scheduler's probes too; ours never ask anybody.
        if (path === '/healthz' && token === 'forged') continue;
        const asked = { path, ...(token === undefined ? {} : { token }) };
        const [ours, real] = [await status(asked), (await ask(url, asked)).status];
        expect(ours, JSON.stringify(asked)).to.equal(real);
      }
    }
  });

  it('means by kube-scheduler metric names what it means: type, labels, buckets', async () => {
    const pods = '/api/v1/namespaces/default/pods';
    await plane.admin.create(pods, podOf('theirs', { schedulerName: 'default-scheduler' }));
    await plane.admin.create(pods, podOf('ours', { schedulerName: SCHEDULER_NAME }));
    const token = tokens.reader;
    const familiesAt = async (url: string) => {
      const { text } = await ask(url, { path: '/metrics', token });
      if (!text.includes('scheduler_schedule_attempts_total{')) throw new Error('no attempt yet');
      return familiesOf(text);
    };
    const [ours, theirs] = await Promise.all(
      [scheduler.url, realUrl].map((url) =>
        until({ what: `an attempt at ${url}`, timeoutMs: 60_000 }, () => familiesAt(url)),
      ),
    );
    const shared = [...(ours?.keys() ?? [])].filter(
      (name) => theirs?.has(name) && name.startsWith('scheduler_'),
    );
    expect(shared).to.include.members([
      'scheduler_cache_size',
      'scheduler_pending_pods',
      'scheduler_schedule_attempts_total',
      'scheduler_scheduling_algorithm_duration_seconds',
      'scheduler_scheduling_attempt_duration_seconds',
    ]);
    for (const name of shared) expect(ours?.get(name), name).to.deep.equal(theirs?.get(name));
  });

  it('shows a new certificate when the files have changed, and keeps the old one while they disagree', async () => {
    const first = await shownName();
    expect(first).to.equal('first');
    const second = await certificateFrom(clientCa, { commonName: 'second' });
    await writePair({ keyPem: second.keyPem });
    const complaint = 'certificate not changed: the new files are no good';
    await until({ what: 'the complaint', timeoutMs: 60_000 }, async () =>
      (await readFile(scheduler.program.spec.logPath, 'utf8')).includes(complaint),
    );
    expect(await shownName()).to.equal('first');
    await writePair(second);
    await until(
      { what: 'the new certificate', timeoutMs: 60_000 },
      async () => (await shownName()) === 'second',
    );
    expect(scheduler.program.log.split(complaint)).to.have.length(2);
    expect(await status({ path: '/metrics', token: tokens.reader })).to.equal(200);
  });

  function shownName(): Promise<PeerCertificate['subject']['CN']> {
    const { hostname: host, port } = new URL(scheduler.url);
    return new Promise((resolve, reject) => {
      const socket = tlsConnect({ host, port: Number(port), rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate().subject.CN);
        socket.destroy();
      });
      socket.on('error', reject);
    });
  }
});

interface Family {
  readonly type: string;
  readonly labels: readonly string[];
  readonly bounds: readonly number[];
}

/** The metrics of a page that have a series, by name. */
function familiesOf(page: string): ReadonlyMap<string, Family> {
  const families = new Map<string, Family>();
  for (const [, name = '', type = ''] of page.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const series = [...page.matchAll(new RegExp(`^${name}(?:_bucket|_sum|_count)?(?:\\{(.*)\\})? `, 'gm'))];
    if (series.length === 0) continue;
    const pairs = series.flatMap(([, labels = '']) => [...labels.matchAll(/(\w+)="([^"]*)"/g)]);
    const names = new Set(pairs.map(([, label = '']) => label));
    names.delete('le');
    const bounds = new Set(pairs.filter(([, label]) => label === 'le').map(([, , bound]) => Number(bound)));
    families.set(name, { type, labels: [...names].sort(), bounds: [...bounds].sort((a, b) => a - b) });
  }
  return families;
}
