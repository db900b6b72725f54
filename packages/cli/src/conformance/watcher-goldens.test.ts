import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Entry } from './format.js';
import { watcherGoldens } from './watcher-goldens.js';
import {
  asGoldenFile,
  type GoldenExchange,
  type GoldenFile,
  recordedAnswer,
} from './watcher-goldens-file.js';

const document: unknown = JSON.parse(
  readFileSync(new URL('../../../../conformance/watcher-goldens.json', import.meta.url), 'utf8'),
);

function goldens(): GoldenFile {
  const file = asGoldenFile(document);
  if (file === undefined) throw new Error('conformance/watcher-goldens.json has no scenarios');
  return file;
}

function entriesOf(file: unknown): readonly Entry[] {
  return watcherGoldens.entries([file]) ?? [];
}

/** The file with one exchange changed. */
function withExchange(change: (exchange: GoldenExchange) => GoldenExchange): GoldenFile {
  const file = goldens();
  return {
    ...file,
    scenarios: file.scenarios.map((scenario) => ({ ...scenario, exchanges: scenario.exchanges.map(change) })),
  };
}

describe('watcher goldens', () => {
  for (const entry of entriesOf(document)) {
    it(entry.id, async () => {
      expect(await entry.run()).to.deep.equal({ kind: 'passed' });
    });
  }

  it('every deliberate deviation says why', () => {
    for (const { exchanges } of goldens().scenarios) {
      for (const { expect: expected, why } of exchanges)
        expect(why === undefined).to.equal(expected === undefined);
    }
  });

  it('what has no expectation matches the recording: nothing passes by only not showing a defect', async () => {
    const strict = withExchange((exchange) => ({ expect: recordedAnswer(exchange), ...exchange }));
    for (const entry of entriesOf(strict))
      expect(await entry.run(), entry.id).to.deep.equal({ kind: 'passed' });
  }).timeout(20_000);

  it('without expectations, what shows a listed defect must not show it here', async () => {
    const bare = entriesOf(withExchange(({ expect: _expect, why: _why, ...exchange }) => exchange));
    const deviating = entriesOf(document)
      .map((_, index) => index)
      .filter((index) => hasExpectation(index));
    for (const index of deviating)
      expect(await bare[index]?.run(), bare[index]?.id).to.deep.equal({ kind: 'passed' });
  });

  const tampered: [what: string, id: string, change: (exchange: GoldenExchange) => GoldenExchange][] = [
    [
      'a body',
      'prom-routes 1:',
      (exchange) => ({ ...exchange, body: exchange.body.replace('42.17', '42.18') }),
    ],
    ['a status', 'prom-routes 9:', (exchange) => ({ ...exchange, status: 403 })],
    [
      'a content type',
      'prom-routes 12:',
      (exchange) => ({ ...exchange, headers: [['Content-Type', 'text/plain']] }),
    ],
  ];
  for (const [what, id, change] of tampered) {
    it(`notices another ${what.replace(/^an? /, '')}`, async () => {
      const entry = entriesOf(withExchange(change)).find((candidate) => candidate.id.startsWith(id));
      expect((await entry?.run())?.kind).to.equal('failed');
    });
  }

  it('leaves files of other formats to others', () => {
    expect(watcherGoldens.entries([{ about: '', cases: [] }])).to.equal(undefined);
    expect(watcherGoldens.entries([document, document])).to.equal(undefined);
  });
});

function hasExpectation(index: number): boolean {
  return goldens().scenarios.flatMap(({ exchanges }) => exchanges)[index]?.expect !== undefined;
}
