import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeSample {
  readonly labels: Readonly<Record<string, string>>;
  /** As Prometheus writes it: `0.25`, `NaN`, `+Inf`. */
  readonly value: string;
}

export interface PrometheusRequest {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  /** The PromQL; empty where none was sent. */
  readonly promql: string;
  readonly headers: IncomingHttpHeaders;
}

/** Samples are answered as a vector; `hang` never answers; otherwise status and body as given. */
export type PrometheusReply =
  | readonly FakeSample[]
  | 'hang'
  | { readonly status: number; readonly body: string; readonly contentType?: string };

/** An HTTP server that plays Prometheus' query API. It does not evaluate anything: a test says what each query gives. */
export class FakePrometheus {
  /** Every request so far, in order. */
  readonly requests: PrometheusRequest[] = [];
  reply: (request: PrometheusRequest) => PrometheusReply = () => [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  static async start(): Promise<FakePrometheus> {
    const fake = new FakePrometheus();
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const [path = '', search = ''] = (message.url ?? '').split('?');
    const form = message.method === 'POST' ? Buffer.concat(chunks).toString() : search;
    const request = {
      method: message.method ?? '',
      path,
      promql: new URLSearchParams(form).get('query') ?? '',
      headers: message.headers,
    };
    this.requests.push(request);
    const reply = this.reply(request);
    if (reply === 'hang') return;
    const { status, body, contentType } = isSamples(reply) ? vector(reply) : reply;
    response.writeHead(status, { 'Content-Type': contentType ?? 'application/json' }).end(body);
  }
}

function isSamples(reply: PrometheusReply): reply is readonly FakeSample[] {
  return Array.isArray(reply);
}

function vector(samples: readonly FakeSample[]): { status: number; body: string; contentType?: string } {
  const result = samples.map(({ labels, value }) => ({ metric: labels, value: [1_800_000_000, value] }));
  return { status: 200, body: JSON.stringify({ status: 'success', data: { resultType: 'vector', result } }) };
}
