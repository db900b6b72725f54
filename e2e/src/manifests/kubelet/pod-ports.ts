import { createServer } from 'node:net';
import { until } from '../../process/until.js';

/** Ports of our services; a pod here has the network of this machine, so nobody else may have them. */
const PORTS = [2020, 10251, 10259];
const PATIENCE_MS = 180_000;

/** Waits until nothing listens on the ports of a pod. @throws Error that names the port when it takes too long. */
export async function portsFree(): Promise<void> {
  for (const port of PORTS) {
    const what = `port ${port} of this machine, which a pod of the tests needs, to be free`;
    await until({ what, timeoutMs: PATIENCE_MS, everyMs: 500 }, () => isFree(port));
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '0.0.0.0', () => server.close(() => resolve(true)));
  });
}
