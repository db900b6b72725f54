import { type ChildProcess, spawn } from 'node:child_process';
import { expect } from 'chai';

// As built: a process that has to load a compiler first would make these tests five times as slow.
const RUN_MAIN = new URL('../../dist/process/run-main.js', import.meta.url).href;
const ERRORS = new URL('../../dist/process/operator-error.js', import.meta.url).href;

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program whose main function has this body, in a process of its own. */
class Program {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  #stdout = '';
  #stderr = '';

  constructor(mainBody: string, argv: readonly string[] = []) {
    const source = `
      import { runMain } from ${JSON.stringify(RUN_MAIN)};
      import { OperatorError, UsageError } from ${JSON.stringify(ERRORS)};
      await runMain('prog', async (ctx) => { ${mainBody} }, { stopTimeoutMs: 700 });`;
    this.#child = spawn(process.execPath, ['--input-type=module', '--eval', source, '--', 'prog', ...argv], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      this.#stdout += chunk.toString();
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr += chunk.toString();
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        resolve({ code, signal, stdout: this.#stdout, stderr: this.#stderr });
      });
    });
  }

  /** Waits until the program has printed this word. */
  async printed(word: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const look = (): void => void (this.#stdout.includes(word) && resolve());
      this.#child.stdout?.on('data', look);
      this.#child.once('close', () => reject(new Error(`ended early: ${this.#stderr}`)));
      look();
    });
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }
}

const STAY_OPEN = 'const timer = setInterval(() => {}, 1000); console.log("up");';

