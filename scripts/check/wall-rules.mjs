import { posix } from 'node:path';

const SCOPE = '@catamaran/';

/** Package → what it may import, by specifier without the scope. */
const ALLOWED = {
  model: [],
  platform: ['model'],
  'load-watcher': ['model', 'platform'],
  simulator: ['model', 'platform'],
  scheduler: ['model', 'platform', 'load-watcher', 'load-watcher/client'],
  cli: ['model', 'platform', 'load-watcher', 'load-watcher/client', 'simulator', 'scheduler'],
  bench: ['model', 'platform', 'load-watcher', 'load-watcher/client', 'simulator', 'scheduler', 'cli'],
  testkit: ['model', 'platform'],
};
/** Packages whose types testkit may name. */
const TYPES_FOR_TESTKIT = ['load-watcher', 'load-watcher/client', 'scheduler', 'simulator'];
/** Pure throughout: no Node.js, no libraries. */
const PURE_PACKAGES = ['model'];

/** The walls that one file breaks. `file` is a path from the root, such as `packages/model/src/index.ts`. */
export function wallProblems(file, imports) {
  const [, folder, source] = /^((?:packages\/[^/]+|bench)\/src)\/(.+)$/.exec(file) ?? [];
  const name = folder.split('/').at(-2);
  const place = {
    file,
    folder,
    name,
    isTest: /\.test\.m?ts$/.test(file),
    isPure: PURE_PACKAGES.includes(name) || source.startsWith('core/'),
    isCore: source.startsWith('core/'),
  };
  return imports.flatMap((imported) => {
    const problem = importProblem(place, imported);
    return problem === undefined ? [] : [`${file}:${imported.line}: ${problem}`];
  });
}

function importProblem(place, { specifier, typeOnly }) {
  if (specifier.startsWith('.')) {
    return relativeProblem(place, specifier);
  }
  if (specifier.startsWith(SCOPE)) {
    return packageProblem(place, specifier.slice(SCOPE.length), typeOnly);
  }
  if (place.isPure && !place.isTest) {
    return `pure code imports ${specifier}; it takes values and returns values`;
  }
  return undefined;
}

function relativeProblem({ file, folder, isTest, isCore }, specifier) {
  const target = posix.join(posix.dirname(file), specifier);
  if (!target.startsWith(`${folder}/`)) {
    return `${specifier} leaves the package; import it by its name`;
  }
  if (isTest) {
    return undefined;
  }
  if (/\.test\.m?[jt]s$/.test(target)) {
    return `${specifier} is a test; tests are never imported`;
  }
  if (isCore && !target.startsWith(`${folder}/core/`)) {
    return `core imports ${specifier} of the shell`;
  }
  return undefined;
}

function packageProblem({ name, isTest, isPure, isCore }, wanted, typeOnly) {
  const allowed = ALLOWED[name] ?? [];
  if (wanted === 'testkit') {
    return isTest ? undefined : `${SCOPE}testkit is for tests only`;
  }
  if (wanted === name) {
    return `the package imports itself by name; use a relative path`;
  }
  if (name === 'testkit' && TYPES_FOR_TESTKIT.includes(wanted)) {
    return typeOnly ? undefined : `testkit may only name the types of ${SCOPE}${wanted}: write import type`;
  }
  if (isCore && isPure && !isTest && wanted !== 'model') {
    return `core imports ${SCOPE}${wanted}; it may import ${SCOPE}model only`;
  }
  if (allowed.includes(wanted)) {
    return undefined;
  }
  const parent = wanted.split('/')[0];
  return wanted.includes('/') && allowed.includes(parent)
    ? `${SCOPE}${wanted} is inside another package; import what ${SCOPE}${parent} exports`
    : `${name} may not import ${SCOPE}${wanted}; it may import ${allowed.join(', ') || 'nothing'}`;
}
