// npm run release -- version X.Y.Z | notes | artefacts [FOLDER] | images REGISTRY
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from '../paths.mjs';
import {
  changelogText,
  chartText,
  kustomizationText,
  notesOf,
  packageText,
  VERSION,
} from './version-texts.mjs';

const PNPM = 'pnpm@12.4.2';
const IMAGES = ['load-watcher', 'scheduler'];
const USAGE = `usage: npm run release -- COMMAND
  version X.Y.Z        write it into packages, chart, manifests and changelog; commit and tag are yours
  notes                what the changelog says of the present version
  artefacts [FOLDER]   SBOMs of both images and the packed chart; by default into .cache/release/VERSION
  images REGISTRY      the commands that build and push both images for amd64 and arm64
`;

const commands = {
  version: writeVersion,
  notes: printNotes,
  artefacts: writeArtefacts,
  images: printImageCommands,
};
const [name, argument] = process.argv.slice(2);
try {
  if (!Object.hasOwn(commands, name ?? '')) {
    process.stderr.write(USAGE);
    process.exitCode = 2;
  } else {
    commands[name](argument);
  }
} catch (error) {
  process.stderr.write(`release: ${error.message}\n`);
  process.exitCode = 1;
}

function writeVersion(version = '') {
  if (!VERSION.test(version)) {
    throw new Error(`"${version}" is no version: X.Y.Z, perhaps with -rc.1`);
  }
  const day = new Date().toISOString().slice(0, 10);
  const folders = [
    '.',
    'bench',
    'e2e',
    ...readdirSync(join(ROOT, 'packages')).map((folder) => `packages/${folder}`),
  ];
  // The changelog first: it is what can refuse.
  rewrite('CHANGELOG.md', (text) => changelogText(text, version, day));
  for (const folder of folders) {
    rewrite(`${folder}/package.json`, (text) => packageText(text, version));
  }
  rewrite('k8s/chart/Chart.yaml', (text) => chartText(text, version));
  rewrite('k8s/base/kustomization.yaml', (text) => kustomizationText(text, version));
}

function printNotes() {
  process.stdout.write(notesOf(read('CHANGELOG.md'), presentVersion()));
}

function writeArtefacts(folder = join('.cache', 'release', presentVersion())) {
  const into = resolve(ROOT, folder);
  mkdirSync(into, { recursive: true });
  for (const image of IMAGES) {
    const file = join(into, `${image}.cdx.json`);
    const filter = ['--filter-prod', `@catamaran/${image}`];
    run('npx', [
      '--yes',
      PNPM,
      ...filter,
      'sbom',
      '--sbom-format',
      'cyclonedx',
      '--sbom-type',
      'application',
      '--prod',
      '--lockfile-only',
      '--out',
      file,
    ]);
    process.stdout.write(`${file}\n`);
  }
  const chart = join(into, `catamaran-${presentVersion()}.tgz`);
  // As `helm package` does, but the same bytes each time.
  const reproducible = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0'];
  run('tar', [...reproducible, '--transform=s,^chart,catamaran,', '-C', 'k8s', '-czf', chart, 'chart']);
  process.stdout.write(`${chart}\n`);
}

function printImageCommands(registry) {
  if (registry === undefined) {
    throw new Error('name the registry and folder: registry.example/team');
  }
  for (const image of IMAGES) {
    const tag = `${registry}/catamaran-${image}:${presentVersion()}`;
    const labels = `--build-arg VERSION=${presentVersion()} --build-arg REVISION="$(git rev-parse HEAD)" --build-arg CREATED="$(date -u +%FT%TZ)"`;
    process.stdout.write(
      `docker buildx build --file docker/${image}.Dockerfile --platform linux/amd64,linux/arm64 ${labels} --tag ${tag} --push .\n`,
    );
  }
}

function presentVersion() {
  return JSON.parse(read('package.json')).version;
}

function read(file) {
  return readFileSync(join(ROOT, file), 'utf8');
}

function rewrite(file, change) {
  const text = read(file);
  writeFileSync(join(ROOT, file), change(text));
  process.stdout.write(`${file}\n`);
}

function run(command, args) {
  execFileSync(command, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
}
