import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { parse } from 'yaml';
import { effectiveConfigText } from './effective-document.js';
import { defaultSchedulerConfig, loadSchedulerConfig } from './load-scheduler-config.js';

const HEAD = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };
const SAMPLES = new URL('../../../../docs/samples/', import.meta.url);
const PUBLISHED = new URL('./testdata/', import.meta.url);

/** Reads the text, writes what is effective, and reads that. */
function checkAgain(text: string): void {
  const loaded = loadSchedulerConfig(text, 'c.yaml');
  expect(loaded.ok ? [] : loaded.problems).to.deep.equal([]);
  if (!loaded.ok) throw new Error('not loaded');
  const written = loadSchedulerConfig(effectiveConfigText(loaded.config, loaded.document), 'w.yaml');
  expect(written.ok ? written.config : written.problems).to.deep.equal(loaded.config);
}

describe('the effective configuration, written', () => {
  for (const folder of [SAMPLES, PUBLISHED]) {
    for (const name of readdirSync(folder)) {
      it(`${name}: means the same when it is read again`, () => {
        checkAgain(readFileSync(new URL(name, folder), 'utf8'));
      });
    }
  }

  it('is kube-scheduler defaults without a file, each written out', () => {
    const text = effectiveConfigText(defaultSchedulerConfig(), undefined);
    const loaded = loadSchedulerConfig(text, 'w.yaml');
    expect(loaded.ok ? loaded.config : loaded.problems).to.deep.equal(defaultSchedulerConfig());
    expect(loaded.warnings).to.deep.equal([]);
    const document = parse(text) as Readonly<Record<string, unknown>>;
    expect(document).to.deep.include({ ...HEAD, parallelism: 16, podMaxBackoffSeconds: 10 });
    expect(document.leaderElection).to.deep.include({ leaseDuration: '15s', renewDeadline: '10s' });
  });

  it('means the same when it is read again, whatever the file', () => {
    const seconds = fc.integer({ min: 1, max: 9 });
    const file = fc.record({
      leaderElection: fc.record(
        { leaseDuration: seconds.map((each) => `${each}m1.5s`) },
        { requiredKeys: [] },
      ),
      clientConnection: fc.record({ qps: fc.integer({ min: -1, max: 99 }), burst: fc.nat(99) }),
      percentageOfNodesToScore: fc.option(fc.nat(100)),
      profiles: fc.uniqueArray(
        fc.record(
          {
            schedulerName: fc.constantFrom('a', 'b', 'no', '1e3'),
            percentageOfNodesToScore: fc.nat(100),
            plugins: fc.record({
              score: fc.constantFrom(
                { enabled: [{ name: 'TargetLoadPacking', weight: 3 }] },
                { disabled: [{ name: '*' }], enabled: [{ name: 'NodeAffinity' }] },
              ),
            }),
            pluginConfig: fc.constantFrom(
              [{ name: 'DynamicResources', args: { filterTimeout: '1500ms' } }],
              [{ name: 'TargetLoadPacking', args: { targetUtilization: 55, metricsMaxAge: '5m' } }],
              [{ name: 'NodeResourcesFit', args: { scoringStrategy: { type: 'MostAllocated' } } }],
            ),
          },
          { requiredKeys: ['schedulerName'] },
        ),
        { selector: ({ schedulerName }) => schedulerName, maxLength: 3 },
      ),
    });
    fc.assert(
      fc.property(file, (body) => checkAgain(JSON.stringify({ ...HEAD, ...body }))),
      { numRuns: 40 },
    );
  });
});
