import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { builtMain, ObservedProcess } from './observed-process.js';

async function itemCount(url: string | undefined): Promise<number> {
  const response = await fetch(url ?? '');
  return ((await response.json()) as { items: unknown[] }).items.length;
}

const SMALL = ['--nodes=6', '--pods=60'];

describe('catamaran demo, as a process', function () {
  this.timeout(60_000);
  const running = new Set<ObservedProcess>();
  const demo = (...argv: string[]): ObservedProcess => {
    const child = ObservedProcess.node([builtMain('cli'), 'demo', ...argv]);
    running.add(child);
    return child;
  };
  afterEach(async () => {
    await Promise.all([...running].map((child) => child.kill()));
    running.clear();
  });

  it('prints one JSON object, the same for the same seed, with everything else on stderr', async () => {
    const runs = ['--seed=3', '--seed=3', '--seed=4'].map((seed) =>
      demo('--exit', '--output=json', ...SMALL, seed),
    );
    const exits = await Promise.all(runs.map((run) => run.exited));
    expect(exits.map(({ code }) => code)).to.deep.equal([0, 0, 0]);
    const [first, again, other] = runs.map(({ stdout }) => stdout);
    expect(again).to.equal(first);
    expect(other).not.to.equal(first);
    const result = JSON.parse(first ?? '') as Record<string, unknown>;
    expect(Object.keys(result)).to.deep.equal([
      'pods',
      'bound',
      'nodes',
      'seed',
      'schedulers',
      'requestedCpuPercent',
      'simulatedMinutes',
      'metricRefreshes',
    ]);
    expect(result).to.include({ pods: 60, bound: 60, nodes: 6, seed: 3, simulatedMinutes: 150 });
    expect(result.metricRefreshes).to.be.at.least(3);
    for (const figures of Object.values(result.schedulers as Record<string, unknown>)) {
      expect(figures).to.have.all.keys('nodesUsed', 'meanUtilizationPercent', 'hotNodeMinutes');
    }
    expect(runs[0]?.stderr).to.match(/^Catamaran demo: the same 60 pods on the same 6 nodes/);
    expect(runs[0]?.stderr).not.to.contain('\u001b');
  });

  it('says at once what it is about to do and compares side by side at the end', async () => {
    const child = demo('--exit', ...SMALL);
    await child.waitFor(/^Catamaran demo: .*\n/);
    expect((await child.exited).code).to.equal(0);
    expect(child.stdout).to.match(/requests only\*\s+Catamaran\n/);
    expect(child.stdout).to.match(/^hot node-minutes \(demand > 80 %\)\s+\d+\s+\d+/m);
    expect(child.stdout).to.contain('re-implemented here');
    expect(child.stdout).not.to.contain('\u001b');
    expect(child.stderr).to.match(/^0:10:00 of 2:30:00 simulated: /m);
    expect(child.stderr).to.match(
      /^ {6}Catamaran {2}-> node-\d+: score \d+, \d+ % CPU predicted; next node-\d+ \(\d+\)$/m,
    );
  });

  it('stays up after the run, with time going on, until it is interrupted', async () => {
    const child = demo('--speed=5000', ...SMALL);
    const [, watcherUrl] = await child.waitFor(/ (http:\S+\/watcher)\n/);
    const [, decisionsUrl] = await child.waitFor(/Catamaran, explained +(http:\S+)\n/);
    const [, podsUrl] = await child.waitFor(/API of requests only +(http:\S+)\n/);
    expect(await itemCount(decisionsUrl)).to.be.above(0);
    expect(await itemCount(podsUrl)).to.equal(60);
    const windowEnd = async (): Promise<number> => {
      const response = await fetch(watcherUrl ?? '');
      return ((await response.json()) as { window: { end: number } }).window.end;
    };
    const before = await windowEnd();
    let after = before;
    while (after === before) after = await windowEnd();
    expect(after - before).to.be.at.least(60);
    const { code, tookMs } = await child.stop('SIGINT');
    expect(code).to.equal(0);
    expect(tookMs).to.be.below(5000);
  });

  it('ends in the middle of a run when it is told to', async () => {
    const child = demo('--speed=60', ...SMALL);
    await child.waitFor(/^Catamaran demo: /);
    await new Promise((resolve) => setImmediate(resolve));
    const { code, tookMs } = await child.stop('SIGTERM');
    expect({ code, stderr: child.stderr }).to.include({ code: 0 });
    expect(tookMs).to.be.below(5000);
  });

  describe('when a port is taken', () => {
    let squatter: Server;
    before((done) => {
      squatter = createServer();
      // Somebody else has it already: just as good.
      squatter.once('error', () => done()).listen(2020, '127.0.0.1', done);
    });
    after(() => void squatter.close());

    it('takes a free one and says so', async () => {
      const child = demo('--speed=1000000', '--nodes=1', '--pods=2');
      await child.waitFor(/port 2020 is taken, a free one is used instead\n/);
      const [, port] = await child.waitFor(/http:\/\/127\.0\.0\.1:(\d+)\/watcher/);
      expect(Number(port)).not.to.equal(2020);
    });
  });

  it('refuses wrong flags at once, by name, with exit code 2', async () => {
    const child = demo('--node=3', '--speed=0', '--shadow');
    expect((await child.exited).code).to.equal(2);
    expect(child.stderr).to.match(/--node: unknown flag; did you mean --nodes\?/);
    expect(child.stderr).to.match(/--speed: 0 is below the least allowed/);
    expect(child.stdout).to.equal('');
  });

  describe('with traces', () => {
    let folder: string;
    const put = (name: string, rows: readonly string[]): Promise<void> =>
      writeFile(join(folder, name), `${rows.join('\n')}\n`);
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'traces-'));
      await put('openb-nodes.csv', [
        'sn,cpu_milli,memory_mib,gpu,model',
        'a,32000,131072,0,',
        'b,64000,262144,2,T4',
        'c,96000,393216,8,G2',
      ]);
      await putPods([]);
      await put('vm-cpu-percent.csv', ['vm-1,10,20,30', 'vm-2,60,5,5']);
      await put('vm-memory-percent.csv', ['vm-1,10', 'vm-2,20', 'vm-3,30']);
    });
    afterEach(() => rm(folder, { recursive: true }));
    const putPods = (more: readonly string[]): Promise<void> =>
      put('openb-pods.csv', [
        'name,cpu_milli,memory_mib,num_gpu,gpu_milli,creation_time',
        ...Array.from({ length: 80 }, (_, i) => `p${i},4000,8192,${i % 4 === 0 ? 1 : 0},500,${i}`),
        ...more,
      ]);

    it('places all pods of a folder of its own over at least two hours of the curves', async () => {
      await putPods(['whole,60000,262144,8,1000,90']);
      const child = demo('--exit', '--output=json', '--traces', folder, '--pods=81');
      expect({ ...(await child.exited), stderr: child.stderr }).to.include({ code: 0 });
      const result = JSON.parse(child.stdout) as Record<string, number>;
      expect(result).to.include({ pods: 81, bound: 81 });
      expect(result.simulatedMinutes).to.be.at.least(120);
      expect(result.requestedCpuPercent).to.be.within(60, 66);
      expect(child.stderr).to.contain("The trace's pods use 22 % of the CPU they request on average");
    });

    it('names the pods that nobody could place, and why, with exit code 1', async () => {
      await putPods(['giant,500000,1024,0,0,0']);
      const child = demo('--exit', '--output=json', '--traces', folder, '--pods=20');
      expect((await child.exited).code).to.equal(1);
      expect(JSON.parse(child.stdout)).to.include({ pods: 20, bound: 19 });
      expect(child.stderr).to.match(
        /^not bound by requests: giant: 0\/\d+ nodes are available: .*Insufficient cpu/m,
      );
      expect(child.stderr).to.match(/^not bound by Catamaran: giant: /m);
    });

    it('points at a garbled cell and at a missing folder', async () => {
      await putPods(['odd,4000,lots,0,0,99']);
      const garbled = demo('--exit', '--traces', folder);
      expect((await garbled.exited).code).to.equal(1);
      expect(garbled.stderr).to.equal(
        `catamaran: ${folder}/openb-pods.csv line 82: memory_mib is "lots"; expected a whole number of at least 0\n`,
      );
      const missing = demo('--exit', '--traces', join(folder, 'nowhere'));
      expect((await missing.exited).code).to.equal(1);
      expect(missing.stderr).to.match(
        /nowhere\/openb-nodes\.csv: no such file; --traces takes the folder that holds/,
      );
    });
  });
});
