import { FIGURE_GAPS } from '../core/plugins/load-ceiling/figures.js';

const TEXT = { 'text/plain': { schema: { type: 'string' } } };
const JSON_BODY = { 'application/json': {} };

const SCORED_NODE = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    rejectedBy: { type: 'string', description: 'The filter that refused it.' },
    reason: { type: 'string' },
    scores: {
      type: 'object',
      additionalProperties: { type: 'number' },
      description: 'Points by plugin, times weight.',
    },
    total: { type: 'number' },
  },
};

const FILTER_GAP = {
  type: 'object',
  required: ['plugin', 'figure', 'reason', 'nodes'],
  properties: {
    plugin: { type: 'string' },
    figure: { type: 'string' },
    reason: { enum: FIGURE_GAPS },
    ageSeconds: { type: 'number' },
    maxAgeSeconds: { type: 'number' },
    nodes: { type: 'integer' },
  },
};

const EXPLANATION = {
  type: 'object',
  required: ['pod', 'uid', 'time', 'profile', 'chosen', 'nodes', 'omittedNodes'],
  properties: {
    pod: { type: 'string', description: 'namespace/name' },
    uid: { type: 'string' },
    time: { type: 'string', format: 'date-time' },
    profile: { type: 'string' },
    chosen: { type: ['string', 'null'], description: 'The node; null when none was found.' },
    message: { type: 'string', description: 'Why it was not placed, or is not tried yet.' },
    loadAgeSeconds: { type: 'number' },
    gaps: {
      type: 'array',
      items: FILTER_GAP,
      description: 'What filters could not check on nodes that passed them.',
    },
    nodes: { type: 'array', items: SCORED_NODE, description: 'Best first, then the refused ones.' },
    omittedNodes: { type: 'integer' },
  },
};

const NODES = {
  name: 'nodes',
  in: 'query',
  schema: { type: 'integer', minimum: 0, maximum: 10_000 },
  description: 'Nodes to list of each decision.',
};

const DECISIONS_QUERY = [
  { name: 'pod', in: 'query', schema: { type: 'string' }, description: 'Only this pod: namespace/name.' },
  { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 0, maximum: 1000 } },
  NODES,
];

/** Answers of what is not for everybody. */
const GUARDED = {
  401: reply('Credentials of nobody, or a token that the API server could not be asked about.', JSON_BODY),
  403: reply('The API server says that they may not.', JSON_BODY),
  500: reply('It could not be asked whether they may.', JSON_BODY),
  503: reply('Too many are being asked about: try again.', JSON_BODY),
};

/** Served at `/openapi.json`. */
export const OPENAPI = {
  openapi: '3.1.0',
  info: { title: 'scheduler', version: '1', description: 'Probes, metrics and decisions of the scheduler.' },
  paths: {
    '/livez': probe('Whether the process works'),
    '/healthz': probe('The same, under its old name'),
    '/readyz': probe('Whether it schedules'),
    '/metrics': get('Metrics', { 200: reply('In the text format of Prometheus.', TEXT) }),
    '/configz': get('Effective configuration, secrets masked', {
      200: reply('By `kubescheduler.config.k8s.io`.', JSON_BODY),
    }),
    '/debug/decisions': get(
      'The last decisions, newest first',
      { 200: reply('Decisions.', listOf(EXPLANATION)), 400: reply('A wrong parameter.', JSON_BODY) },
      { parameters: DECISIONS_QUERY },
    ),
    '/debug/explain': {
      post: {
        summary: 'Where a pod would go now; nothing is bound',
        parameters: [NODES],
        requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
        responses: {
          200: reply('The decision.', { 'application/json': { schema: EXPLANATION } }),
          400: reply('No pod.', JSON_BODY),
          413: reply('Larger than 4 MiB.', JSON_BODY),
          ...GUARDED,
        },
      },
    },
  },
} as const;

function reply(description: string, content?: object) {
  return content === undefined ? { description } : { description, content };
}

function get(summary: string, responses: object, more: object = {}) {
  return { get: { summary, responses: { ...responses, ...GUARDED }, ...more } };
}

function probe(summary: string) {
  return { get: { summary, responses: { 200: reply('Yes.', TEXT), 503: reply('Why not.', TEXT) } } };
}

function listOf(items: object) {
  const schema = {
    type: 'object',
    required: ['items'],
    properties: { items: { type: 'array', items } },
  };
  return { 'application/json': { schema } };
}
