import { Agent, request } from 'undici';
import type { ContainerSpecOfPod, Probe } from './pod-spec.js';

const DEFAULT_TIMEOUT_SECONDS = 1;

/** Asks as a kubelet does; the pod's address is this machine's. True: 200 to 399 in time. */
export async function probeOnce(container: ContainerSpecOfPod, probe: Probe): Promise<boolean> {
  const { httpGet, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = probe;
  if (httpGet === undefined) throw new Error(`container ${container.name}: only httpGet probes are run here`);
  const scheme = httpGet.scheme?.toLowerCase() ?? 'http';
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    const url = `${scheme}://127.0.0.1:${portOf(container, httpGet.port)}${httpGet.path ?? '/'}`;
    const answer = await request(url, {
      dispatcher: agent,
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
    });
    await answer.body.dump();
    return answer.statusCode >= 200 && answer.statusCode < 400;
  } catch {
    return false;
  } finally {
    await agent.destroy();
  }
}

function portOf({ name, ports = [] }: ContainerSpecOfPod, port: number | string): number {
  if (typeof port === 'number') return port;
  const named = ports.find((candidate) => candidate.name === port);
  if (named === undefined)
    throw new Error(`container ${name}: a probe asks port ${port}, which has no number`);
  return named.containerPort;
}
