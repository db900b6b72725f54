const BIOME = 'node_modules/@biomejs/biome/bin/biome';
const OXLINT = 'node_modules/oxlint/bin/oxlint';
const TSC = 'node_modules/typescript/bin/tsc';
const KNIP = 'node_modules/knip/bin/knip.js';

const PRIVATE_PACKAGES = ['scheduler', 'simulator', 'cli', 'testkit'].flatMap((name) => [
  '--workspace',
  `packages/${name}`,
]);

const FIX = 'npm run fix, then by hand what is left';

/** The parts of `npm run check`. `tools` are Node.js scripts with arguments; all of a step run. */
export const STEPS = [
  { name: 'format and lint', tools: [[BIOME, 'check', '--error-on-warnings']], mend: FIX },
  {
    name: 'types',
    // The root project is the tests; it builds the packages first.
    tools: [[TSC, '-b']],
    mend: 'by hand; npm run build shows the same errors of all but the tests',
  },
  { name: 'lint with types', tools: [[OXLINT, '--type-aware', '--deny-warnings']], mend: FIX },
  {
    name: 'import walls',
    tools: [['scripts/check/walls.mjs']],
    mend: 'move the code to where it may be used; ARCHITECTURE.md has the rules',
  },
  {
    name: 'dead code',
    tools: [
      [KNIP, '--no-progress', '--treat-config-hints-as-errors'],
      // Nobody outside uses these packages: what their roots export counts as used only if another package uses it.
      [KNIP, '--no-progress', '--include', 'exports', '--include-entry-exports', ...PRIVATE_PACKAGES],
    ],
    mend: 'delete what nobody uses',
  },
  {
    name: 'docs in step with code',
    tools: [
      ['scripts/reference/write.mjs', '--check'],
      ['scripts/manifests/write.mjs', '--check'],
      ['scripts/check/docs.mjs'],
    ],
    mend: 'npm run fix writes docs/reference and what in k8s/ is made from something else; mend links and commands by hand',
  },
];

/** The parts of `npm run fix`. */
export const FIXES = [
  [BIOME, 'check', '--write'],
  [OXLINT, '--type-aware', '--fix'],
  [TSC, '-b', 'tsconfig.build.json'],
  ['scripts/reference/write.mjs'],
  ['scripts/manifests/write.mjs'],
];
