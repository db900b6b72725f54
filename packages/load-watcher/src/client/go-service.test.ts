import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SystemClock } from '@catamaran/platform';
import { expect } from 'chai';
import { HttpWatcherClient } from './http-watcher-client.js';
import type { WatcherState } from './watcher-client.js';

interface Exchange {
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

const { end, scenarios } = JSON.parse(
  readFileSync(new URL('../../../../conformance/watcher-goldens.json', import.meta.url), 'utf8'),
) as {
  readonly end: number;
  readonly scenarios: readonly { readonly id: string; readonly exchanges: readonly Exchange[] }[];
};
const { signal } = new AbortController();

/** Every answer that the Go service was seen to give to the question that a client asks. */
const ANSWERS = scenarios.flatMap(({ id, exchanges }) =>
  exchanges
    .filter(({ method, target }) => method === 'GET' && target === '/watcher')
    .map((exchange) => ({ id, exchange })),
);

describe('HttpWatcherClient before the Go service (goldens)', () => {
  let server: Server;
  let answer: Exchange;
  let client: HttpWatcherClient;
  beforeEach(async () => {
    server = createServer((_, response) => {
      response.writeHead(
        answer.status,
        answer.headers.flatMap(([name, value]) => (isFraming(name) ? [] : [name, value])),
      );
      response.end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    client = new HttpWatcherClient(
      { addresses: [`http://127.0.0.1:${port}/`] },
      { clock: new SystemClock() },
    );
  });
  afterEach(async () => {
    await client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('has recordings to read', () => {
    expect(ANSWERS.length).to.be.above(8);
  });

  for (const { id, exchange } of ANSWERS) {
    it(`${id}: HTTP ${exchange.status} is ${outcomeOf(exchange)}`, async () => {
      answer = exchange;
      const state = await client.refresh(signal);
      if (outcomeOf(exchange) !== 'a document') {
        expect([state.document, state.lastFailure?.code]).to.deep.equal([undefined, outcomeOf(exchange)]);
        return;
      }
      expect(state.lastFailure).to.equal(undefined);
      expect(state.document?.window.endUnixSeconds).to.equal(end);
      expect(figuresOf(state)).to.deep.equal(figuresIn(exchange.body));
    });
  }
});

function isFraming(name: string): boolean {
  return ['content-length', 'transfer-encoding', 'date', 'connection'].includes(name.toLowerCase());
}

function outcomeOf({ status, body }: Exchange): string {
  if (status !== 200) return 'no-data';
  return body.includes('"NodeMetricsMap":{}') ? 'empty-document' : 'a document';
}

function figuresOf({ document }: WatcherState): readonly string[] {
  return [...(document?.nodes ?? [])]
    .flatMap(([node, metrics]) =>
      metrics.map(({ type, operator, value }) => `${node} ${type} ${operator} ${value}`),
    )
    .sort();
}

/** By another way than the decoder's: bare words become null, and what is no number is left out. */
function figuresIn(body: string): readonly string[] {
  const document = JSON.parse(body.replaceAll(/:(NaN|[+-]Inf)\b/g, ':null')) as {
    readonly data: {
      readonly NodeMetricsMap: Readonly<
        Record<string, { readonly metrics: readonly Readonly<Record<string, string | number | null>>[] }>
      >;
    };
  };
  return Object.entries(document.data.NodeMetricsMap)
    .flatMap(([node, { metrics }]) =>
      metrics
        .filter(({ value }) => value !== null)
        .map(({ type, operator, value }) => `${node} ${type} ${operator} ${value}`),
    )
    .sort();
}
