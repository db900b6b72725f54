import { parseArgs } from 'node:util';
import { soak } from './soak.js';

/** `npm run soak [-- --minutes 20]`: pods come and go; says whether heap, sockets and descriptors stayed flat. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { minutes: { type: 'string', default: '20' } } });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Error(`--minutes: ${values.minutes} is not a number above 0`);
  const { report, problems } = await soak({
    durationMs: minutes * 60_000,
    sampleEveryMs: Math.min(10_000, (minutes * 60_000) / 20),
    // Garbage of different ages, and connections that come and go with the load.
    allowed: { heapMebibytes: 12, descriptors: 20 },
    say: (line) => void process.stderr.write(`${line}\n`),
  });
  for (const [name, samples] of Object.entries(report.samples)) {
    process.stdout.write(
      `${name}: ${JSON.stringify(samples[Math.floor(samples.length / 4)])} after a quarter\n`,
    );
    process.stdout.write(`${name}: ${JSON.stringify(samples.at(-1))} at the end\n`);
  }
  process.stdout.write(`${report.created} pods in ${minutes} min, ${report.lost.length} lost\n`);
  process.stdout.write(problems.length === 0 ? 'flat\n' : `${problems.join('\n')}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

await main();
