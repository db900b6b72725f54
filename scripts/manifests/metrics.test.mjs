import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../paths.mjs';
import { metricSpecs, processMetricNames } from './metric-specs.mjs';

/** What Prometheus itself says of a target. */
const SCRAPE_METRICS = ['up'];

/** Names with a selector in a PromQL text: all of ours have one, for the job. */
function metricsIn(text) {
  return [...text.matchAll(/([a-zA-Z_:][\w:]*)\{/g)].map((match) => match[1]);
}

/** Words of a PromQL text that could be a metric without a selector. */
function bareNames(text) {
  const known = /^(histogram_quantile|sum|max|by|on|and|or|rate|deriv|time|absent|le)$/;
  const rest = text
    .replace(/[a-zA-Z_:][\w:]*\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(by|on) \([^)]*\)/g, '');
  return [...rest.matchAll(/\b[a-z_]\w*/gi)].map((match) => match[0]).filter((word) => !known.test(word));
}

describe('dashboard and alerts', () => {
  const rules = readFileSync(join(ROOT, 'k8s/alerts/prometheus-rule.yaml'), 'utf8');
  const dashboard = JSON.parse(readFileSync(join(ROOT, 'k8s/dashboards/catamaran.json'), 'utf8'));
  const ofDashboard = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const ofRules = [...rules.matchAll(/expr: (?:\|-\n((?: {12,}.*\n)+)|(.*)\n)/g)].map(
    (match) => match[1] ?? match[2],
  );
  let specs;
  let existing;
  before(async () => {
    const { scheduler, loadWatcher } = await metricSpecs();
    specs = [...scheduler, ...loadWatcher];
    existing = new Set([
      ...specs.flatMap(({ name, type }) => (type === 'histogram' ? [`${name}_bucket`] : [name])),
      ...(await processMetricNames()),
      ...SCRAPE_METRICS,
    ]);
  });

  it('there are seven alerts, and a panel for each metric', () => {
    expect(ofRules).to.have.length(rules.match(/- alert:/g).length);
    expect(ofRules).to.have.length.above(4);
    expect(ofDashboard).to.have.length.above(15);
  });

  it('every metric in an alert or on the dashboard exists in the code', () => {
    for (const expr of [...ofRules, ...ofDashboard]) {
      expect(metricsIn(expr), expr).not.to.have.length(0);
      expect(
        metricsIn(expr).filter((name) => !existing.has(name)),
        expr,
      ).to.deep.equal([]);
      expect(bareNames(expr), expr).to.deep.equal([]);
    }
  });

  it('every metric of the code is on the dashboard', () => {
    const shown = new Set(ofDashboard.flatMap(metricsIn));
    const hidden = specs.filter(
      ({ name, type }) => !shown.has(type === 'histogram' ? `${name}_bucket` : name),
    );
    expect(hidden.map(({ name }) => name)).to.deep.equal([]);
  });

  it('labels that alerts ask for are labels of those metrics, or of every target', () => {
    const labelsOf = new Map(specs.map(({ name, labels = [] }) => [name, labels]));
    const ofTargets = ['job', 'namespace', 'endpoint'];
    for (const [, name, selector] of rules.matchAll(/([a-z_]+)\{([^}]*)\}/g)) {
      const asked = [...selector.matchAll(/(\w+)\s*(?:=~|!=|!~|=)/g)].map((match) => match[1]);
      for (const label of asked.filter((word) => !ofTargets.includes(word) && labelsOf.has(name))) {
        expect(labelsOf.get(name), `${name}{${label}}`).to.include(label);
      }
    }
  });
});
