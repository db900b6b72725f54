import { nearestName, squeeze } from './nearest-name.js';

/**
 * Notes on environment variables that look like a misspelt known one: the same letters in another style
 * (`EnableOpenShiftAuth`), or a near name of several words (`METRIC_PROVIDER_NAME`). Anything else in
 * the environment is none of our business.
 */
export function misspeltEnvNotes(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
  alsoRead: readonly string[],
): string[] {
  const ignored = new Set([...known, ...alsoRead]);
  const notes: string[] = [];
  for (const name of Object.keys(env).sort()) {
    const meant = ignored.has(name) ? undefined : meantName(name, known);
    if (meant !== undefined) {
      notes.push(`environment variable ${name} is not read; did you mean ${meant}?`);
    }
  }
  return notes;
}

function meantName(name: string, known: readonly string[]): string | undefined {
  const sameLetters = known.find((candidate) => squeeze(candidate) === squeeze(name));
  if (sameLetters !== undefined) {
    return sameLetters;
  }
  // A variable of one word, such as PORT, has too many neighbours.
  const ofSeveralWords = known.filter((candidate) => candidate.includes('_'));
  return nearestName(name, ofSeveralWords);
}
