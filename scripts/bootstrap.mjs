import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from './child.mjs';
import { withLock } from './lock.mjs';
import { ROOT } from './paths.mjs';

const PNPM = 'pnpm@12.4.2';
/** Inside node_modules, so that whoever deletes that folder gets a fresh install. */
const STAMP = join(ROOT, 'node_modules', '.catamaran-install');
const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

/**
 * Installs dependencies when what decides them has changed since the last install, and compiles what has changed.
 * Says so on stderr only; ends the process when either fails. Two runs at a time wait for each other.
 */
export async function makeReady({ build }) {
  const wanted = installFingerprint();
  if (!build && isInstalled(wanted)) {
    return;
  }
  await withLock(join(ROOT, '.cache', 'bootstrap.lock'), async () => {
    if (!isInstalled(wanted)) {
      await install(wanted);
    }
    if (build) {
      await compile();
    }
  });
}

async function install(fingerprint) {
  say('installing dependencies (about 15 s the first time) …');
  const started = Date.now();
  rmSync(STAMP, { force: true });
  // The project's .npmrc silences npm's banner; here its complaints are wanted.
  const env = { ...process.env, npm_config_loglevel: 'error', npm_config_update_notifier: 'false' };
  // What an npx around us was asked to run.
  delete env.npm_config_call;
  delete env.npm_config_package;
  const code = await runQuietly('npx', ['--yes', PNPM, 'install', '--frozen-lockfile'], env);
  if (code !== 0) {
    fail(`installing dependencies failed (npx ${PNPM} install --frozen-lockfile, exit ${code}); see above.`);
  }
  mkdirSync(join(ROOT, 'node_modules'), { recursive: true });
  writeFileSync(STAMP, fingerprint);
  say(`dependencies installed in ${seconds(started)} s`);
}

async function compile() {
  const fresh = !existsSync(join(ROOT, 'packages', 'model', 'dist'));
  const started = Date.now();
  if (fresh) {
    say('compiling …');
  }
  // Incremental: 0.2 s when nothing has changed.
  const code = await runQuietly(process.execPath, [TSC, '-b', 'tsconfig.build.json']);
  if (code !== 0) {
    fail('the code does not compile; see above.');
  }
  if (fresh) {
    say(`compiled in ${seconds(started)} s`);
  }
}

function isInstalled(fingerprint) {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint;
}

/** Changes with the lockfile, the workspace file, any package.json, and the major version of Node.js. */
function installFingerprint() {
  const folders = readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`);
  const files = [
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    ...['.', ...folders.sort(), 'bench', 'e2e'].map((folder) => `${folder}/package.json`),
  ];
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  for (const file of files.filter((path) => existsSync(join(ROOT, path)))) {
    hash.update(`\0${file}\0`).update(readFileSync(join(ROOT, file)));
  }
  return hash.digest('hex');
}

function seconds(startedMs) {
  return ((Date.now() - startedMs) / 1000).toFixed(1);
}

function say(text) {
  process.stderr.write(`catamaran: ${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
