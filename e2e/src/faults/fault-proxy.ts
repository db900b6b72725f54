import { randomBytes } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { certificateFrom, type KeyPair } from '../control-plane/certificates.js';
import { pause } from '../process/until.js';

/** What happens to one request. */
export type Fault =
  | 'pass'
  /** The server does it, but the answer is lost with the connection. */
  | 'lose-answer'
  /** The connection breaks before the server hears of it. */
  | 'reset'
  | { readonly delayMs: number }
  /** Waits for the promise, then passes. */
  | { readonly holdUntil: Promise<unknown> }
  /** The server does it at once, but its answer comes only after the promise. */
  | { readonly holdAnswerUntil: Promise<unknown> }
  /** The answer, whole, in other words. */
  | { readonly rewrite: (text: string) => string }
  | {
      readonly answer: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** A text is sent as it is. */
      readonly body?: object | string;
    };

export type FaultRule = (method: string, path: string) => Fault;

const PASS: FaultRule = () => 'pass';

/**
 * Stands between a client and a server, on loopback, and does harm on cue. Before a server with TLS it has a
 * certificate of the cluster's CA.
 */
export class FaultProxy {
  /** Consulted for every request; replace it to change the weather. */
  rule: FaultRule = PASS;
  readonly #server: http.Server | https.Server;
  readonly #target: URL;
  readonly #agent: http.Agent;
  readonly #sockets = new Set<Socket>();
  readonly #underWay = new Set<IncomingMessage>();
  #isDown = false;

  private constructor(target: URL, tls: { readonly ca: KeyPair; readonly own: KeyPair } | undefined) {
    this.#target = target;
    const serve = (incoming: IncomingMessage, outgoing: ServerResponse): void =>
      void this.#serve(incoming, outgoing);
    if (tls === undefined) {
      this.#agent = new http.Agent({ keepAlive: true });
      this.#server = http.createServer(serve);
    } else {
      this.#agent = new https.Agent({ ca: tls.ca.certPem, keepAlive: true });
      this.#server = https.createServer({ cert: tls.own.certPem, key: tls.own.keyPem }, serve);
    }
    this.#server.on('connection', (socket: Socket) => {
      if (this.#isDown) {
        socket.destroy();
        return;
      }
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      socket.on('error', () => undefined);
    });
  }

  static async start(targetUrl: string, ca: KeyPair): Promise<FaultProxy> {
    const target = new URL(targetUrl);
    const own = await certificateFrom(ca, { commonName: 'fault-proxy' });
    const proxy = new FaultProxy(target, target.protocol === 'https:' ? { ca, own } : undefined);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject);
      proxy.#server.listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  get url(): string {
    return `${this.#target.protocol}//127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Method and path of each request whose answer has not ended. */
  get underWay(): readonly string[] {
    return [...this.#underWay].map(({ method, url }) => `${method} ${url}`);
  }

  calm(): void {
    this.rule = PASS;
  }

  /** Cuts every connection and takes no new one until `up`. */
  down(): void {
    this.#isDown = true;
    this.cut();
  }

  up(): void {
    this.#isDown = false;
  }

  /** From now on it shows another certificate; connections that exist are cut. Only before a server with TLS. */
  present({ certPem, keyPem }: KeyPair): void {
    if (this.#server instanceof https.Server) {
      this.#server.setSecureContext({ cert: certPem, key: keyPem });
      // A session that is resumed shows no certificate.
      this.#server.setTicketKeys(randomBytes(48));
    }
    this.cut();
  }

  /** Cuts every connection; new ones are taken. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.down();
    this.#agent.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    this.#underWay.add(incoming);
    outgoing.once('close', () => this.#underWay.delete(incoming));
    const fault = this.rule(incoming.method ?? '', incoming.url ?? '');
    if (fault === 'reset') {
      incoming.socket.destroy();
      return;
    }
    if (typeof fault === 'object' && 'answer' in fault) {
      incoming.resume();
      outgoing.writeHead(fault.answer, { 'Content-Type': 'application/json', ...fault.headers });
      const body = fault.body ?? {
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        code: fault.answer,
      };
      outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
      return;
    }
    if (typeof fault === 'object') {
      if ('delayMs' in fault) await pause(fault.delayMs);
      if ('holdUntil' in fault) await fault.holdUntil;
    }
    this.#forward(incoming, outgoing, fault);
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse, fault: Fault): void {
    const rewrite = typeof fault === 'object' && 'rewrite' in fault ? fault.rewrite : undefined;
    const { 'accept-encoding': encoding, ...headers } = incoming.headers;
    const { request } = this.#target.protocol === 'https:' ? https : http;
    const upstream = request(
      {
        host: this.#target.hostname,
        port: this.#target.port,
        method: incoming.method,
        path: incoming.url,
        headers: {
          ...headers,
          ...(encoding === undefined || rewrite !== undefined ? {} : { 'accept-encoding': encoding }),
          host: this.#target.host,
        },
        agent: this.#agent,
      },
      (answer) => {
        if (fault === 'lose-answer') {
          answer.resume();
          answer.once('end', () => outgoing.destroy());
          return;
        }
        if (typeof fault === 'object' && 'holdAnswerUntil' in fault) {
          void fault.holdAnswerUntil.then(() => passOn(answer, outgoing));
          return;
        }
        if (rewrite !== undefined) {
          void sendRewritten(answer, outgoing, rewrite);
          return;
        }
        passOn(answer, outgoing);
      },
    );
    upstream.once('error', () => outgoing.destroy());
    outgoing.once('close', () => upstream.destroy());
    incoming.pipe(upstream);
  }
}

function passOn(answer: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
  outgoing.flushHeaders();
  answer.pipe(outgoing);
  answer.once('error', () => outgoing.destroy());
  answer.once('close', () => {
    if (!answer.complete) outgoing.destroy();
  });
}

async function sendRewritten(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  rewrite: (text: string) => string,
): Promise<void> {
  const text = rewrite(Buffer.concat(await answer.toArray()).toString('utf8'));
  const { 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = answer.headers;
  outgoing.writeHead(answer.statusCode ?? 502, headers);
  outgoing.end(text);
}
