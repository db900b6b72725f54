import { expect } from 'chai';
import { soak } from '../soak/soak.js';

/** `npm run soak` does the same for twenty minutes. */
describe('pods that come and go for a while', function () {
  this.timeout(240_000);

  it('none is lost, and heap, sockets and descriptors stay flat', async () => {
    const lines: string[] = [];
    const { report, problems } = await soak({
      durationMs: 40_000,
      sampleEveryMs: 2000,
      // Wide for so short a time on a slow machine; a descriptor left behind by each pod still shows.
      allowed: { heapMebibytes: 48, descriptors: 80 },
      say: (line) => lines.push(line),
    });
    expect(problems, lines.join('\n')).to.deep.equal([]);
    expect(report.created).to.be.above(100);
    process.stderr.write(`      ${report.created} pods; ${lines.slice(-2).join('; ')}\n`);
  });
});
