import { expect } from 'chai';
import { ageSince } from './age.js';

const THEN = '2026-11-30T15:00:00Z';
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('ageSince', () => {
  const rows: [seconds: number, expected: string][] = [
    [-5, '0s'],
    [0, '0s'],
    [119, '119s'],
    [120, '2m'],
    [10 * MINUTE - 1, '9m59s'],
    [10 * MINUTE + 5, '10m'],
    [3 * HOUR - 1, '179m'],
    [3 * HOUR, '3h'],
    [7 * HOUR + 59 * MINUTE, '7h59m'],
    [8 * HOUR + 59 * MINUTE, '8h'],
    [2 * DAY - 1, '47h'],
    [2 * DAY, '2d'],
    [7 * DAY + 23 * HOUR, '7d23h'],
    [8 * DAY + 23 * HOUR, '8d'],
    [2 * 365 * DAY - 1, '729d'],
    [3 * 365 * DAY + DAY, '3y1d'],
    [9 * 365 * DAY + DAY, '9y'],
  ];
  for (const [seconds, expected] of rows) {
    it(`shows ${seconds} s as ${expected}`, () => {
      expect(ageSince(THEN, Date.parse(THEN) + seconds * 1000)).to.equal(expected);
    });
  }

  it('knows no age without a time', () => {
    expect([ageSince(undefined, 0), ageSince('soon', 0)]).to.deep.equal(['<unknown>', '<unknown>']);
  });
});
