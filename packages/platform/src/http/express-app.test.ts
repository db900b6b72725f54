import { expect } from 'chai';
import express from 'express';
import { request } from 'undici';
import type { LogFields, Logger } from '../log/logger.js';
import { silentLogger } from '../log/logger.js';
import { createExpressApp, type ExpressAppOptions, HttpError } from './express-app.js';
import { mountHealth } from './health.js';
import { type RunningHttpServer, startHttpServer } from './http-server.js';

describe('createExpressApp', () => {
  let server: RunningHttpServer | undefined;
  afterEach(() => server?.close());

  async function serve(options: Partial<ExpressAppOptions>, log: Logger = silentLogger) {
    const listener = createExpressApp({ errors: 'plain', routes: () => undefined, ...options }, { log });
    server = await startHttpServer({ host: '127.0.0.1', port: 0, name: 'test', listener }, { log });
    const { url } = server;
    return async (path: string, init: Parameters<typeof request>[1] = {}) => {
      const { statusCode, headers, body } = await request(url + path, init);
      return { status: statusCode, headers, text: await body.text() };
    };
  }

  it('sends none of express’s own headers', async () => {
    const get = await serve({ routes: (app) => app.get('/', (_, response) => void response.send('x')) });
    const { headers } = await get('/');
    expect(headers).to.not.have.any.keys('x-powered-by', 'etag');
  });

  it('matches paths exactly and answers 404 for others', async () => {
    const get = await serve({
      routes: (app) => app.get('/watcher', (_, response) => void response.send('x')),
    });
    expect((await get('/watcher')).status).to.equal(200);
    for (const path of ['/watcher/', '/Watcher', '/']) {
      const answer = await get(path);
      expect([answer.status, answer.text]).to.deep.equal([404, '404 page not found\n']);
    }
  });

  it('does not build objects of query strings', async () => {
    const get = await serve({
      routes: (app) => app.get('/', (incoming, response) => void response.json(incoming.query)),
    });
    expect((await get('/?a[b]=1&c=2')).text).to.equal('{"a[b]":"1","c":"2"}');
  });

  for (const [errors, text, type] of [
    ['plain', 'no such window\n', 'text/plain; charset=utf-8'],
    ['json', '{"error":"no such window"}', 'application/json; charset=utf-8'],
  ] as const) {
    it(`tells the client what it did wrong, as ${errors}`, async () => {
      const get = await serve({
        errors,
        routes: (app) =>
          app.get('/', () => {
            throw new HttpError(400, 'no such window');
          }),
      });
      const answer = await get('/');
      expect([answer.status, answer.text, answer.headers['content-type']]).to.deep.equal([400, text, type]);
    });
  }

  it('hides what went wrong inside, and logs it', async () => {
    const logged: (LogFields | undefined)[] = [];
    const log = { ...silentLogger, error: (_: string, fields?: LogFields) => void logged.push(fields) };
    const routes: ExpressAppOptions['routes'] = (app) => {
      app.get('/throws', () => {
        throw new Error('secret detail');
      });
      app.get('/rejects', () => Promise.reject(new Error('secret detail')));
    };
    const get = await serve({ routes }, log);
    for (const path of ['/throws', '/rejects']) {
      const answer = await get(path);
      expect([answer.status, answer.text]).to.deep.equal([500, 'internal error\n']);
    }
    expect(logged.map((fields) => fields?.path)).to.deep.equal(['/throws', '/rejects']);
    expect(logged[0]?.error).to.have.property('message', 'secret detail');
  });

  it('answers a body that is no JSON with 400, without a stack', async () => {
    const get = await serve({
      errors: 'json',
      routes: (app) => app.post('/', express.json(), (_, response) => void response.send('x')),
    });
    const answer = await get('/', {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).to.equal(400);
    expect(answer.text).to.match(/^\{"error":"[^\\]*JSON[^\\]*"\}$/);
  });

  it('cuts the connection when a route fails after its first bytes', async () => {
    const get = await serve({
      routes: (app) =>
        app.get('/', (_, response) => {
          response.write('half');
          throw new Error('late');
        }),
    });
    expect(await get('/').catch((error: unknown) => error)).to.be.instanceOf(Error);
  });
});

describe('mountHealth', () => {
  it('answers ok, or 503 with every check that fails', async () => {
    const problems = new Map<string, string>();
    const check = (name: string) => ({ name, problem: () => problems.get(name) });
    const listener = createExpressApp(
      {
        errors: 'plain',
        routes: (app) => mountHealth(app, { live: [check('loop')], ready: [check('data'), check('nodes')] }),
      },
      { log: silentLogger },
    );
    const server = await startHttpServer(
      { host: '127.0.0.1', port: 0, name: 'test', listener },
      { log: silentLogger },
    );
    const probe = async (path: string) => {
      const { statusCode, body } = await request(server.url + path);
      return [statusCode, await body.text()];
    };
    try {
      expect(await probe('/livez')).to.deep.equal([200, 'ok']);
      expect(await probe('/readyz')).to.deep.equal([200, 'ok']);
      problems.set('data', 'none yet').set('nodes', 'not listed');
      expect(await probe('/readyz')).to.deep.equal([503, 'data: none yet\nnodes: not listed\n']);
      expect(await probe('/livez'), 'liveness stands apart').to.deep.equal([200, 'ok']);
    } finally {
      await server.close();
    }
  });
});
