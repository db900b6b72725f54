import { type Logger, silentLogger } from '@catamaran/platform';
import { expect } from 'chai';
import { SchedulerNames } from './scheduler-names.js';

const START_MS = 1_800_000_000_000;
const MINUTE_MS = 60_000;

describe('SchedulerNames', () => {
  let said: unknown[];
  let names: SchedulerNames;
  beforeEach(() => {
    said = [];
    const log: Logger = { ...silentLogger, warn: (message, fields) => void said.push([message, fields]) };
    names = new SchedulerNames(['custom-scheduler', 'spare'], START_MS, log);
  });

  const unserved = (schedulerName: string, more = {}) => [
    'pods wait for a scheduler that is none of the profiles here',
    { schedulerName, ...more, profiles: ['custom-scheduler', 'spare'] },
  ];
  const unused = (schedulerName: string) => [
    'no pod has named the scheduler of this profile',
    { schedulerName },
  ];

  it('a name that is nearly one of ours is said at once, and once', () => {
    names.heard('a', 'my-custom-scheduler', START_MS);
    names.heard('b', 'my-custom-scheduler', START_MS);
    names.report(START_MS + 9 * MINUTE_MS);
    expect(said).to.deep.equal([unserved('my-custom-scheduler', { didYouMean: 'custom-scheduler' })]);
  });

  it('any other scheduler has five minutes to place its pods', () => {
    names.heard('a', 'default-scheduler', START_MS);
    names.heard('b', 'volcano', START_MS);
    names.settled('a');
    names.report(START_MS + 5 * MINUTE_MS - 1);
    expect(said).to.deep.equal([]);
    names.heard('b', 'volcano', START_MS + 5 * MINUTE_MS);
    names.report(START_MS + 5 * MINUTE_MS);
    expect(said).to.deep.equal([unserved('volcano')]);
  });

  it('a profile that no pod names is said after ten minutes', () => {
    names.heard('a', 'custom-scheduler', START_MS);
    names.report(START_MS + 10 * MINUTE_MS - 1);
    expect(said).to.deep.equal([]);
    names.report(START_MS + 10 * MINUTE_MS);
    names.report(START_MS + 11 * MINUTE_MS);
    expect(said).to.deep.equal([unused('spare')]);
  });
});
