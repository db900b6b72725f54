import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from './run-command.js';

/** Where a machine keeps the authorities it trusts; some have more than the public ones. */
const TRUST = '/etc/ssl/certs/ca-certificates.crt';
const NODE = { name: `node-linux-${process.arch}`, version: '24.21.0' };
const NPM = 'npm@11.19.1';
const DEBIAN_RELEASE = 'bookworm';
const PACKAGES = [
  'base-files',
  'base-passwd',
  'libc6',
  'libstdc++6',
  'libgcc-s1',
  'dash',
  'coreutils',
  'findutils',
  'sed',
  'grep',
];

/**
 * A root filesystem of Debian packages with Node.js 24 and npm, as a tar in `cache`: it stands in for the image that the
 * Dockerfiles name as their base, where no registry can be asked.
 */
export async function standInBase(cache: string, say: (sentence: string) => void): Promise<string> {
  const recipe = JSON.stringify([NODE, NPM, DEBIAN_RELEASE, PACKAGES]);
  const key = createHash('sha256').update(recipe).digest('hex').slice(0, 12);
  const tar = join(cache, `base-${key}.tar`);
  if (existsSync(tar)) return tar;
  say('making a base of Debian packages and Node.js 24 …');
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'base-building-'));
  try {
    const root = join(work, 'root');
    await debianRoot(root);
    await addNode(root, join(work, 'npm'));
    await runCommand('tar', [
      '--directory',
      root,
      '--exclude=./dev/*',
      '--create',
      '--file',
      join(work, 'tar'),
      '.',
    ]);
    await rename(join(work, 'tar'), tar);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return tar;
}

/** Packages are unpacked, not set up: nothing here needs their scripts, and that takes seconds. */
async function debianRoot(root: string): Promise<void> {
  const include = `--include=${PACKAGES.join(',')}`;
  await runCommand('mmdebstrap', ['--quiet', '--variant=extract', include, DEBIAN_RELEASE, root]);
}

async function addNode(root: string, prefix: string): Promise<void> {
  await runCommand('npm', [
    'install',
    '--global',
    '--ignore-scripts',
    '--prefix',
    prefix,
    `${NODE.name}@${NODE.version}`,
    NPM,
  ]);
  const modules = join(prefix, 'lib', 'node_modules');
  const binary = join(modules, NODE.name, 'bin', 'node');
  const local = join(root, 'usr', 'local');
  await mkdir(join(local, 'bin'), { recursive: true });
  await cp(binary, join(local, 'bin', 'node'));
  await cp(join(modules, 'npm'), join(local, 'lib', 'node_modules', 'npm'), { recursive: true });
  for (const name of ['npm', 'npx']) {
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name));
  }
  if (existsSync(TRUST)) {
    await mkdir(join(root, TRUST, '..'), { recursive: true });
    await cp(TRUST, join(root, TRUST), { dereference: true });
  }
}
