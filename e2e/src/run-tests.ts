import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildBinaries } from './binaries/build-binaries.js';
import { KUBERNETES_MINORS } from './binaries/go-modules.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** `npm run test:e2e [-- --kubernetes 1.37] [mocha's arguments]`: builds what is missing, then runs the tests. */
async function main(): Promise<number> {
  const { values, tokens } = parseArgs({
    args: process.argv.slice(2),
    options: { kubernetes: { type: 'string', default: KUBERNETES_MINORS[0] ?? '' } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const minor = String(values.kubernetes);
  const own = new Set(
    tokens.flatMap((token) =>
      token.kind === 'option' && token.name === 'kubernetes'
        ? [token.index, ...(token.inlineValue === false ? [token.index + 1] : [])]
        : [],
    ),
  );
  const rest = process.argv.slice(2).filter((_, index) => !own.has(index));
  const say = (sentence: string): void => void process.stderr.write(`catamaran e2e: ${sentence}\n`);
  await buildBinaries({ minor, env: process.env, say });
  return await runMocha(rest, minor);
}

function runMocha(args: readonly string[], minor: string): Promise<number> {
  const child = spawn(
    process.execPath,
    [
      // Given here, mocha needs no child of its own, which would not hand on every signal.
      '--import=tsx',
      'node_modules/mocha/bin/mocha.js',
      '--config',
      'e2e/.mocharc.json',
      '--reporter',
      './e2e/mocha-reporter.cjs',
      ...args,
      ...(args.some((word) => word.endsWith('.test.ts')) ? [] : ['e2e/src/**/*.test.ts']),
    ],
    { cwd: ROOT, stdio: 'inherit', env: { ...process.env, CATAMARAN_E2E_KUBERNETES: minor } },
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`catamaran e2e: ${(error as Error).message}\n`);
  process.stdout.write('0 passed, 1 failed\n');
  process.exitCode = 1;
}
