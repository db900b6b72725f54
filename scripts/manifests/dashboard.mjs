// The Grafana dashboard, from the metrics that the code registers: each has a panel.

const WIDTH = 8;
const HEIGHT = 7;
const COLUMNS = 3;
const JOB = 'job="catamaran"';
const DATASOURCE = { type: 'prometheus', uid: '$datasource' };

const PROCESS_PANELS = [
  { title: 'Memory', unit: 'bytes', expr: `process_resident_memory_bytes{${JOB}}`, legend: '{{container}}' },
  {
    title: 'CPU',
    unit: 'none',
    expr: `rate(process_cpu_seconds_total{${JOB}}[$__rate_interval])`,
    legend: '{{container}}',
  },
  {
    title: 'Event loop lag, p99',
    unit: 's',
    expr: `nodejs_eventloop_lag_p99_seconds{${JOB}}`,
    legend: '{{container}}',
  },
];

/** The dashboard as a JSON object. */
export function dashboard({ scheduler, loadWatcher }) {
  const rows = [
    ['Load figures', scheduler.filter(isOfLoad).map(panelOf)],
    ['Scheduling', scheduler.filter((spec) => !isOfLoad(spec)).map(panelOf)],
    ['Load-watcher', loadWatcher.map(panelOf)],
    ['Processes', PROCESS_PANELS],
  ];
  return {
    uid: 'catamaran',
    title: 'Catamaran',
    tags: ['kubernetes', 'scheduling'],
    timezone: 'browser',
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' }],
    },
    panels: placed(rows),
  };
}

function isOfLoad({ name }) {
  return /^catamaran_scheduler_(load|signal)_/.test(name);
}

function panelOf({ name, type, help, labels = [] }) {
  const selector = `{${JOB}}`;
  const about = { title: titleOf(name), description: `${name}: ${help}` };
  const legend = labels.map((label) => `{{${label}}}`).join(' ') || 'value';
  if (type === 'histogram') {
    const by = ['le', ...labels].join(', ');
    const rate = `sum by (${by}) (rate(${name}_bucket${selector}[$__rate_interval]))`;
    return {
      ...about,
      unit: unitOf(name),
      expr: `histogram_quantile(0.99, ${rate})`,
      legend: `p99 ${legend}`,
    };
  }
  if (type === 'counter') {
    const rate = `rate(${name}${selector}[$__rate_interval])`;
    const expr = labels.length === 0 ? `sum(${rate})` : `sum by (${labels.join(', ')}) (${rate})`;
    return { ...about, unit: 'ops', expr, legend };
  }
  if (name.endsWith('_timestamp_seconds')) {
    return {
      ...about,
      title: `${titleOf(name)}, age`,
      unit: 's',
      expr: `time() - ${name}${selector}`,
      legend,
    };
  }
  return { ...about, unit: unitOf(name), expr: `${name}${selector}`, legend };
}

function titleOf(name) {
  const words = name
    .replace(/^(catamaran_scheduler|scheduler|load_watcher)_/, '')
    .replace(/_(total|seconds)$/, '')
    .replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function unitOf(name) {
  return name.endsWith('_seconds') ? 's' : name.endsWith('_bytes') ? 'bytes' : 'none';
}

/** Rows of three panels each, under their headings. */
function placed(rows) {
  const panels = [];
  let y = 0;
  for (const [title, contents] of rows) {
    panels.push({
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y, w: WIDTH * COLUMNS, h: 1 },
      panels: [],
    });
    y += 1;
    contents.forEach((content, index) => {
      const gridPos = {
        x: (index % COLUMNS) * WIDTH,
        y: y + Math.floor(index / COLUMNS) * HEIGHT,
        w: WIDTH,
        h: HEIGHT,
      };
      panels.push(timeSeries(content, gridPos));
    });
    y += Math.ceil(contents.length / COLUMNS) * HEIGHT;
  }
  return panels.map((panel, index) => ({ id: index + 1, ...panel }));
}

function timeSeries({ title, description, unit, expr, legend }, gridPos) {
  return {
    type: 'timeseries',
    title,
    ...(description === undefined ? {} : { description }),
    datasource: DATASOURCE,
    gridPos,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: [{ refId: 'A', datasource: DATASOURCE, expr, legendFormat: legend }],
  };
}
