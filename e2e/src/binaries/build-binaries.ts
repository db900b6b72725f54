import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GoModule, goModules } from './go-modules.js';
import { requireGo } from './go-toolchain.js';

const MODULES = fileURLToPath(new URL('../../binaries/', import.meta.url));

/** Program name → path of the executable. */
export type Binaries = Readonly<Record<string, string>>;

export interface BuildOptions {
  /** Kubernetes minor, such as `1.37`. */
  readonly minor: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (sentence: string) => void;
}

/**
 * The programs of a control plane, from the user's cache folder; what is missing there is built first.
 * @throws Error when a build is needed and Go is missing or too old, or when it fails.
 */
export async function buildBinaries(options: BuildOptions): Promise<Binaries> {
  const cache = join(options.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'catamaran', 'e2e');
  const paths: Record<string, string> = {};
  for (const module of goModules(options.minor)) {
    const folder = join(cache, await cacheKey(module));
    if (!existsSync(folder)) await buildInto(folder, module, options);
    for (const program of Object.keys(module.programs)) paths[program] = join(folder, program);
  }
  return paths;
}

/** Changes with the version, the locked dependencies and how we build. */
async function cacheKey(module: GoModule): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(module));
  for (const file of ['go.mod', 'go.sum']) hash.update(await readFile(join(MODULES, module.folder, file)));
  return `${module.folder}-${module.version}-${hash.digest('hex').slice(0, 12)}`;
}

/** Builds beside the folder and renames, so that an interrupted build leaves nothing that looks whole. */
async function buildInto(folder: string, module: GoModule, { env, say }: BuildOptions): Promise<void> {
  const what = Object.keys(module.programs).join(', ');
  await requireGo(env);
  say(`building ${what} ${module.version} from source (from nothing: ${module.coldBuild}) …`);
  const startedMs = Date.now();
  await mkdir(join(folder, '..'), { recursive: true });
  const half = await mkdtemp(`${folder}.building-`);
  try {
    await goBuild(module, half, say);
    await rename(half, folder).catch((error: unknown) => {
      // Another run was faster.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(half, { recursive: true, force: true });
  }
  say(`built ${what} in ${Math.round((Date.now() - startedMs) / 1000)} s`);
}

const PROGRESS_EVERY_MS = 30_000;

async function goBuild(module: GoModule, into: string, say: BuildOptions['say']): Promise<void> {
  const linked = Object.entries(module.linkedIn).map(([name, value]) => `-X ${name}=${value}`);
  const flags = ['-trimpath', '-buildvcs=false', '-ldflags', ['-s', '-w', ...linked].join(' ')];
  const startedMs = Date.now();
  const progress = setInterval(
    () => say(`… still building, ${Math.round((Date.now() - startedMs) / 1000)} s`),
    PROGRESS_EVERY_MS,
  );
  try {
    const names = Object.keys(module.programs);
    // Several at once are built in parallel and named by Go, after the last part of their paths.
    const output = names.length === 1 ? join(into, names[0] ?? '') : `${into}/`;
    const packages = Object.values(module.programs);
    await run('go', ['build', ...flags, '-o', output, ...packages], join(MODULES, module.folder));
  } finally {
    clearInterval(progress);
  }
}

function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(' ')} in ${cwd} ended with ${code}; see above`));
    });
  });
}
