import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildFlags, goBuild } from './go-build.js';
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

/** Changes with the version, the locked dependencies, sources of our own and how we build. */
async function cacheKey(module: GoModule): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([module.programs, buildFlags(module)]));
  const sources = join(MODULES, module.folder);
  for (const file of (await readdir(sources)).sort()) hash.update(await readFile(join(sources, file)));
  return `${module.folder}-${module.version}-${hash.digest('hex').slice(0, 12)}`;
}

/** Builds beside the folder and renames, so that an interrupted build leaves nothing that looks whole. */
async function buildInto(folder: string, module: GoModule, { env, say }: BuildOptions): Promise<void> {
  const what = Object.keys(module.programs).join(', ');
  await requireGo(env, join(MODULES, module.folder));
  say(`building ${what} ${module.version} from source (from nothing: ${module.coldBuild}) …`);
  const startedMs = Date.now();
  await mkdir(join(folder, '..'), { recursive: true });
  const half = await mkdtemp(`${folder}.building-`);
  try {
    await goBuild({ module, sources: join(MODULES, module.folder), into: half, say });
    await rename(half, folder).catch((error: unknown) => {
      // Another run was faster.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(half, { recursive: true, force: true });
  }
  say(`built ${what} in ${Math.round((Date.now() - startedMs) / 1000)} s`);
}
