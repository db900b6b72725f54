import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { Agent, request } from 'undici';

/**
 * What the API allows: a program that watches all pods, binds each to the next node without thinking, and writes the
 * event, over as many connections as our scheduler uses.
 */
const CONNECTIONS = 64;

const {
  BARE_CLIENT_SERVER: server = '',
  BARE_CLIENT_CA: caFile = '',
  BARE_CLIENT_TOKEN: token = '',
  BARE_CLIENT_NAMESPACE: namespace = '',
} = process.env;
const connect = { ca: await readFile(caFile) };
const agent = new Agent({ connections: CONNECTIONS, connect });
const watchAgent = new Agent({ connect, bodyTimeout: 0 });
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

interface Named {
  readonly metadata: { readonly name: string; readonly uid: string };
}

interface List {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly Named[];
}

async function post(path: string, body: object): Promise<void> {
  const options = { method: 'POST', dispatcher: agent, headers, body: JSON.stringify(body) } as const;
  const answer = await request(`${server}${path}`, options);
  await answer.body.dump();
  if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode}`);
}

async function list(path: string): Promise<List> {
  const answer = await request(`${server}${path}`, { dispatcher: agent, headers });
  return (await answer.body.json()) as List;
}

async function watch(resourceVersion: string): Promise<void> {
  const path = `/api/v1/pods?watch=1&resourceVersion=${resourceVersion}`;
  const answer = await request(`${server}${path}`, { dispatcher: watchAgent, headers });
  let rest = '';
  for await (const chunk of answer.body) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) JSON.parse(line);
  }
}

function eventAbout(pod: Named, note: string): object {
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: `${pod.metadata.name}.${pod.metadata.uid.slice(0, 8)}`, namespace },
    eventTime: new Date().toISOString().replace('Z', '000Z'),
    reportingController: 'bare',
    reportingInstance: `bare-${hostname()}`,
    action: 'Binding',
    reason: 'Scheduled',
    type: 'Normal',
    note,
    regarding: { kind: 'Pod', apiVersion: 'v1', namespace, name: pod.metadata.name, uid: pod.metadata.uid },
  };
}

const nodes = (await list('/api/v1/nodes')).items;
const pods = await list(`/api/v1/namespaces/${namespace}/pods`);
void watch(pods.metadata.resourceVersion);

let next = 0;
async function worker(): Promise<void> {
  for (let index = next++; index < pods.items.length; index = next++) {
    const pod = pods.items[index];
    const node = nodes[index % nodes.length]?.metadata.name ?? '';
    if (pod === undefined) return;
    const { name, uid } = pod.metadata;
    await post(`/api/v1/namespaces/${namespace}/pods/${name}/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, uid },
      target: { kind: 'Node', name: node },
    });
    await post(
      `/apis/events.k8s.io/v1/namespaces/${namespace}/events`,
      eventAbout(pod, `Successfully assigned ${namespace}/${name} to ${node}`),
    );
  }
}
await Promise.all(Array.from({ length: CONNECTIONS }, worker));
