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
  it('every TargetLoadPacking row of score-vectors.json passes, the other plugins are skipped by name', async () => {
    const lines = await replay('score-vectors.json');
    expect(lines.filter((line) => line.startsWith('FAILED'))).to.deep.equal([]);
    expect(lines.at(-1)).to.equal('30 passed, 0 failed, 66 skipped');
    expect(lines.filter((line) => line.includes('TargetLoadPacking'))).to.deep.equal([]);
  });

  it('every TargetLoadPacking scenario of trimaran-live.jsonl passes', async () => {
    const lines = await replay('trimaran-live.jsonl');
    expect(lines.filter((line) => line.startsWith('FAILED'))).to.deep.equal([]);
    expect(lines.at(-1)).to.equal('38 passed, 0 failed, 59 skipped');
  });

  it('every decision of kube-scheduler is the same, or the pod is refused by name', async () => {
    const lines = await replay('kube-scheduler');
    expect(lines).to.deep.equal(['344 passed, 0 failed, 0 skipped']);
  });
});
