import { expect } from 'chai';
import { rateLimitWaitMs } from './rate-limit.js';

const NOW_MS = Date.parse('2027-01-15T08:00:00Z');

describe('wait after an answer of a service that counts calls', () => {
  const rows: [
    sentence: string,
    status: number,
    headers: Record<string, string>,
    waitMs: number | undefined,
  ][] = [
    ['a good answer: none', 200, {}, undefined],
    ['a 429 with Retry-After in seconds: that long', 429, { 'retry-after': '120' }, 120_000],
    [
      'a 429 with Retry-After as a date: until then',
      429,
      { 'retry-after': 'Fri, 15 Jan 2027 08:01:30 GMT' },
      90_000,
    ],
    ['a 429 with a date that is past: none', 429, { 'retry-after': 'Fri, 15 Jan 2027 07:59:00 GMT' }, 0],
    ["a 429 with Datadog's reset: that long", 429, { 'x-ratelimit-reset': '33' }, 33_000],
    ['a 429 with both: the longer one', 429, { 'retry-after': '10', 'x-ratelimit-reset': '33' }, 33_000],
    ['a 429 without either: a minute', 429, {}, 60_000],
    ['a 429 with nonsense: a minute', 429, { 'retry-after': 'soon 2' }, 60_000],
    ['a 429 with a negative number: a minute', 429, { 'retry-after': '-5' }, 60_000],
    ['a 429 with a wait of days: an hour', 429, { 'retry-after': '999999' }, 3_600_000],
    ['a 503 with Retry-After: that long', 503, { 'retry-after': '7' }, 7_000],
    ['a 503 without: none, it is retried', 503, {}, undefined],
    [
      'a good answer that used up the quota: until the reset',
      200,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '45' },
      45_000,
    ],
    [
      'a good answer with quota left: none',
      200,
      { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '45' },
      undefined,
    ],
  ];
  for (const [sentence, status, headers, waitMs] of rows) {
    it(sentence, () => {
      expect(rateLimitWaitMs({ status, headers }, NOW_MS)).to.equal(waitMs);
    });
  }
});
