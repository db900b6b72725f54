import type { Entry, Outcome, RecordingFormat } from './format.js';
import { type RecordingFile, readRecordingFiles } from './recording-files.js';

export interface ConformanceDeps {
  readonly formats: readonly RecordingFormat[];
  /** Takes one line without its line break. */
  readonly writeLine: (line: string) => void;
}

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  /** Paths that couldn't be replayed at all. */
  unusable: number;
}

/**
 * Replays recordings and writes a line for each entry that failed or was skipped, one for each file that can't be
 * used, and the totals last.
 * @returns the exit code: 0 nothing failed, 1 something failed, 2 a path could not be used.
 */
export async function runConformance(paths: readonly string[], deps: ConformanceDeps): Promise<0 | 1 | 2> {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0, unusable: 0 };
  for (const path of paths) {
    for (const file of await readRecordingFiles(path)) await replayFile(file, tally, deps);
  }
  deps.writeLine(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`);
  if (tally.unusable > 0 || tally.passed + tally.failed + tally.skipped === 0) return 2;
  return tally.failed > 0 ? 1 : 0;
}

async function replayFile(file: RecordingFile, tally: Tally, deps: ConformanceDeps): Promise<void> {
  const found = 'problem' in file ? file : entriesOf(file.documents, deps.formats);
  if ('problem' in found) {
    tally.unusable += 1;
    deps.writeLine(`UNUSABLE ${file.path}: ${oneLine(found.problem)}`);
    return;
  }
  for (const entry of found.entries) {
    const outcome = await outcomeOf(entry);
    tally[outcome.kind] += 1;
    const line = lineFor(`${file.path}#${entry.id}`, outcome);
    if (line !== undefined) deps.writeLine(line);
  }
}

function entriesOf(
  documents: readonly unknown[],
  formats: readonly RecordingFormat[],
): { readonly entries: readonly Entry[] } | { readonly problem: string } {
  if (documents.length === 0) return { problem: 'is empty' };
  for (const format of formats) {
    const entries = format.entries(documents);
    if (entries === undefined) continue;
    return entries.length > 0 ? { entries } : { problem: `is of format ${format.name} but has no entry` };
  }
  return { problem: `is of no known format; known are ${formats.map(({ name }) => name).join(', ')}` };
}

async function outcomeOf(entry: Entry): Promise<Outcome> {
  try {
    return await entry.run();
  } catch (error) {
    return {
      kind: 'failed',
      expected: 'an outcome',
      got: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

function lineFor(name: string, outcome: Outcome): string | undefined {
  switch (outcome.kind) {
    case 'passed':
      return undefined;
    case 'failed':
      return oneLine(`FAILED ${name}: expected ${outcome.expected}, got ${outcome.got}`);
    case 'skipped':
      return oneLine(`SKIPPED ${name}: ${outcome.why}`);
  }
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}