describe('runMain', function () {
  this.timeout(20_000);

  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    it(`${name} aborts the stop signal, closes and exits 0`, async () => {
      const program = new Program(`${STAY_OPEN}
        ctx.stop.addEventListener('abort', () => console.log('stop'));
        return { close: async () => { await null; clearInterval(timer); console.log('closed'); } };`);
      await program.printed('up');
      program.signal(name);
      const { code, stdout } = await program.ended;
      expect([code, stdout]).to.deep.equal([0, 'up\nstop\nclosed\n']);
    });
  }

  it('warnings of Node.js are lines of the log as all others', async () => {
    const program = new Program(`
      process.emitWarning('old way', 'DeprecationWarning', 'DEP0170');
      await new Promise((go) => setImmediate(go));
      return undefined;`);
    const { code, stderr } = await program.ended;
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(code).to.equal(0);
    expect(lines).to.have.length(1);
    expect(JSON.stringify(lines)).to.include('old way').and.include('DEP0170');
  });

  it('a close that hangs ends the process all the same, and the log says what is open', async () => {
    const program = new Program(`${STAY_OPEN} return { close: () => new Promise(() => {}) };`);
    await program.printed('up');
    program.signal('SIGTERM');
    const { code, stderr } = await program.ended;
    expect(code).to.equal(1);
    expect(stderr)
      .to.include('"stage":"close() has not finished"')
      .and.match(/"openHandles":\{.*"Timeout":/);
  });

  it('a close that hangs with nothing left to wait for exits non-zero too', async () => {
    const program = new Program(
      `${STAY_OPEN} return { close: () => new Promise(() => clearInterval(timer)) };`,
    );
    await program.printed('up');
    program.signal('SIGTERM');
    expect((await program.ended).code).to.equal(1);
  });

  it('a second signal exits at once', async () => {
    const program = new Program(`${STAY_OPEN}
      return { close: () => new Promise(() => setTimeout(() => console.log('hanging'), 300)) };`);
    await program.printed('up');
    program.signal('SIGTERM');
    await program.printed('hanging');
    program.signal('SIGINT');
    const { code, stderr } = await program.ended;
    expect(code).to.equal(1);
    expect(stderr).to.not.include('did not stop in time');
  });

  it('a signal that a launcher delivers twice is one', async () => {
    const program = new Program(`${STAY_OPEN}
      return { close: () => new Promise((resolve) => setTimeout(resolve, 100)) };`);
    await program.printed('up');
    program.signal('SIGTERM');
    program.signal('SIGINT');
    program.signal('SIGTERM');
    expect((await program.ended).code).to.equal(0);
  });

  it('work that gives up when stopped is no failure, and close still has its time', async () => {
    for (const start of [
      STAY_OPEN,
      `${STAY_OPEN} await new Promise((go) => ctx.stop.addEventListener('abort', go));`,
    ]) {
      const program = new Program(`${start}
        const finished = new Promise((_, reject) => ctx.stop.aborted
          ? reject(ctx.stop.reason) : ctx.stop.addEventListener('abort', () => reject(ctx.stop.reason)));
        return { finished, close: async () => {
          await new Promise((resolve) => setTimeout(resolve, 100));
          console.log('closed');
          clearInterval(timer);
        } };`);
      await program.printed('up');
      program.signal('SIGTERM');
      const { code, stdout } = await program.ended;
      expect({ code, closed: stdout.includes('closed') }).to.deep.equal({ code: 0, closed: true });
    }
  });

  it('a signal while starting stops a start that listens to it', async () => {
    const program = new Program(`${STAY_OPEN}
      await new Promise((_, reject) => ctx.stop.addEventListener('abort', () => reject(ctx.stop.reason)));`);
    await program.printed('up');
    program.signal('SIGTERM');
    expect((await program.ended).code).to.equal(0);
  });

  it('a start that a signal makes fail is no failure, but logged', async () => {
    const program = new Program(`${STAY_OPEN}
      await new Promise((_, reject) => ctx.stop.addEventListener('abort', () => reject(new Error('half open'))));`);
    await program.printed('up');
    program.signal('SIGTERM');
    const { code, stderr } = await program.ended;
    expect(code).to.equal(0);
    expect(stderr)
      .to.match(/"msg":"start cut short"/)
      .and.include('half open');
  });

  it('work that ends by itself but hangs in close is given up too', async () => {
    const program = new Program(
      `return { finished: Promise.resolve(0), close: () => new Promise(() => {}) };`,
    );
    const { code, stderr } = await program.ended;
    expect(code).to.equal(1);
    expect(stderr).to.include('close() has not finished');
  });

  it('a start that does not listen is given up, and named', async () => {
    const program = new Program(`${STAY_OPEN} await new Promise(() => {});`);
    await program.printed('up');
    program.signal('SIGTERM');
    const { code, stderr } = await program.ended;
    expect(code).to.equal(1);
    expect(stderr).to.include('"stage":"still starting"');
  });

  const endings: [why: string, body: string, code: number, stderr: string | RegExp][] = [
    [
      'wrong usage is one message and 2',
      `throw new UsageError(['--prot: unknown flag']);`,
      2,
      /^prog: --prot: unknown flag\nRun with --help/,
    ],
    [
      'several problems are listed',
      `throw new UsageError(['--a: x', '--b: y']);`,
      2,
      /^prog: 2 problems:\n {2}--a: x\n {2}--b: y\n/,
    ],
    [
      'what the operator can mend is one line and 1',
      `throw new OperatorError('no file /x');`,
      1,
      'prog: no file /x\n',
    ],
    [
      'secrets in such a message are masked',
      `throw new OperatorError('http://u:pw@h/');`,
      1,
      'prog: http://***@h/\n',
    ],
    ['anything else is logged with its stack', `throw new TypeError('boom');`, 1, /"msg":"failed"\}\n$/],
    [
      'a stray rejection ends the process',
      `${STAY_OPEN} void Promise.reject(new Error('stray')); return { close: async () => {} };`,
      1,
      /"message":"stray"/,
    ],
    [
      'a stray exception ends the process',
      `setTimeout(() => { throw new Error('late'); }); return { close: async () => {} };`,
      1,
      /"message":"late"/,
    ],
    [
      'a close that fails exits 1',
      `return { finished: Promise.resolve(0), close: async () => { throw new Error('shut'); } };`,
      1,
      /"message":"shut"/,
    ],
    ['nothing to run exits 0', `console.log('help'); return undefined;`, 0, ''],
    [
      'work that ends by itself is closed and gives its code',
      `return { finished: Promise.resolve(3), close: async () => console.log('closed') };`,
      3,
      '',
    ],
  ];
  for (const [why, body, code, stderr] of endings) {
    it(why, async () => {
      const ended = await new Program(body).ended;
      expect(ended.code).to.equal(code);
      if (typeof stderr === 'string') {
        expect(ended.stderr).to.equal(stderr);
      } else {
        expect(ended.stderr).to.match(stderr);
      }
    });
  }

  it('hands over arguments and environment', async () => {
    const program = new Program('console.log(ctx.argv.join(), ctx.env.PATH !== undefined);', ['--a', 'b']);
    expect((await program.ended).stdout).to.equal('--a,b true\n');
  });
});
