import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { RECORDING_FORMATS } from './recording-formats.js';
import { runConformance } from './run.js';

const RECORDINGS = fileURLToPath(new URL('../../../../conformance/', import.meta.url));

async function replay(path: string): Promise<readonly string[]> {
  const lines: string[] = [];
  await runConformance([`${RECORDINGS}${path}`], {
    formats: RECORDING_FORMATS,
    writeLine: (line) => lines.push(line),
  });
  return lines;
}

describe('recorded data', () => {
  it('every row of score-vectors.json passes', async () => {
    expect(await replay('score-vectors.json')).to.deep.equal(['96 passed, 0 failed, 0 skipped']);
  });

  it('every scenario of trimaran-live.jsonl passes', async () => {
    expect(await replay('trimaran-live.jsonl')).to.deep.equal(['97 passed, 0 failed, 0 skipped']);
  });

  it('every decision of kube-scheduler is the same, or the pod is refused by name', async () => {
    const lines = await replay('kube-scheduler');
    expect(lines).to.deep.equal(['344 passed, 0 failed, 0 skipped']);
  });
});
