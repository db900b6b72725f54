import { readFile } from 'node:fs/promises';
import { silentLogger } from '@catamaran/platform';
import { expect } from 'chai';
import { demoPicture } from '../demo/picture.js';

const ROOT = new URL('../../../../', import.meta.url);

describe('picture of the demo', () => {
  it('is what the default run shows today, in docs/assets/demo.txt and in the README', async () => {
    const shown = (await demoPicture(silentLogger, new AbortController().signal)).join('\n');
    const remedy = 'run: node packages/cli/dist/main.js picture > docs/assets/demo.txt, and renew the README';
    expect(await readFile(new URL('docs/assets/demo.txt', ROOT), 'utf8'), remedy).to.equal(`${shown}\n`);
    expect(await readFile(new URL('README.md', ROOT), 'utf8'), remedy).to.include(`${shown}\n`);
  }).timeout(60_000);
});
