import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { standInBase } from './base-image.js';
import { Buildah } from './buildah.js';
import { obstacleToImages } from './requirements.js';
import { runCommand } from './run-command.js';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const IMAGE_NAMES = ['load-watcher', 'scheduler'] as const;
export type ImageName = (typeof IMAGE_NAMES)[number];

/** The part of an image's configuration that a container runtime acts on. */
export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd?: readonly string[];
  readonly WorkingDir: string;
  readonly Labels: Readonly<Record<string, string>>;
}

export interface BuiltImage {
  readonly name: ImageName;
  /** Folder with the image's files. */
  readonly rootfs: string;
  readonly config: ImageConfig;
  /** Bytes that it adds to its base. */
  readonly addedBytes: number;
}

export interface BuildImagesOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (sentence: string) => void;
}

const KEPT_UNUSED_MS = 24 * 3600 * 1000;
const INPUTS = [
  'packages',
  'docker',
  'package.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'tsconfig.base.json',
  '.dockerignore',
  'e2e/src/images',
];

/**
 * The images as the Dockerfiles describe them, on a stand-in for their base; from the user's cache folder when nothing
 * they are made of has changed.
 * @throws Error that says what the machine lacks, or what buildah said.
 */
export async function buildImages(
  options: BuildImagesOptions,
): Promise<Readonly<Record<ImageName, BuiltImage>>> {
  const obstacle = obstacleToImages(options.env);
  if (obstacle !== undefined) throw new Error(obstacle);
  const cache = join(options.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'catamaran', 'images');
  const folder = join(cache, `images-${await fingerprint()}`);
  if (!existsSync(folder)) await buildInto(folder, options.say);
  await utimes(folder, new Date(), new Date());
  await forgetUnused(cache, folder);
  const [loadWatcher, scheduler] = await Promise.all(IMAGE_NAMES.map((name) => readImage(folder, name)));
  if (loadWatcher === undefined || scheduler === undefined)
    throw new Error(`${folder} is not whole: delete it`);
  return { 'load-watcher': loadWatcher, scheduler };
}

async function readImage(folder: string, name: ImageName): Promise<BuiltImage> {
  const about = JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8')) as Omit<
    BuiltImage,
    'rootfs'
  >;
  return { ...about, rootfs: join(folder, name) };
}

/** Changes with the content of everything that goes into an image. */
async function fingerprint(): Promise<string> {
  const listed = await runCommand('git', ['ls-files', '-z', '-co', '--exclude-standard', '--', ...INPUTS], {
    cwd: ROOT,
  });
  const hash = createHash('sha256');
  for (const file of listed
    .split('\0')
    .filter((path) => path !== '' && !path.endsWith('.test.ts'))
    .sort()) {
    const content = await readFile(join(ROOT, file)).catch(() => 'deleted');
    hash.update(`${file}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Builds beside the folder and renames, so that an interrupted build leaves nothing that looks whole. */
async function buildInto(folder: string, say: BuildImagesOptions['say']): Promise<void> {
  const startedMs = Date.now();
  await mkdir(dirname(folder), { recursive: true });
  const base = await standInBase(dirname(folder), say);
  const half = await mkdtemp(`${folder}.building-`);
  const buildah = new Buildah(join(half, 'storage'));
  try {
    say('building the images with buildah …');
    await buildah.importBase(base);
    for (const name of IMAGE_NAMES) await exportImage(buildah, half, name);
    await buildah.close();
    await rename(half, folder).catch((error: unknown) => {
      // Another run was faster.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(half, { recursive: true, force: true });
  }
  say(`built the images in ${Math.round((Date.now() - startedMs) / 1000)} s`);
}

async function exportImage(buildah: Buildah, into: string, name: ImageName): Promise<void> {
  await buildah.build(name, ROOT);
  const rootfs = join(into, name);
  await buildah.exportFiles(name, rootfs);
  const addedBytes = (await sizeOf(rootfs)) - buildah.baseBytes;
  const about = { name, config: await buildah.config(name), addedBytes };
  await writeFile(join(into, `${name}.json`), JSON.stringify(about, undefined, 2));
}

/** Bytes of the files below a folder, as `du` counts them. */
async function sizeOf(folder: string): Promise<number> {
  const [size = ''] = (await runCommand('du', ['--summarize', '--block-size=1', folder])).split('\t');
  return Number(size);
}

async function forgetUnused(cache: string, present: string): Promise<void> {
  for (const entry of await readdir(cache)) {
    const path = join(cache, entry);
    const isOld = entry.startsWith('images-') && entry !== basename(present);
    if (isOld && Date.now() - (await stat(path)).mtimeMs > KEPT_UNUSED_MS) {
      await rm(path, { recursive: true, force: true });
    }
  }
}
