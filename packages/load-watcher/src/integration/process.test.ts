import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FakePrometheus, onFirstListener } from '@catamaran/testkit';
import { expect } from 'chai';
import { eventually, freePort, RunningProgram, startLoadWatcherProcess } from './running-program.test.js';

const LOCAL = ['--bind-address', '127.0.0.1'];

describe('load-watcher as a process', function () {
  this.timeout(30_000);
  const running: RunningProgram[] = [];
  const start = (args: readonly string[], env: Record<string, string> = {}): RunningProgram => {
    const program = startLoadWatcherProcess([...LOCAL, ...args], env);
    running.push(program);
    return program;
  };
  afterEach(async () => {
    await Promise.all(running.splice(0).map((program) => program.stop('SIGKILL')));
  });
  const prometheus = (address: string): Record<string, string> => ({
    METRICS_PROVIDER_NAME: 'Prometheus',
    METRICS_PROVIDER_ADDRESS: address,
  });

  it('listens before its source answers, serves when it does, and ends with 0 within 5 s of SIGTERM (D13, D16)', async () => {
    const source = await FakePrometheus.start();
    source.reply = () => 'hang';
    const port = await freePort();
    const program = start(
      ['--port', `${port}`, '--query-timeout', '500ms', '--refresh-interval', '1s'],
      prometheus(source.url.href),
    );
    const status = async (path: string): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    await program.printed(/"listening"/);
    expect([await status('/watcher'), await status('/readyz'), await status('/livez')]).to.deep.equal([
      500, 503, 200,
    ]);
    source.reply = () => [{ labels: { node: 'n1' }, value: '0.5' }];
    await eventually(async () => ((await status('/watcher')) === 200 ? true : undefined));
    expect(await status('/readyz')).to.equal(200);
    // A process that takes longer than its time ends itself with another code.
    expect(await program.stop('SIGTERM')).to.equal(0);
    await source.close();
  });

  const main = new URL('../../dist/main.js', import.meta.url).pathname;
  it('a SIGTERM that is heard before anything is loaded ends it with 0 and without a word', async () => {
    const argv = ['--import', onFirstListener('process.emit(name)'), main, ...LOCAL, '--port=0'];
    const program = new RunningProgram(process.execPath, argv);
    running.push(program);
    expect([await program.ended, program.output]).to.deep.equal([0, '']);
  });

  it('a SIGTERM while the program loads ends it with 0', async () => {
    // Heard at once or when all is loaded: the program could run, and ends well.
    const preload = onFirstListener('process.kill(process.pid, name)');
    const program = new RunningProgram(process.execPath, ['--import', preload, main, ...LOCAL, '--port=0'], {
      ...process.env,
      ...prometheus('http://127.0.0.1:9'),
    });
    running.push(program);
    expect(await program.ended, program.output).to.equal(0);
  });

  it('stays up when the name of its source does not resolve, and says so once (C08)', async () => {
    const port = await freePort();
    const program = start(
      ['--port', `${port}`, '--refresh-interval', '1s'],
      prometheus('http://prom.absent.invalid:9090'),
    );
    await program.printed(/refresh failed/);
    expect((await fetch(`http://127.0.0.1:${port}/watcher`)).status).to.equal(500);
    expect((await fetch(`http://127.0.0.1:${port}/watcher/health`)).status).to.equal(503);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(program.output.match(/refresh failed/g)).to.have.length(1);
    expect(await program.stop()).to.equal(0);
  });

  it('a taken port is one message and a non-zero exit (D17)', async () => {
    const taken: Server = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const program = start(['--port', `${port}`], prometheus('http://127.0.0.1:1'));
    expect(await program.ended).to.equal(1);
    expect(program.output).to.match(new RegExp(`^load-watcher: .*${port}.*$`, 'm'));
    await new Promise((resolve) => taken.close(resolve));
  });

  it('wrong usage is one message with all problems and exit 2', async () => {
    const program = start(['--prot=1'], { METRICS_PROVIDER_NAME: 'Promtheus' });
    expect(await program.ended).to.equal(2);
    expect(program.output).to.contain('2 problems').and.contain('--port').and.contain('Prometheus');
  });

  it('--help prints every option and ends with 0', async () => {
    const program = start(['--help']);
    expect(await program.ended).to.equal(0);
    for (const flag of [
      '--port',
      '--bind-address',
      '--metrics-provider-name',
      '--prometheus-cpu-query',
      '--max-age',
    ]) {
      expect(program.output).to.contain(flag);
    }
  });

  it('without a cluster the Metrics Server is refused at start, with the remedy', async () => {
    const program = start([], { HOME: '/nonexistent' });
    expect(await program.ended).to.equal(1);
    expect(program.output).to.match(
      /^load-watcher: no cluster: .*--kubeconfig.*Metrics Server, the default, .*METRICS_PROVIDER_NAME=Prometheus/m,
    );
    for (const named of [
      ['--kubeconfig=/nonexistent'],
      ['--metrics-provider-name=Prometheus', '--node-names=cluster'],
    ]) {
      const other = start(named, { HOME: '/nonexistent' });
      expect(await other.ended).to.equal(1);
      expect(other.output)
        .to.match(/^load-watcher: .*kubeconfig/m)
        .and.not.contain('the default');
    }
  });

  it('a token that is about to expire gives a warning at start (C56)', async () => {
    const claims = Buffer.from(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 60 })).toString(
      'base64url',
    );
    const program = start(['--port', '0'], {
      ...prometheus('http://127.0.0.1:1'),
      METRICS_PROVIDER_TOKEN: `eyJhbGciOi.${claims}.c2ln`,
    });
    await program.printed(/"warn".*--metrics-provider-token expires at 20.*Z and is not renewed/);
    expect(program.output).to.not.contain(claims);
  });

  it('never shows secrets in its log', async () => {
    const token = ['--metrics-provider-token', 'sesame'];
    const program = start(['--port', '0', ...token], prometheus('http://me:hunter2@127.0.0.1:1'));
    await program.printed(/refresh failed/);
    expect(program.output).to.not.contain('hunter2').and.not.contain('sesame');
  });
});
