import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { loadSchedulerConfig } from './load-scheduler-config.js';

const FOLDER = new URL('../../../../docs/samples/', import.meta.url);

const HEAD = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };
const PROMETHEUS = 'http://prometheus:9090';

/** Sentence, YAML of a file that gives all that could be called missing. */
const WHOLE: readonly (readonly [string, string])[] = [
  [
    'two profiles',
    `
leaderElection: {leaderElect: true, leaseDuration: 60s, renewDeadline: 30s, retryPeriod: 20s}
podInitialBackoffSeconds: 20
podMaxBackoffSeconds: 30
profiles:
- schedulerName: one
  plugins: {multiPoint: {disabled: [{name: '*'}], enabled: [{name: PrioritySort}, {name: DefaultBinder}]}}
- schedulerName: two`,
  ],
  [
    'LoadCeiling',
    `
profiles:
- plugins: {filter: {enabled: [{name: LoadCeiling}]}}
  pluginConfig:
  - name: LoadCeiling
    args:
      metricsMaxAge: 1m
      ceilings: {network: 95}
      priorityClasses: [{name: high, ceilings: {cpu: 90}}]
      signals: [{name: network, promQL: network, capacity: capacity, maxAge: 3m}]
      prometheus: {address: '${PROMETHEUS}', tokenFile: /token}`,
  ],
  [
    'NodeSignals',
    `
profiles:
- plugins: {score: {enabled: [{name: NodeSignals}]}}
  pluginConfig:
  - name: NodeSignals
    args:
      prometheus: {address: '${PROMETHEUS}'}
      signals:
      - {name: packed, promQL: a, unit: percent, direction: pack, target: 60, ceiling: 90}
      - {name: avoided, promQL: b, unit: ratio, direction: avoid, ceiling: 90, missing: skip}`,
  ],
  [
    'Peaks and NetworkTraffic',
    `
profiles:
- plugins: {score: {enabled: [{name: Peaks, weight: 2}, {name: NetworkTraffic}]}}
  pluginConfig:
  - name: Peaks
    args: {nodePowerModel: {n1: {k0: 400, k1: -90, k2: -0.07}}, metricsMaxAge: 5m}
  - name: NetworkTraffic
    args: {ip: '${PROMETHEUS}', timeRange: 30, deviceName: eth0}`,
  ],
  [
    'plugins of kube-scheduler',
    `
profiles:
- pluginConfig:
  - name: NodeResourcesFit
    args:
      scoringStrategy:
        type: RequestedToCapacityRatio
        resources: [{name: memory, weight: 3}]
        requestedToCapacityRatio: {shape: [{utilization: 50, score: 0}, {utilization: 60, score: 10}]}
  - name: PodTopologySpread
    args: {defaultingType: List, defaultConstraints: [{maxSkew: 1, topologyKey: z, whenUnsatisfiable: ScheduleAnyway}]}
  - name: NodeAffinity
    args:
      addedAffinity:
        preferredDuringSchedulingIgnoredDuringExecution: [{weight: 5, preference: {matchExpressions: [{key: a, operator: Exists}]}}]`,
  ],
];

type Steps = readonly (string | number)[];

/** The way to every value of a file. */
function waysIn(value: unknown, way: Steps = []): readonly Steps[] {
  if (typeof value !== 'object' || value === null) return [way];
  const steps = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
  const inner = steps.flatMap((step) =>
    waysIn((value as Readonly<Record<string | number, unknown>>)[step], [...way, step]),
  );
  return way.length === 0 ? inner : [way, ...inner];
}

const pathOf = (way: Steps): string =>
  way
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);

/** A copy whose value at the end of the way is another, under another name. */
function damaged(root: unknown, way: Steps, { value, name }: { value?: unknown; name?: string }): unknown {
  const copy = structuredClone(root);
  const last = way.at(-1) ?? '';
  const holder = way.slice(0, -1).reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], copy);
  const fields = holder as Record<string | number, unknown>;
  const old = fields[last];
  if (name !== undefined) delete fields[last];
  fields[name ?? last] = value ?? old;
  return copy;
}

const NOT_THERE = /missing|there is none|is needed|needs|is empty|not measured|required|at least one|must/;

function problemsOf(root: unknown): readonly string[] {
  const loaded = loadSchedulerConfig(JSON.stringify(root), 'c.json');
  return loaded.ok ? [] : loaded.problems;
}

const FILES: readonly (readonly [string, unknown])[] = [
  ...WHOLE.map(([name, text]) => [name, { ...HEAD, ...(parse(text) as object) }] as const),
  ...readdirSync(FOLDER).map((name) => [name, parse(readFileSync(new URL(name, FOLDER), 'utf8'))] as const),
];

describe('nothing is called missing because it is wrong:', function () {
  this.timeout(60_000);

  for (const [name, root] of FILES) {
    const ways = waysIn(root).filter(([first]) => first !== 'apiVersion' && first !== 'kind');

    it(`${name} is good as it is`, () => {
      expect(problemsOf(root)).to.deep.equal([]);
    });

    for (const [what, value] of [
      ['a map', { nonsense: [] }],
      ['a list', [['nonsense']]],
      ['a number', -4711],
      ['a text', 'some nonsense!'],
    ] as const) {
      it(`${name}: ${what} in place of each value`, () => {
        for (const way of ways) {
          // Under another name the args are those of another plugin.
          if (way.at(-1) === 'name' && way.at(-3) === 'pluginConfig') continue;
          for (const problem of problemsOf(damaged(root, way, { value }))) {
            expect(problem.startsWith(pathOf(way)), `${pathOf(way)}: ${problem}`).to.equal(true);
          }
        }
      });
    }

    it(`${name}: a name of a field with a letter too few has one problem, and that names the right one`, () => {
      for (const way of ways) {
        const last = way.at(-1);
        // Names of signals, nodes and figures are the user's own.
        const isOpen = ['nodePowerModel', 'ceilings'].includes(String(way.at(-2)));
        if (typeof last !== 'string' || last.length < 6 || isOpen) continue;
        const typo = last.slice(0, -2) + last.slice(-1);
        const problems = problemsOf(damaged(root, way, { name: typo }));
        expect(problems.length, `${pathOf(way)}: ${problems.join('; ')}`).to.equal(1);
        expect(problems[0]).to.include(`unknown field "${typo}": did you mean "${last}"?`);
      }
    });

    it(`${name}: what is left out is called so once at most`, () => {
      for (const way of ways) {
        const problems = problemsOf(damaged(root, way, { value: null }));
        const missing = problems.filter((text) => NOT_THERE.test(text));
        expect(missing.length, `${pathOf(way)}: ${problems.join('; ')}`).to.be.at.most(1);
      }
    });
  }
});
