// Every property test draws from one seed, so that a run says the same today and tomorrow, here and in CI.
// `PROPERTY_SEED=random` draws afresh, to look for what this seed does not find; a number repeats such a run.
import { createRequire } from 'node:module';
import imported from 'fast-check';

const FIXED = 20_251_130;
const asked = process.env.PROPERTY_SEED ?? String(FIXED);
const seed = asked === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(asked);
if (!Number.isSafeInteger(seed)) {
  throw new Error(`PROPERTY_SEED: "${asked}" is neither a whole number nor "random"`);
}
if (seed !== FIXED) process.stderr.write(`property tests: seed ${seed}\n`);
// fast-check ships twice, with settings of its own each; which one a test gets is up to the loader.
const required = createRequire(import.meta.url)('fast-check');
for (const fc of [imported, required.default ?? required]) {
  fc.configureGlobal({ seed });
}
