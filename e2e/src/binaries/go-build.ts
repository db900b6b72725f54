import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pause } from '../process/until.js';
import type { GoModule } from './go-modules.js';

export interface GoBuildOptions {
  readonly module: GoModule;
  /** Folder with go.mod and go.sum. */
  readonly sources: string;
  /** Folder for the executables. */
  readonly into: string;
  readonly say: (sentence: string) => void;
}

const PROGRESS_EVERY_MS = 20_000;
/** Before each further attempt to download: module proxies have bad minutes. */
const BACK_OFF_MS = [5000, 15_000, 45_000, 90_000];

/** Downloads what the programs need, again when that fails, then compiles. @throws Error with what was run. */
export async function goBuild({ module, sources, into, say }: GoBuildOptions): Promise<void> {
  const startedMs = Date.now();
  const seconds = (): number => Math.round((Date.now() - startedMs) / 1000);
  let phase = 'downloading';
  const progress = setInterval(() => say(`… still ${phase}, ${seconds()} s`), PROGRESS_EVERY_MS);
  const packages = Object.values(module.programs);
  try {
    await withBackOff(say, () => run(['list', '-deps', ...packages], sources));
    phase = 'compiling';
    say(`… sources are here after ${seconds()} s; compiling`);
    await run(['build', ...buildFlags(module), '-o', outputOf(module, into), ...packages], sources);
  } finally {
    clearInterval(progress);
  }
}

async function withBackOff(say: GoBuildOptions['say'], work: () => Promise<void>): Promise<void> {
  for (const delayMs of BACK_OFF_MS) {
    const failure = await work().then(
      () => undefined,
      (error: Error) => error,
    );
    if (failure === undefined) return;
    say(`${failure.message}; trying again in ${delayMs / 1000} s`);
    await pause(delayMs);
  }
  await work();
}

/** Nobody debugs these programs, and debug information is an eighth of the time that a build takes. */
export function buildFlags(module: GoModule): readonly string[] {
  const linked = Object.entries(module.linkedIn).map(([name, value]) => `-X ${name}=${value}`);
  return [
    '-trimpath',
    '-buildvcs=false',
    '-gcflags=all=-dwarf=false',
    '-ldflags',
    ['-s', '-w', ...linked].join(' '),
  ];
}

/** Several at once are built in parallel and named by Go, after the last part of their paths. */
function outputOf({ programs }: GoModule, into: string): string {
  const names = Object.keys(programs);
  return names.length === 1 ? join(into, names[0] ?? '') : `${into}/`;
}

const GO = 'go';
/** No C compiler takes part, and the compiler collects garbage less often. */
const ENV = { CGO_ENABLED: '0', GOGC: '400' };

function run(args: readonly string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(GO, args, {
      cwd,
      env: { ...process.env, ...ENV },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`go ${args.join(' ')} in ${cwd} ended with ${code}; see above`));
    });
  });
}
