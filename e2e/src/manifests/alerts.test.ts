import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse, stringify } from 'yaml';
import { ROOT } from '../images/build-images.js';
import { runCommand } from '../images/run-command.js';

interface RuleTests {
  readonly tests: readonly {
    readonly alert_rule_test: readonly {
      readonly alertname: string;
      readonly exp_alerts?: readonly unknown[];
    }[];
  }[];
}

describe('the alerts, read by promtool', () => {
  let folder: string;
  let alerts: readonly string[];
  let tests: RuleTests;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catamaran-alerts-'));
    const file = (name: string): Promise<string> => readFile(join(ROOT, 'k8s', 'alerts', name), 'utf8');
    const { spec } = parse(await file('prometheus-rule.yaml')) as {
      readonly spec: {
        readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
      };
    };
    alerts = spec.groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    tests = parse(await file('rule-tests.yaml')) as RuleTests;
    await writeFile(join(folder, 'rules.yaml'), stringify(spec));
    await writeFile(join(folder, 'tests.yaml'), stringify({ rule_files: ['rules.yaml'], ...tests }));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('parse', async () => {
    expect(await runCommand('promtool', ['check', 'rules', join(folder, 'rules.yaml')])).to.include(
      `SUCCESS: ${alerts.length} rules found`,
    );
  });

  it('fire when they should, and not before', async () => {
    await runCommand('promtool', ['test', 'rules', 'tests.yaml'], { cwd: folder });
  });

  it('each has a case in which it fires, and one in which it does not', () => {
    const cases = tests.tests.flatMap(({ alert_rule_test }) => alert_rule_test);
    const named = (fires: boolean): ReadonlySet<string> =>
      new Set(
        cases
          .filter(({ exp_alerts = [] }) => exp_alerts.length > 0 === fires)
          .map(({ alertname }) => alertname),
      );
    expect([...alerts].filter((alert) => !named(true).has(alert))).to.deep.equal([]);
    expect([...alerts].filter((alert) => !named(false).has(alert))).to.deep.equal([]);
  });
});
