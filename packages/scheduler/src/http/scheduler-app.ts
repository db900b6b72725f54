import type { Pod } from '@catamaran/model';
import {
  answerHealth,
  createExpressApp,
  type HealthCheck,
  HttpError,
  type Logger,
  type MetricsRegistry,
  maskSecrets,
  mountHealth,
} from '@catamaran/platform';
import express, { type Express, type Request, type RequestHandler } from 'express';
import { type Explainer, UnknownProfileError } from '../service/explainer.js';
import type { Explanation } from '../service/explanation.js';
import { loopbackOnly } from './access/request-access.js';
import { OPENAPI } from './openapi.js';

export interface SchedulerAppOptions {
  /** Served at `/configz`, secrets masked. */
  readonly config: unknown;
  /** Only probes: for the plain port of the deprecated flags. */
  readonly probesOnly?: boolean;
}

export interface SchedulerAppDeps {
  readonly explainer: Explainer;
  readonly metrics: MetricsRegistry;
  readonly ready: readonly HealthCheck[];
  readonly log: Logger;
  /** Judges every request; without it probes are for everyone, all else for this machine. */
  readonly access?: RequestHandler;
}

/** Far above any pod; the API server takes 3 MiB. */
const MAX_POD_BYTES = '4mb';
const INSPECTION_PATHS = ['/metrics', '/configz', '/debug'];
const MAX_NODES = 10_000;
const MAX_DECISIONS = 1_000;
const DEFAULT_DECISIONS = 50;

/** Routes of the scheduler: probes, metrics, configuration and decisions. */
export function createSchedulerApp(options: SchedulerAppOptions, deps: SchedulerAppDeps): Express {
  return createExpressApp(
    {
      errors: 'json',
      routes: (app) => {
        if (options.probesOnly !== true) {
          app.use(deps.access === undefined ? INSPECTION_PATHS : '/', deps.access ?? loopbackOnly);
        }
        mountHealth(app, { live: [], ready: deps.ready });
        app.get('/healthz', (_request, response) => answerHealth(response, []));
        if (options.probesOnly !== true) {
          mountInspection(app, options, deps);
        }
      },
    },
    { log: deps.log },
  );
}

function mountInspection(app: Express, { config }: SchedulerAppOptions, deps: SchedulerAppDeps): void {
  const { explainer, metrics } = deps;
  app.get('/metrics', async (_request, response) => {
    const { contentType, body } = await metrics.render();
    response.set('Content-Type', contentType).send(body);
  });
  app.get('/openapi.json', (_request, response) => void response.json(OPENAPI));
  app.get('/configz', (_request, response) => {
    response.json({ 'kubescheduler.config.k8s.io': maskSecrets(config) });
  });
  app.get('/debug/decisions', async (request, response) => {
    const limit = countOf(request, 'limit', MAX_DECISIONS) ?? DEFAULT_DECISIONS;
    const items: Explanation[] = [];
    for (const explanation of explainer.eachRecorded(podKeyOf(request), maxNodesOf(request))) {
      if (items.length >= limit) {
        break;
      }
      items.push(explanation);
      // Scheduling goes on meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.json({ items });
  });
  app.post(
    '/debug/explain',
    express.json({ limit: MAX_POD_BYTES, type: () => true }),
    (request, response) => {
      response.json(judged(request, deps));
    },
  );
}

/** Whatever stands in the body, it is the client's: no odd pod is a failure of ours. */
function judged(request: Request, { explainer, log }: SchedulerAppDeps): Explanation {
  const pod = podOf(request.body);
  const profile = oneOf(request, 'profile');
  const options = { ...maxNodesOf(request), ...(profile === undefined ? {} : { profile }) };
  try {
    return explainer.hypothetical(pod, options);
  } catch (error) {
    if (error instanceof UnknownProfileError) throw new HttpError(400, error.message);
    log.warn('a pod to explain can not be judged', { error });
    throw new HttpError(400, `the pod can't be judged: ${(error as Error).message}`);
  }
}

function podKeyOf(request: Request): string | undefined {
  const pod = oneOf(request, 'pod');
  if (pod !== undefined && !/^[^/]+\/[^/]+$/.test(pod)) {
    throw new HttpError(400, `pod: expected namespace/name, got "${pod}"`);
  }
  return pod;
}

function maxNodesOf(request: Request): { readonly maxNodes?: number } {
  const maxNodes = countOf(request, 'nodes', MAX_NODES);
  return maxNodes === undefined ? {} : { maxNodes };
}

function countOf(request: Request, name: string, most: number): number | undefined {
  const text = oneOf(request, name);
  if (text === undefined) {
    return undefined;
  }
  if (!/^\d+$/.test(text) || Number(text) > most) {
    throw new HttpError(400, `${name}: expected a whole number from 0 to ${most}, got "${text}"`);
  }
  return Number(text);
}

function oneOf(request: Request, name: string): string | undefined {
  const value = request.query[name];
  if (value !== undefined && typeof value !== 'string') {
    throw new HttpError(400, `${name}: given more than once`);
  }
  return value;
}

/** Checks what the arithmetic relies on; the rest of the object may be anything. */
function podOf(body: unknown): Pod {
  const problem = podProblem(body);
  if (problem !== undefined) {
    throw new HttpError(400, `expected a Pod object as JSON: ${problem}`);
  }
  return body as Pod;
}

function podProblem(body: unknown): string | undefined {
  if (!isMap(body)) {
    return 'the body is not a JSON object';
  }
  if (body.kind !== undefined && body.kind !== 'Pod') {
    return `kind is ${JSON.stringify(body.kind)}`;
  }
  const { metadata, spec } = body;
  if (!isMap(metadata) || typeof metadata.name !== 'string' || metadata.name === '') {
    return 'metadata.name is missing';
  }
  if (!isMap(spec)) {
    return 'spec is missing';
  }
  const list = ['containers', 'initContainers', 'tolerations', 'volumes', 'schedulingGates'].find(
    (field) =>
      spec[field] !== undefined &&
      spec[field] !== null &&
      !(Array.isArray(spec[field]) && spec[field].every(isMap)),
  );
  return list === undefined ? undefined : `spec.${list} is not a list of objects`;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
