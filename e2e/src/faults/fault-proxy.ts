import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request, type Server } from 'node:https';
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
  | { readonly answer: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: object };

export type FaultRule = (method: string, path: string) => Fault;

const PASS: FaultRule = () => 'pass';

/** Stands between a client and the API server, on loopback with a certificate of the cluster's CA, and does harm on cue. */
export class FaultProxy {
  /** Consulted for every request; replace it to change the weather. */
  rule: FaultRule = PASS;
  readonly #server: Server;
  readonly #target: URL;
  readonly #agent: Agent;
  readonly #sockets = new Set<Socket>();
  #isDown = false;

  private constructor(targetUrl: string, ca: KeyPair, own: KeyPair) {
    this.#target = new URL(targetUrl);
    this.#agent = new Agent({ ca: ca.certPem, keepAlive: true });
    this.#server = createServer({ cert: own.certPem, key: own.keyPem }, (incoming, outgoing) => {
      void this.#serve(incoming, outgoing);
    });
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
    const own = await certificateFrom(ca, { commonName: 'fault-proxy' });
    const proxy = new FaultProxy(targetUrl, ca, own);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject);
      proxy.#server.listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  calm(): void {
    this.rule = PASS;
  }

  /** Cuts every connection and takes no new one until `up`. */
  down(): void {
    this.#isDown = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  up(): void {
    this.#isDown = false;
  }

  async close(): Promise<void> {
    this.down();
    this.#agent.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const fault = this.rule(incoming.method ?? '', incoming.url ?? '');
    if (fault === 'reset') {
      incoming.socket.destroy();
      return;
    }
    if (typeof fault === 'object' && 'answer' in fault) {
      incoming.resume();
      outgoing.writeHead(fault.answer, { 'Content-Type': 'application/json', ...fault.headers });
      outgoing.end(
        JSON.stringify(
          fault.body ?? { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: fault.answer },
        ),
      );
      return;
    }
    if (typeof fault === 'object') await ('delayMs' in fault ? pause(fault.delayMs) : fault.holdUntil);
    this.#forward(incoming, outgoing, fault === 'lose-answer');
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse, losesAnswer: boolean): void {
    const upstream = request(
      {
        host: this.#target.hostname,
        port: this.#target.port,
        method: incoming.method,
        path: incoming.url,
        headers: { ...incoming.headers, host: this.#target.host },
        agent: this.#agent,
      },
      (answer) => {
        if (losesAnswer) {
          answer.resume();
          answer.once('end', () => outgoing.destroy());
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.flushHeaders();
        answer.pipe(outgoing);
        answer.once('error', () => outgoing.destroy());
        answer.once('close', () => {
          if (!answer.complete) outgoing.destroy();
        });
      },
    );
    upstream.once('error', () => outgoing.destroy());
    outgoing.once('close', () => upstream.destroy());
    incoming.pipe(upstream);
  }
}
