import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const QUERY_PATH = '/api/v1/query';

/** The query bodies that reach Prometheus while `work` runs against a proxy in front of it, each once. */
export async function recordQueries(
  prometheus: URL,
  work: (url: URL) => Promise<void>,
): Promise<readonly string[]> {
  const queries = new Set<string>();
  const agent = new Agent({ keepAlive: true });
  const proxy = createServer((incoming, outgoing) => {
    void text(incoming).then(async (body) => {
      if (incoming.url === QUERY_PATH) queries.add(body);
      const target = new URL(incoming.url ?? '/', prometheus);
      outgoing.setHeader('Content-Type', 'application/json');
      outgoing.end(await exchange(target, { method: incoming.method ?? 'GET', body, agent }));
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  await work(new URL(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`));
  proxy.closeAllConnections();
  proxy.close();
  agent.destroy();
  return [...queries];
}

/** The least that a client can do with the same queries: ask them all at once, and parse the answers. */
export async function replayQueries(prometheus: URL, queries: readonly string[]): Promise<unknown> {
  const agent = new Agent({ keepAlive: true });
  const url = new URL(QUERY_PATH, prometheus);
  const answers = await Promise.all(
    queries.map(async (body) => JSON.parse(await exchange(url, { method: 'POST', body, agent })) as unknown),
  );
  agent.destroy();
  return answers;
}

interface Exchange {
  readonly method: string;
  readonly body: string;
  readonly agent: Agent;
}

function exchange(url: URL, { method, body, agent }: Exchange): Promise<string> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return new Promise((resolve, reject) => {
    const call = request(url, { method, agent, headers }, (response) => {
      text(response).then(resolve, reject);
    });
    call.on('error', reject);
    call.end(body);
  });
}
