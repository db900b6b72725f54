const TEXT = { 'text/plain': { schema: { type: 'string' } } };

function reply(description: string, content?: object) {
  return content === undefined ? { description } : { description, content };
}

function get(summary: string, responses: object, more: object = {}) {
  return { get: { summary, responses, ...more } };
}

const METRIC = {
  type: 'object',
  required: ['name', 'type', 'operator', 'rollup', 'value'],
  properties: {
    name: { type: 'string', description: 'Where the figure comes from.' },
    type: { type: 'string', enum: ['CPU', 'Memory'] },
    operator: { type: 'string', enum: ['AVG', 'STD', 'Latest'] },
    rollup: { type: 'string', description: 'Window of the aggregate, or empty.' },
    value: { type: 'number', description: 'Percent of the capacity of the node.' },
  },
};

const NODE = {
  type: 'object',
  required: ['metrics', 'tags', 'metadata'],
  properties: {
    metrics: { type: 'array', items: METRIC },
    tags: { type: 'object' },
    metadata: { type: 'object', properties: { dataCenter: { type: 'string' } } },
  },
};

const UNIX_SECONDS = { type: 'integer', description: 'Unix seconds.' };

const DOCUMENT = {
  type: 'object',
  required: ['timestamp', 'window', 'source', 'data'],
  properties: {
    timestamp: UNIX_SECONDS,
    window: {
      type: 'object',
      properties: { duration: { type: 'string' }, start: UNIX_SECONDS, end: UNIX_SECONDS },
    },
    source: { type: 'string' },
    data: {
      type: 'object',
      properties: { NodeMetricsMap: { type: 'object', additionalProperties: NODE } },
    },
  },
};

const QUERY = [
  { name: 'host', in: 'query', schema: { type: 'string' }, description: 'Only this node; exact name.' },
  {
    name: 'window',
    in: 'query',
    schema: { type: 'string', enum: ['15m', '10m', '5m'] },
    description: 'By default the longest with data.',
  },
];

const LOCAL_ONLY = reply('Neither a client on this machine nor the token of --debug-token-file.', TEXT);

/** Served at `/openapi.json`. */
export const OPENAPI = {
  openapi: '3.1.0',
  info: { title: 'load-watcher', version: '1', description: 'Real utilisation of the nodes of a cluster.' },
  paths: {
    '/watcher': get(
      'Utilisation of all nodes, or of one',
      {
        200: reply('The document.', { 'application/json': { schema: DOCUMENT } }),
        304: reply('Unchanged since the given ETag.'),
        400: reply('Unknown window.', TEXT),
        401: reply('Without the token of --watcher-token-file, where that is given.', TEXT),
        404: reply('No figures of that host; text, though the header says JSON.'),
        405: reply('Another method than GET or HEAD.', TEXT),
        500: reply('No data, or none that is fresh enough; empty body.'),
      },
      { parameters: QUERY },
    ),
    '/watcher/health': get('Whether the source answers', {
      200: reply('It does.'),
      503: reply('It does not, or all figures are too old.'),
    }),
    '/livez': get('Whether the process works', { 200: reply('It does.', TEXT) }),
    '/readyz': get('Whether there is data to serve', {
      200: reply('There is.', TEXT),
      503: reply('Why not.', TEXT),
    }),
    '/metrics': get('Metrics of the load-watcher itself', {
      200: reply('In the text format of Prometheus.', TEXT),
    }),
    '/configz': get('Effective options, secrets masked', {
      200: reply('Options by name.', { 'application/json': {} }),
      403: LOCAL_ONLY,
    }),
    '/debug/nodes': get('Sources and sample age of each figure, and why others are missing', {
      200: reply('By node, and by series that belong to none.', { 'application/json': {} }),
      403: LOCAL_ONLY,
    }),
  },
} as const;
