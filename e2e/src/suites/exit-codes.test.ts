import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { ControlPlane } from '../control-plane/control-plane.js';
import {
  accountKubeconfig,
  applyShippedRoles,
  LOAD_WATCHER_ACCOUNT,
  SCHEDULER_ACCOUNT,
} from '../control-plane/service-account.js';
import { Teardown } from '../process/teardown.js';
import { until } from '../process/until.js';
import { builtMain } from '../services/built-main.js';

const SERVICES = [
  { name: 'scheduler', account: SCHEDULER_ACCOUNT, portFlag: '--secure-port' },
  { name: 'load-watcher', account: LOAD_WATCHER_ACCOUNT, portFlag: '--port' },
] as const;

/** What those who run a service under systemd or in a pod have of a mistake: one sentence and an exit code. */
describe('services that can not start beside a real control plane', function () {
  this.timeout(120_000);
  const teardown = new Teardown();
  let plane: ControlPlane;
  let occupied: Server;
  let port = 0;

  before(async () => {
    plane = await ControlPlane.start(teardown);
    await applyShippedRoles(plane);
    occupied = createServer();
    await new Promise<void>((resolve) => occupied.listen(0, '127.0.0.1', resolve));
    teardown.add(async () => void occupied.close());
    const address = occupied.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  });
  after(() => teardown.run());

  /** How it ends with these arguments, and what it says that is not a line of its log. */
  async function ended(name: string, args: readonly string[]) {
    const program = plane.script(`${name}-${args.length}-${Date.now()}`, [builtMain(name), ...args]);
    plane.stoppedAtEnd(program).start();
    await until(
      { what: `${name} ${args.join(' ')} to end`, timeoutMs: 60_000 },
      async () => !program.isRunning,
    );
    const said = program.log.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
    return { code: await program.exited, said };
  }

  for (const { name, account, portFlag } of SERVICES) {
    it(`${name}: a flag that it has not`, async () => {
      const { code, said } = await ended(name, ['--no-such-flag']);
      expect(said).to.deep.equal([
        `${name}: --no-such-flag: unknown flag`,
        'Run with --help for all options.',
      ]);
      expect(code).to.equal(2);
    });

    it(`${name}: a kubeconfig that is missing, or is no YAML`, async () => {
      const missing = await ended(name, [`--kubeconfig=${plane.file('nowhere')}`]);
      expect(missing.said).to.have.length(1);
      expect(missing.said[0]).to.include(`kubeconfig ${plane.file('nowhere')} can't be read: ENOENT`);
      expect(missing.code).to.equal(1);
      await writeFile(plane.file('broken'), 'users: [{user: {token: S3cret');
      const broken = await ended(name, [`--kubeconfig=${plane.file('broken')}`]);
      expect(broken.said).to.have.length(1);
      expect(broken.said[0])
        .to.include(`kubeconfig ${plane.file('broken')}`)
        .and.not.include('S3cret');
      expect(broken.code).to.equal(1);
    });

    it(`${name}: a port that another program has`, async () => {
      const { kubeconfig } = await accountKubeconfig(plane, account);
      const args = [`--kubeconfig=${kubeconfig}`, '--bind-address=127.0.0.1', `${portFlag}=${port}`];
      const { code, said } = await ended(name, args);
      expect(said).to.have.length(1);
      expect(said[0]).to.match(new RegExp(`^${name}: .*port ${port}: another program listens there already`));
      expect(code).to.equal(1);
    });
  }
});
