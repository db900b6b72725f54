import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { loadPoliciesOf } from '../service/load-source.js';
import { loadSchedulerConfig } from './load-scheduler-config.js';

const FOLDER = new URL('../../../../docs/samples/', import.meta.url);

describe('the sample configurations', () => {
  const samples = readdirSync(FOLDER).filter((name) => name.startsWith('scheduler-'));

  it('are there', () => {
    expect(samples).to.include('scheduler-with-load-watcher.yaml');
  });

  for (const name of samples) {
    it(`${name} loads without a remark and lets figures get old`, () => {
      const loaded = loadSchedulerConfig(readFileSync(new URL(name, FOLDER), 'utf8'), name);
      expect(loaded.ok ? loaded.warnings : loaded.problems).to.deep.equal([]);
      const policies = loaded.ok ? loaded.config.profiles.flatMap(loadPoliciesOf) : [];
      expect(policies.map(({ maxAgeMs, fallbacks }) => [maxAgeMs, ...fallbacks])).to.deep.equal([
        [300_000, { maxAgeMs: 300_000, text: 'TargetLoadPacking goes by requests (whenBlind: useRequests)' }],
      ]);
    });
  }
});
