import { type RunningHttpServer, silentLogger, startHttpServer } from '@catamaran/platform';
import { nodeOf, podOf } from '@catamaran/testkit';
import { expect } from 'chai';
import { PACKING, SchedulerWorld, START_MS } from '../service/scheduler-world.test.js';
import { OPENAPI } from './openapi.js';
import { createSchedulerApp } from './scheduler-app.js';

interface Schema {
  readonly type?: string | readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
}

describe('the scheduler’s OpenAPI document', () => {
  let world: SchedulerWorld;
  let server: RunningHttpServer;
  let app: ReturnType<typeof createSchedulerApp>;

  before(async () => {
    world = new SchedulerWorld();
    world.cluster.createNode(nodeOf('a'));
    world.cluster.createNode(nodeOf('cordoned', { unschedulable: true }));
    world.watcher.tell({ a: 30 }, START_MS - 60_000);
    const service = await world.start(PACKING);
    app = createSchedulerApp(
      { config: {} },
      { explainer: service.explainer, metrics: world.metrics, ready: [], log: silentLogger },
    );
    server = await startHttpServer(
      { host: '127.0.0.1', port: 0, name: 'scheduler', listener: app },
      { log: silentLogger },
    );
  });
  after(async () => {
    await server.close();
    await world.close();
  });

  async function ask(path: string, init: RequestInit = {}): Promise<{ status: number; text: string }> {
    const response = await fetch(`${server.url}${path}`, init);
    return { status: response.status, text: await response.text() };
  }

  it('describes each route, and no other', () => {
    const layers = (app as unknown as { router: { stack: readonly { route?: { path: string } }[] } }).router
      .stack;
    const routes = layers.flatMap(({ route }) => (route === undefined ? [] : [route.path]));
    expect(Object.keys(OPENAPI.paths)).to.have.members(routes.filter((path) => path !== '/openapi.json'));
  });

  it('is served', async () => {
    expect(JSON.parse((await ask('/openapi.json')).text)).to.deep.equal(JSON.parse(JSON.stringify(OPENAPI)));
  });

  for (const [path, operations] of Object.entries(OPENAPI.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      it(`${method} ${path} answers as described`, async () => {
        const body = method === 'post' ? JSON.stringify(podOf('p', { uid: 'u' })) : null;
        const { status, text } = await ask(path, { method: method.toUpperCase(), body });
        expect(status, text).to.equal(200);
        const described = operation as {
          readonly responses: {
            readonly 200: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
          };
        };
        const schema = described.responses[200].content?.['application/json']?.schema;
        if (schema !== undefined) expect(mismatches(JSON.parse(text), schema)).to.deep.equal([]);
      });
    }
  }

  it('wrong parameters and bodies get the answers that are described', async () => {
    expect((await ask('/debug/decisions?pod=nameless')).status).to.equal(400);
    expect((await ask('/debug/explain', { method: 'POST', body: '{}' })).status).to.equal(400);
    const large = JSON.stringify({ ...podOf('p'), padding: 'x'.repeat(5_000_000) });
    expect((await ask('/debug/explain', { method: 'POST', body: large })).status).to.equal(413);
  });
});

/** Where a value is not what a schema says. */
function mismatches(value: unknown, schema: Schema, path = '$'): readonly string[] {
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return [`${path} is no ${types.join('|')}`];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => mismatches(item, schema.items ?? {}, `${path}[${index}]`));
  }
  if (typeof value !== 'object' || value === null) return [];
  const missing = (schema.required ?? []).filter((key) => !Object.hasOwn(value, key));
  return [
    ...missing.map((key) => `${path}.${key} is missing`),
    ...Object.entries(value).flatMap(([key, inner]) =>
      mismatches(inner, schema.properties?.[key] ?? schema.additionalProperties ?? {}, `${path}.${key}`),
    ),
  ];
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
