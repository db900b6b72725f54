import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ServiceRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ServiceReply {
  readonly status: number;
  /** Anything but a text is sent as JSON. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An HTTP server of a test that plays a metrics service. */
export class FakeService {
  /** Every request so far, in order. */
  readonly requests: ServiceRequest[] = [];
  /** Answers before the service itself does; undefined lets it. `hang` never answers. */
  instead: (request: ServiceRequest) => ServiceReply | 'hang' | undefined = () => undefined;
  readonly #serveNormally: (request: ServiceRequest) => ServiceReply;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  constructor(serveNormally: (request: ServiceRequest) => ServiceReply) {
    this.#serveNormally = serveNormally;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
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
    const url = new URL(message.url ?? '', 'http://service');
    const request = {
      method: message.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: message.headers,
      body: Buffer.concat(chunks).toString(),
    };
    this.requests.push(request);
    const reply = this.instead(request) ?? this.#serveNormally(request);
    if (reply === 'hang') return;
    const isText = typeof reply.body === 'string';
    response
      .writeHead(reply.status, {
        'Content-Type': isText ? 'text/html' : 'application/json',
        ...reply.headers,
      })
      .end(isText ? (reply.body as string) : JSON.stringify(reply.body));
  }
}

/** What a service of hosts was told by the agents. */
export interface HostMeasurement {
  readonly host: string;
  readonly cluster?: string;
  readonly resource: 'CPU' | 'Memory';
  /** Unix milliseconds and percent; null is a gap. */
  readonly points: readonly (readonly [unixMs: number, percent: number | null])[];
}

/** Whether a text fits a pattern with `*`. */
export function fitsWildcard(text: string, pattern: string): boolean {
  const source = pattern.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${source.join('.*')}$`).test(text);
}
