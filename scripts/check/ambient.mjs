import { codeOnly } from './imports.mjs';

/** What the surroundings give for nothing, and who hands it over instead. */
const AMBIENT = [
  [/\b(?:Date\.now\(|performance\.now\(|new Date\(\))/g, 'the time: take a Clock'],
  [/(?<![.#\w])(?:setTimeout|setInterval)\(/g, 'a timer: take a Clock'],
  [/\bMath\.random\(/g, 'chance: take a random source'],
  [/\bprocess\.(?:env|argv|on|once|exit|kill)\b/g, 'the process: only main.ts and runMain touch it'],
];

/** Where the surroundings may be touched: the ports themselves, programs, and tests of whole processes. */
const EXEMPT =
  /(?:\.test\.m?ts|\/src\/main\.ts|\/src\/integration\/.+|^bench\/.+|^packages\/platform\/src\/(?:process\/.+|clock\/(?:system-clock|stopwatch)\.ts))$/;

/** Places in a source that reach for time, chance or the process instead of being given them. */
export function ambientProblems(file, source) {
  if (EXEMPT.test(file)) {
    return [];
  }
  const code = codeOnly(source);
  return AMBIENT.flatMap(([pattern, remedy]) =>
    [...code.matchAll(pattern)].map((match) => {
      const line = code.slice(0, match.index).split('\n').length;
      return `${file}:${line}: ${match[0].replace(/\($/, '')} reaches for ${remedy}`;
    }),
  );
}
