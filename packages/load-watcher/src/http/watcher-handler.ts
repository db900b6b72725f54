import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { WINDOW_DURATIONS, type WindowDuration } from '@catamaran/model';
import type { EncodedBody, EncodedWindow } from '../service/encoded-window.js';
import type { LoadWatcher } from '../service/load-watcher.js';
import { acceptsGzip } from './accepted-encoding.js';
import type { HealthProbe } from './health-probe.js';
import { cleanPath, decodedPath, parseTarget, queryValue } from './request-target.js';
import { redirectToCleanPath } from './unclean-path.js';

const PATH = '/watcher';
const HEALTH_PATH = '/watcher/health';
const METHODS = 'GET, HEAD';
/** The usual question, with nothing in it that would have to be decoded. */
const PLAIN_HOST_QUERY = /^\/watcher\?host=([\w.-]+)$/;

/**
 * The paths that schedulers poll, answered without a framework; everything else goes to `next`. Status, content type
 * and body are those of the Go service.
 */
export function watcherHandler(
  watcher: LoadWatcher,
  health: HealthProbe,
  next: RequestListener,
): RequestListener {
  return (request, response) => {
    const url = request.url ?? '/';
    if (url === PATH) {
      serveWhole(watcher, { request, response });
      return;
    }
    const plainHost = PLAIN_HOST_QUERY.exec(url)?.[1];
    if (plainHost !== undefined) {
      serveHost(watcher, { request, response, host: plainHost });
      return;
    }
    const { rawPath, rawQuery } = parseTarget(url);
    const clean = cleanPath(rawPath);
    if (clean !== rawPath && rawPath !== '*') {
      redirectToCleanPath(request, response, { path: clean, rawQuery });
      return;
    }
    const path = decodedPath(rawPath);
    if (path === PATH) serveQuery(watcher, { request, response, rawQuery });
    else if (path === HEALTH_PATH) serveHealth(health, request, response);
    else next(request, response);
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface WindowExchange extends Exchange {
  /** The window asked for, if any. */
  readonly duration?: WindowDuration | undefined;
}

function serveQuery(watcher: LoadWatcher, exchange: Exchange & { readonly rawQuery: string }): void {
  const { request, response, rawQuery } = exchange;
  const window = queryValue(rawQuery, 'window')?.toString('utf8') ?? '';
  if (window !== '' && !isWindow(window)) {
    sendText(
      response,
      400,
      `window: expected one of ${WINDOW_DURATIONS.join(', ')}, got ${JSON.stringify(window)}\n`,
    );
    return;
  }
  const host = queryValue(rawQuery, 'host');
  const duration = window === '' ? undefined : (window as WindowDuration);
  if (host === undefined || host.length === 0) serveWhole(watcher, { request, response, duration });
  else serveHost(watcher, { request, response, host, duration });
}

function serveWhole(watcher: LoadWatcher, { request, response, duration }: WindowExchange): void {
  if (!isReading(request, response)) return;
  const encoded = watcher.serve(duration)?.encoded;
  if (encoded === undefined) {
    sendNoData(response);
    return;
  }
  const body = encoded.ask(takesGzip(request) ? 'gzip' : 'identity');
  if (!(body instanceof Promise)) sendBody(request, response, body);
  // Nobody asked for it since the refresh before the last.
  else void body.then((made) => sendBody(request, response, made));
}

interface HostExchange extends WindowExchange {
  /** Bytes as sent, where they are more than plain ASCII. */
  readonly host: string | Buffer;
}

function serveHost(watcher: LoadWatcher, exchange: HostExchange): void {
  if (!isReading(exchange.request, exchange.response)) return;
  const encoded = watcher.serve(exchange.duration)?.encoded;
  if (encoded === undefined) sendNoData(exchange.response);
  else if (encoded.isReady) sendHost(encoded, exchange);
  else void encoded.prepare().then(() => sendHost(encoded, exchange));
}

function sendHost(encoded: EncodedWindow, { request, response, host }: HostExchange): void {
  const body = encoded.host(host.toString('utf8'));
  if (body !== undefined) {
    sendBody(request, response, body);
    return;
  }
  // JSON by its header, text by its body, the name unescaped: so the Go service answers, and nosniff keeps it harmless.
  const text = Buffer.concat([Buffer.from('No metrics found for host '), Buffer.from(host)]);
  send(response, { status: 404, type: 'application/json', bytes: text });
}

function serveHealth(health: HealthProbe, request: IncomingMessage, response: ServerResponse): void {
  if (!isReading(request, response)) return;
  void health.isHealthy().then((healthy) => {
    response.writeHead(healthy ? 200 : 503, { 'Content-Length': 0 });
    response.end();
  });
}

function isReading(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true;
  response.setHeader('Allow', METHODS);
  sendText(response, 405, 'Method Not Allowed\n');
  return false;
}

function sendBody(request: IncomingMessage, response: ServerResponse, body: EncodedBody): void {
  if (matches(request, body.etag)) {
    response.writeHead(304, { ETag: body.etag, Vary: 'Accept-Encoding' });
    response.end();
    return;
  }
  response.writeHead(200, body.headers as string[]);
  response.end(body.bytes);
}

function sendNoData(response: ServerResponse): void {
  send(response, { status: 500, type: 'application/json', bytes: Buffer.alloc(0) });
}

function sendText(response: ServerResponse, status: number, text: string): void {
  send(response, { status, type: 'text/plain; charset=utf-8', bytes: Buffer.from(text) });
}

function send(
  response: ServerResponse,
  answer: { readonly status: number; readonly type: string; readonly bytes: Buffer },
): void {
  response.writeHead(answer.status, {
    'Content-Type': answer.type,
    'Content-Length': answer.bytes.length,
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(answer.bytes);
}

function matches(request: IncomingMessage, etag: string): boolean {
  const given = request.headers['if-none-match'];
  if (given === undefined) return false;
  return given.trim() === '*' || given.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

function takesGzip({ headers }: IncomingMessage): boolean {
  const accepted: string | string[] | undefined = headers['accept-encoding'];
  return acceptsGzip(accepted?.toString());
}

function isWindow(text: string): text is WindowDuration {
  return (WINDOW_DURATIONS as readonly string[]).includes(text);
}
