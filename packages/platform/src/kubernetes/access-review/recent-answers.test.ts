import { expect } from 'chai';
import fc from 'fast-check';
import { VirtualClock } from '../../clock/virtual-clock.js';
import { type Question, RecentAnswers, TooManyQuestionsError } from './recent-answers.js';

const KEEP_MS = 10_000;

describe('RecentAnswers', () => {
  let clock: VirtualClock;
  let asked: string[];

  beforeEach(() => {
    clock = new VirtualClock(0);
    asked = [];
  });

  function answers(
    bounds: { readonly maxKept?: number; readonly maxAsked?: number; readonly maxAskedByOne?: number } = {},
  ) {
    return new RecentAnswers<string>(
      {
        maxKept: 3,
        maxAsked: 2,
        maxAskedByOne: 2,
        keepMs: (answer) => (answer === 'brief' ? 1_000 : KEEP_MS),
        ...bounds,
      },
      clock,
    );
  }

  const reply = (question: string, answer: string) => (): Promise<string> => {
    asked.push(question);
    return Promise.resolve(answer);
  };

  const of = (text: string, ask: () => Promise<string>, asker = 'x'): Question<string> => ({
    text,
    ask,
    asker,
  });

  it('keeps an answer as long as it counts, not a moment longer', async () => {
    const kept = answers();
    expect(await kept.get(of('a', reply('a', 'yes')))).to.equal('yes');
    await clock.advanceTo(KEEP_MS - 1);
    expect(await kept.get(of('a', reply('a', 'no')))).to.equal('yes');
    await clock.advanceTo(KEEP_MS);
    expect(await kept.get(of('a', reply('a', 'no')))).to.equal('no');
    expect(asked).to.deep.equal(['a', 'a']);
  });

  it('lets each answer say how long it counts', async () => {
    const kept = answers();
    await kept.get(of('a', reply('a', 'brief')));
    await clock.advanceTo(1_000);
    expect(await kept.get(of('a', reply('a', 'later')))).to.equal('later');
  });

  it('asks the same question once while it is under way', async () => {
    const kept = answers();
    const both = await Promise.all([
      kept.get(of('a', reply('a', 'yes'))),
      kept.get(of('a', reply('a', 'no'))),
    ]);
    expect([both, asked]).to.deep.equal([['yes', 'yes'], ['a']]);
  });

  it('keeps no failure', async () => {
    const kept = answers();
    const failing = (): Promise<string> => Promise.reject(new Error('down'));
    expect(await kept.get(of('a', failing)).catch((error: Error) => error.message)).to.equal('down');
    expect(await kept.get(of('a', reply('a', 'up')))).to.equal('up');
  });

  it('refuses more questions at once than it may ask, and takes them again later', async () => {
    const kept = answers();
    let answerAll: (text: string) => void = () => undefined;
    const held = new Promise<string>((resolve) => {
      answerAll = resolve;
    });
    const waiting = ['a', 'b'].map((question) => kept.get(of(question, () => held)));
    expect(await kept.get(of('c', reply('c', 'yes'))).catch((error: unknown) => error)).to.be.instanceOf(
      TooManyQuestionsError,
    );
    answerAll('done');
    await Promise.all(waiting);
    expect(await kept.get(of('c', reply('c', 'yes')))).to.equal('yes');
  });

  it('refuses further questions of one asker, and takes those of others, and what is under way already', async () => {
    const kept = answers({ maxAsked: 9, maxAskedByOne: 2 });
    let answerAll: (text: string) => void = () => undefined;
    const held = new Promise<string>((resolve) => {
      answerAll = resolve;
    });
    const waiting = ['a', 'b'].map((text) => kept.get(of(text, () => held, 'flooder')));
    const third = kept.get(of('c', reply('c', 'yes'), 'flooder'));
    expect(await third.catch((error: unknown) => error)).to.be.instanceOf(TooManyQuestionsError);
    expect(await kept.get(of('c', reply('c', 'yes'), 'prometheus'))).to.equal('yes');
    expect(await kept.get(of('c', reply('c', 'no'), 'flooder'))).to.equal('yes');
    const joined = kept.get(of('a', reply('a', 'no'), 'flooder'));
    answerAll('done');
    expect(await Promise.all([...waiting, joined])).to.deep.equal(['done', 'done', 'done']);
    expect(await kept.get(of('d', reply('d', 'yes'), 'flooder'))).to.equal('yes');
  });

  it('forgets what no longer counts with the next answer, however long that counts', async () => {
    const kept = answers({ maxKept: 100 });
    for (const text of ['a', 'b', 'c']) await kept.get(of(text, reply(text, 'brief')));
    await kept.get(of('long', reply('long', 'yes')));
    expect(kept.size).to.equal(4);
    await clock.advanceTo(1_000);
    await kept.get(of('d', reply('d', 'yes')));
    expect(kept.size).to.equal(2);
  });

  it('never keeps more answers than it may: the oldest is asked for again, the newest are not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.string(), { minLength: 4, maxLength: 30 }), async (questions) => {
        asked = [];
        const kept = answers();
        for (const question of questions) await kept.get(of(question, reply(question, 'x')));
        asked = [];
        for (const question of questions.slice(-3)) await kept.get(of(question, reply(question, 'x')));
        expect(asked).to.deep.equal([]);
        await kept.get(of(questions[0] ?? '', reply('oldest', 'x')));
        expect(asked).to.deep.equal(['oldest']);
      }),
    );
  });
});
