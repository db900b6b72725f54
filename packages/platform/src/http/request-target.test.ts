import { connect } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { silentLogger } from '../log/logger.js';
import { createExpressApp } from './express-app.js';
import { type RunningHttpServer, startHttpServer } from './http-server.js';

describe('the target of a request', () => {
  let server: RunningHttpServer;
  let judged: string[];
  let warnings: unknown[];
  const onWarning = (warning: unknown): void => void warnings.push(warning);

  before(async () => {
    process.on('warning', onWarning);
    const listener = createExpressApp(
      {
        errors: 'json',
        routes: (app) => {
          app.use((request, _response, next) => {
            judged.push(request.path);
            next();
          });
          app.get('/healthz', (request, response) => void response.json(request.query));
        },
      },
      { log: silentLogger },
    );
    server = await startHttpServer(
      { host: '127.0.0.1', port: 0, name: 'test', listener },
      { log: silentLogger },
    );
  });
  after(async () => {
    process.off('warning', onWarning);
    await server.close();
  });
  beforeEach(() => {
    judged = [];
    warnings = [];
  });

  /** Status and body; no client library sends such targets. */
  function ask(target: string): Promise<readonly [number, string]> {
    return new Promise((resolve, reject) => {
      let text = '';
      const socket = connect(server.port, '127.0.0.1');
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      socket.on('end', () => resolve([Number(text.split(' ')[1]), text.split('\r\n\r\n')[1] ?? '']));
      socket.on('error', reject);
      socket.end(`GET ${target} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n`);
    });
  }

  for (const target of ['http://[::1/healthz', 'http://a:b/healthz', 'http://', 'ftp://a/healthz', '*']) {
    it(`${target} is answered 400 as JSON, and nothing behind sees it`, async () => {
      expect(await ask(target)).to.deep.equal([
        400,
        '{"error":"the target of the request is neither a path nor a URL"}',
      ]);
      expect([judged, warnings]).to.deep.equal([[], []]);
    });
  }

  for (const target of ['http://any.example/healthz?a=1', 'HTTPS://[::1]:1/healthz?a=1', '/healthz?a=1']) {
    it(`${target} is the path in it`, async () => {
      expect(await ask(target)).to.deep.equal([200, '{"a":"1"}']);
      expect(judged).to.deep.equal(['/healthz']);
    });
  }

  it('whatever the target, the answer is one, and what reaches the routes has been judged as a path', async () => {
    const part = fc.constantFrom(
      'http:',
      '//',
      '/',
      '[',
      ']',
      ':',
      '@',
      '?',
      '#',
      '%',
      '..',
      'healthz',
      '\\',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 6 }), async (parts) => {
        judged = [];
        const [status] = await ask(parts.join(''));
        expect(status).to.be.oneOf([200, 400, 404]);
        if (status !== 400) expect(judged.join()).to.match(/^\//);
      }),
    );
    expect(warnings).to.deep.equal([]);
  });
});
