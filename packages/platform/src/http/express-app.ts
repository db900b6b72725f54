import express, { type ErrorRequestHandler, type Express, type Response } from 'express';
import type { Logger } from '../log/logger.js';

/** A failure that the client may read: its message is the body. Anything else thrown by a route is answered 500. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface ExpressAppOptions {
  /** Shape of error bodies: a line of text, or `{"error": "…"}`. */
  readonly errors: 'plain' | 'json';
  /** Adds the routes; called once, before the handlers for unknown paths and errors are put behind them. */
  readonly routes: (app: Express) => void;
}

/**
 * An express application without its noise: no `X-Powered-By`, no entity tags of its own, query strings without
 * nesting, paths matched exactly. Errors never show a stack; unexpected ones are logged.
 */
export function createExpressApp(options: ExpressAppOptions, deps: { readonly log: Logger }): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  options.routes(app);
  app.use((_request, response) =>
    sendError(response, { ...options, status: 404, message: '404 page not found' }),
  );
  app.use(errorHandler(options, deps.log));
  return app;
}

function errorHandler(options: ExpressAppOptions, log: Logger): ErrorRequestHandler {
  // oxlint-disable-next-line max-params -- express tells an error handler by its four parameters
  return (error: unknown, request, response, _next) => {
    const status = clientErrorStatus(error);
    if (status === undefined) {
      log.error('request failed', { method: request.method, path: request.path, error });
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    sendError(response, {
      ...options,
      status: status ?? 500,
      message: status === undefined ? 'internal error' : (error as Error).message,
    });
  };
}

/** The status of an error that blames the client: ours, or one of express and its body parsers. */
function clientErrorStatus(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') {
    return undefined;
  }
  return error instanceof HttpError || (error.status >= 400 && error.status < 500) ? error.status : undefined;
}

function sendError(
  response: Response,
  error: { readonly errors: 'plain' | 'json'; readonly status: number; readonly message: string },
): void {
  response.status(error.status);
  response.set('X-Content-Type-Options', 'nosniff');
  if (error.errors === 'json') {
    response.json({ error: error.message });
  } else {
    response.type('text/plain').send(`${error.message}\n`);
  }
}
