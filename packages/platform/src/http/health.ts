import type { ServerResponse } from 'node:http';
import type { Express } from 'express';

/** One thing that must be right; asked at each probe, so cheap and without I/O. */
export interface HealthCheck {
  readonly name: string;
  /** Undefined when all is well, else one sentence. */
  problem(): string | undefined;
}

export interface HealthChecks {
  /** Only what a restart of the process would mend. Usually empty: answering at all is the proof. */
  readonly live: readonly HealthCheck[];
  /** What must be right before traffic makes sense. */
  readonly ready: readonly HealthCheck[];
}

/** Answers a probe: 200 `ok`, or 503 with a line for each check that failed. */
export function answerHealth(response: ServerResponse, checks: readonly HealthCheck[]): void {
  const failures = checks.flatMap((check) => {
    const text = check.problem();
    return text === undefined ? [] : [`${check.name}: ${text}`];
  });
  response.statusCode = failures.length === 0 ? 200 : 503;
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.end(failures.length === 0 ? 'ok' : `${failures.join('\n')}\n`);
}

/** Routes `/livez` and `/readyz`. */
export function mountHealth(app: Express, checks: HealthChecks): void {
  app.get('/livez', (_request, response) => answerHealth(response, checks.live));
  app.get('/readyz', (_request, response) => answerHealth(response, checks.ready));
}
