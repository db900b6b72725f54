import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Agent, request } from 'undici';
import { parse } from 'yaml';
import { freePorts } from '../process/free-ports.js';
import { until } from '../process/until.js';
import { type BuiltImage, buildImages, IMAGE_NAMES, type ImageName, ROOT } from './build-images.js';
import { Container, type ContainerSpec } from './container.js';
import { obstacleToImages } from './requirements.js';

const MIB = 1024 * 1024;
const GOES_ON = 'setInterval(() => {}, 1000);';
const ALIAS: Readonly<Record<ImageName, string>> = {
  'load-watcher': '/usr/local/bin/load-watcher',
  scheduler: '/usr/local/bin/kube-scheduler',
};
/** No cluster answers here: what is tested is how the process lives, not what it finds. */
const NOBODY = 'http://127.0.0.1:9';

describe('the images', function () {
  this.timeout(600_000);
  let folder: string;
  let images: Readonly<Record<ImageName, BuiltImage>>;
  const containers: Container[] = [];

  before(async function () {
    const obstacle = obstacleToImages(process.env);
    if (obstacle !== undefined && process.env.CI !== 'true') {
      process.stderr.write(`skipped: ${obstacle}\n`);
      this.skip();
    }
    images = await buildImages({
      env: process.env,
      say: (text) => void process.stderr.write(`images: ${text}\n`),
    });
    folder = await mkdtemp(join(tmpdir(), 'catamaran-images-'));
  });
  after(async () => {
    for (const container of containers) await container.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  async function started(spec: Omit<ContainerSpec, 'logPath'>): Promise<Container> {
    const container = await Container.create({ ...spec, logPath: join(folder, `${spec.name}.log`) });
    containers.push(container);
    container.start();
    return container;
  }

  for (const name of IMAGE_NAMES) {
    describe(name, () => {
      it('adds at most 120 MB to its base, a number that is at hand', () => {
        expect(images[name].addedBytes).to.be.within(10 * MIB, 120 * MIB);
        process.stderr.write(
          `images: ${name} adds ${Math.round(images[name].addedBytes / MIB)} MiB to its base\n`,
        );
      });

      it('runs as a user by number, through the command that existing manifests call', () => {
        const { config } = images[name];
        expect(config.User).to.match(/^[1-9]\d*:[1-9]\d*$/);
        expect(config.Entrypoint).to.deep.equal([ALIAS[name]]);
        expect(config.Labels).to.include({ 'org.opencontainers.image.licenses': 'Apache-2.0' });
        for (const label of ['title', 'description', 'version', 'revision', 'created']) {
          expect(config.Labels, label).to.have.property(`org.opencontainers.image.${label}`);
        }
      });

      it('holds locked production dependencies, no tests, no sources, and nothing that suits one processor only', async () => {
        const { rootfs } = images[name];
        const files = await readdir(join(rootfs, 'app'), { recursive: true });
        const strange = files.filter((file) =>
          /\.(node|so|bare|tsbuildinfo)$|\.d\.ts$|^dist\/.*\.test\.|@catamaran\/.*\.test\.|@catamaran\+testkit/.test(
            file,
          ),
        );
        expect(strange).to.deep.equal([]);
        const lock = parse(await readFile(join(ROOT, 'pnpm-lock.yaml'), 'utf8')) as {
          readonly packages: Readonly<Record<string, unknown>>;
        };
        const store = await readdir(join(rootfs, 'app/node_modules/.pnpm'));
        const unlocked = store
          .filter((entry) => /^(@[^+]+\+)?[^@]+@\d/.test(entry))
          .map((entry) => (/^((?:@[^+]+\+)?[^@]+@[^_(]+)/.exec(entry)?.[1] ?? entry).replace('+', '/'))
          .filter((id) => !Object.hasOwn(lock.packages, id));
        expect(unlocked).to.deep.equal([]);
        expect(store.filter((entry) => /^(mocha|typescript|chai)@/.test(entry))).to.deep.equal([]);
      });

      it('answers --version or --help without a shell, with nothing but what it was given', async () => {
        const container = await started({ name: `${name}-help`, image: images[name], args: ['--help'] });
        expect(await container.program.exited, container.program.log).to.equal(0);
        expect(container.program.log).to.include('Usage');
      });

      it('serves as process 1 without privileges on a read-only root, and stops within 5 s of SIGTERM', async () => {
        const [port = 0] = await freePorts(1);
        const container = await started({
          name: `${name}-serves`,
          image: images[name],
          args: argsOf(name, port),
          env: { KUBECONFIG: '/tmp/kubeconfig' },
          mounts: [{ source: await kubeconfig(), target: '/home/kubeconfig', readOnly: true }],
        });
        await container.program.ready('alive', async () => await isAlive(name, port));
        const status = await container.status();
        expect(status).to.match(/^Uid:\t65532\t65532\t65532\t65532$/m);
        expect(status).to.match(/^NSpid:\t\d+\t1$/m);
        expect(status).to.match(/^CapEff:\t0+$/m);
        expect(status).to.match(/^NoNewPrivs:\t1$/m);
        expect(container.program.log).not.to.match(/EROFS|EACCES/);
        const { code, tookMs } = await container.stop();
        expect(code, container.program.log.slice(-3000)).to.equal(0);
        expect(tookMs).to.be.below(5000);
      });
    });
  }

  it('the root filesystem cannot be written to, /tmp can', async () => {
    const script = `const fs = require('node:fs');
      for (const path of ['/x', '/app/x', '/home/x', '/etc/x', '/dev/x', '/tmp/x']) {
        try { fs.writeFileSync(path, 'x'); console.log(path, 'written'); } catch (error) { console.log(path, error.code); }
      }`;
    const container = await started({
      name: 'writes',
      image: images['load-watcher'],
      command: ['/usr/local/bin/node', '-e', script],
    });
    await container.program.exited;
    const lines = container.program.log.trim().split('\n');
    expect(lines).to.deep.equal([
      '/x EROFS',
      '/app/x EROFS',
      '/home/x EROFS',
      '/etc/x EROFS',
      '/dev/x EROFS',
      '/tmp/x written',
    ]);
  });

  // The program is replaced by one that begins but never gets as far as its own handler.
  it('heeds a signal while the program still loads', async () => {
    const container = await loading('loads', `process.stderr.write('loading'); ${GOES_ON}`);
    const { code, tookMs } = await container.stop();
    expect(code).to.equal(0);
    expect(tookMs).to.be.below(5000);
  });

  it('leaves signals to the program once that handles them', async () => {
    const own = `process.on('SIGTERM', () => process.exit(7));`;
    const container = await loading(
      'loaded',
      `${own} setTimeout(() => process.stderr.write('loading'), 50); ${GOES_ON}`,
    );
    expect((await container.stop()).code).to.equal(7);
  });

  async function loading(name: string, program: string): Promise<Container> {
    const file = join(folder, `${name}.js`);
    await writeFile(file, program);
    const container = await started({
      name,
      image: images['load-watcher'],
      mounts: [{ source: file, target: '/app/dist/main.js', readOnly: true }],
    });
    await until({ what: 'the program', timeoutMs: 60_000, everyMs: 10 }, () =>
      Promise.resolve(container.program.log === 'loading'),
    );
    return container;
  }

  it('the scheduler has a configuration that a mounted file replaces', async () => {
    const image = images.scheduler;
    expect(image.config.Cmd).to.deep.equal(['--config=/home/scheduler-config.yaml']);
    const bad = join(folder, 'bad.yaml');
    await writeFile(
      bad,
      'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nnonsense: 1\n',
    );
    const mounts = [{ source: bad, target: '/home/scheduler-config.yaml', readOnly: true }];
    const container = await started({ name: 'replaced', image, mounts });
    expect(await container.program.exited).not.to.equal(0);
    expect(container.program.log).to.include('nonsense');
  });

  async function kubeconfig(): Promise<string> {
    const path = join(folder, 'kubeconfig');
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'none', cluster: { server: NOBODY } }],
      users: [{ name: 'none', user: {} }],
      contexts: [{ name: 'none', context: { cluster: 'none', user: 'none' } }],
      'current-context': 'none',
    };
    await writeFile(path, JSON.stringify(config));
    return path;
  }
});

function argsOf(name: ImageName, port: number): readonly string[] {
  const own = ['--kubeconfig=/home/kubeconfig', '--bind-address=127.0.0.1'];
  return name === 'scheduler'
    ? ['--config=/home/scheduler-config.yaml', `--secure-port=${port}`, ...own]
    : [`--port=${port}`, ...own];
}

async function isAlive(name: ImageName, port: number): Promise<boolean> {
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    const scheme = name === 'scheduler' ? 'https' : 'http';
    const { statusCode, body } = await request(`${scheme}://127.0.0.1:${port}/livez`, { dispatcher: agent });
    await body.dump();
    return statusCode === 200;
  } finally {
    await agent.close();
  }
}
