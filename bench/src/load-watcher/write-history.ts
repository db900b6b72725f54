import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { benchNodeAddress } from './bench-provider.js';

const STEP_SECONDS = 60;
const PAST_SECONDS = 3_600;
/** Samples beyond now, so that the history does not end while it is measured. */
const AHEAD_SECONDS = 900;
const TOTAL_BYTES = 64 * 1024 ** 3;

/** Per node: one CPU in the modes idle and user, available and total memory. */
async function writeHistory(path: string, nodeCount: number): Promise<void> {
  const file = createWriteStream(path);
  const endSeconds = Math.floor(Date.now() / 1000) + AHEAD_SECONDS;
  const startSeconds = endSeconds - PAST_SECONDS - AHEAD_SECONDS;
  const write = async (family: string, type: string, line: (node: number, seconds: number) => string) => {
    file.write(`# TYPE ${family} ${type}\n`);
    for (let node = 0; node < nodeCount; node += 1) {
      let chunk = '';
      for (let seconds = startSeconds; seconds <= endSeconds; seconds += STEP_SECONDS)
        chunk += line(node, seconds);
      if (!file.write(chunk)) await once(file, 'drain');
    }
  };
  const instance = (node: number): string => `instance="${benchNodeAddress(node)}:9100",job="node-exporter"`;
  const busyShare = (node: number): number => (node % 95) / 100;
  await write('node_cpu_seconds', 'counter', (node, seconds) => {
    const elapsed = seconds - startSeconds;
    const labels = `${instance(node)},cpu="0"`;
    return (
      `node_cpu_seconds_total{${labels},mode="user"} ${(busyShare(node) * elapsed).toFixed(2)} ${seconds}\n` +
      `node_cpu_seconds_total{${labels},mode="idle"} ${((1 - busyShare(node)) * elapsed).toFixed(2)} ${seconds}\n`
    );
  });
  await write(
    'node_memory_MemTotal_bytes',
    'gauge',
    (node, seconds) => `node_memory_MemTotal_bytes{${instance(node)}} ${TOTAL_BYTES} ${seconds}\n`,
  );
  await write('node_memory_MemAvailable_bytes', 'gauge', (node, seconds) => {
    const available = Math.round(TOTAL_BYTES * (1 - busyShare(node) * (0.9 + (seconds % 7) / 70)));
    return `node_memory_MemAvailable_bytes{${instance(node)}} ${available} ${seconds}\n`;
  });
  file.end('# EOF\n');
  await once(file, 'close');
}

const [path = '', count = '0'] = process.argv.slice(2);
await writeHistory(path, Number(count));
