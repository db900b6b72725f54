import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from '../paths.mjs';

/** Licences that may go into an image; a new one is a decision, to be written down in docs/adr. */
const ALLOWED_LICENCES = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
];
const PNPM = 'pnpm@12.4.2';
const SHIPPED = ['load-watcher', 'scheduler'].flatMap((name) => ['--filter-prod', `@catamaran/${name}...`]);

/** What goes into the images, as a Markdown table. @throws Error that names what has a licence that is not allowed. */
export async function dependencyTable() {
  const packages = await shippedPackages();
  const refused = packages.filter(({ licence }) => !isAllowed(licence));
  if (refused.length > 0) {
    const list = refused.map(({ name, versions, licence }) => `${name} ${versions} (${licence})`).join(', ');
    throw new Error(`licences that are not on the list of scripts/reference/dependencies.mjs: ${list}`);
  }
  const rows = packages.map(({ name, versions, licence }) => `| \`${name}\` | ${versions} | ${licence} |`);
  return [
    'What goes into the images, by the lockfile. `npm run check` refuses a licence that is not allowed.',
    ['| package | versions | licence |', '| --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n');
}

/** Whether an SPDX expression can be met with allowed licences alone. */
export function isAllowed(expression) {
  const text = expression.replace(/^\((.*)\)$/, '$1');
  if (/ OR /.test(text) && !/[()]/.test(text)) {
    return text.split(' OR ').some(isAllowed);
  }
  return text.split(' AND ').every((licence) => ALLOWED_LICENCES.includes(licence));
}

async function shippedPackages() {
  const { stdout } = await promisify(execFile)(
    'npx',
    ['--yes', PNPM, ...SHIPPED, 'licenses', 'list', '--json', '--prod'],
    {
      cwd: ROOT,
      maxBuffer: 64 * 1024 * 1024,
      shell: process.platform === 'win32',
    },
  );
  const byLicence = JSON.parse(stdout.slice(stdout.indexOf('{')));
  return Object.entries(byLicence)
    .flatMap(([licence, packages]) =>
      packages.map(({ name, versions }) => ({
        name,
        licence,
        versions: [...versions].sort((a, b) => (a < b ? -1 : 1)).join(', '),
      })),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
