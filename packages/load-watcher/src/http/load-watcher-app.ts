import type { RequestListener } from 'node:http';
import {
  type Clock,
  createExpressApp,
  HttpError,
  type Logger,
  type MetricsRegistry,
  mountHealth,
} from '@catamaran/platform';
import type { Express, RequestHandler } from 'express';
import { runInSlices } from '../event-loop.js';
import type { LoadWatcher } from '../service/load-watcher.js';
import { mayDebug } from './debug-access.js';
import { debugNodes } from './debug-nodes.js';
import { HealthProbe } from './health-probe.js';
import { OPENAPI } from './openapi.js';
import type { TokenFile } from './token-file.js';
import { withToken } from './watcher-access.js';
import { watcherHandler } from './watcher-handler.js';

export interface LoadWatcherAppOptions {
  /** What `/configz` shows: effective options, secrets masked. */
  readonly config: Readonly<Record<string, unknown>>;
  /** File with the bearer token that opens `/debug/*` and `/configz` to other machines. */
  readonly debugTokenFile?: string | undefined;
}

export interface LoadWatcherAppDeps {
  readonly watcher: LoadWatcher;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: MetricsRegistry;
  /** What `/watcher` asks for; nothing by default. */
  readonly watcherToken?: TokenFile | undefined;
}

export interface LoadWatcherApp {
  readonly listener: RequestListener;
  /** From now on `/readyz` answers 503. */
  drain(): void;
}

/** All HTTP of the load-watcher, to be put behind any server. */
export function createLoadWatcherApp(
  options: LoadWatcherAppOptions,
  deps: LoadWatcherAppDeps,
): LoadWatcherApp {
  const { watcher, clock, log, watcherToken } = deps;
  const health = new HealthProbe(watcher, { clock, log });
  let draining = false;
  const ready = [
    { name: 'shutdown', problem: () => (draining ? 'the process is stopping' : undefined) },
    { name: 'data', problem: () => watcher.unready() },
  ];
  const app = createExpressApp(
    {
      errors: 'plain',
      routes: (routes) => {
        mountHealth(routes, { live: [], ready });
        mountPages(routes, options, deps);
      },
    },
    { log },
  );
  const listener = watcherHandler(watcher, health, app);
  return {
    listener: watcherToken === undefined ? listener : withToken(watcherToken, listener),
    drain: () => {
      draining = true;
      health.close();
    },
  };
}

function mountPages(routes: Express, options: LoadWatcherAppOptions, deps: LoadWatcherAppDeps): void {
  const { watcher, clock, metrics } = deps;
  const guard = debugGuard(options.debugTokenFile);
  routes.get('/metrics', async (_request, response) => {
    const { contentType, body } = await metrics.render();
    response.setHeader('Content-Type', contentType);
    response.end(body);
  });
  routes.get('/openapi.json', (_request, response) => void response.json(OPENAPI));
  routes.get('/configz', guard, (_request, response) => void response.json(options.config));
  routes.get('/debug/nodes', guard, async (_request, response) => {
    const body = await runInSlices(debugNodes(watcher, clock.nowMs()));
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.end(body);
  });
}

function debugGuard(tokenFile: string | undefined): RequestHandler {
  return async (request, _response, next) => {
    if (!(await mayDebug(request, tokenFile))) {
      throw new HttpError(
        403,
        'only for clients on this machine, or with the bearer token of --debug-token-file',
      );
    }
    next();
  };
}
