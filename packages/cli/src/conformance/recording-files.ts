import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of recordings, parsed, or why it can't be. */
export type RecordingFile =
  | { readonly path: string; readonly documents: readonly unknown[] }
  | { readonly path: string; readonly problem: string };

/** The .json and .jsonl files of a path: itself, or everything below a folder in order of name. */
export async function readRecordingFiles(path: string): Promise<RecordingFile[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [await readRecordingFile(path)];
    const names = await readdir(path, { recursive: true });
    const files = names.filter((name) => /\.jsonl?$/.test(name)).sort(byText);
    if (files.length === 0) return [{ path, problem: 'holds no .json or .jsonl file' }];
    return await Promise.all(files.map((name) => readRecordingFile(join(path, name))));
  } catch (error) {
    return [{ path, problem: readProblem(error) }];
  }
}

async function readRecordingFile(path: string): Promise<RecordingFile> {
  try {
    const text = await readFile(path, 'utf8');
    return path.endsWith('.jsonl') ? parseLines(path, text) : parseWhole(path, text);
  } catch (error) {
    return { path, problem: readProblem(error) };
  }
}

function parseWhole(path: string, text: string): RecordingFile {
  try {
    return { path, documents: [JSON.parse(text)] };
  } catch (error) {
    return { path, problem: `is not JSON: ${(error as Error).message}` };
  }
}

function parseLines(path: string, text: string): RecordingFile {
  const documents: unknown[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      documents.push(JSON.parse(line));
    } catch (error) {
      return { path, problem: `line ${index + 1} is not JSON: ${(error as Error).message}` };
    }
  }
  return { path, documents };
}

function readProblem(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'there is no such file or folder' : `can't be read: ${message}`;
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
