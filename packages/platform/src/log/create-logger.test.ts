import { expect } from 'chai';
import { VirtualClock } from '../clock/virtual-clock.js';
import { createLogger, type LogLevel, logLevelOf } from './create-logger.js';

function recorded(level: LogLevel) {
  const lines: Record<string, unknown>[] = [];
  const texts: string[] = [];
  const sink = {
    write: (line: string) => {
      texts.push(line);
      lines.push(JSON.parse(line) as Record<string, unknown>);
    },
  };
  const clock = new VirtualClock(Date.UTC(2026, 0, 31, 12));
  return { lines, texts, log: createLogger({ level, name: 'watcher', clock }, sink) };
}

describe('createLogger', () => {
  it('writes one JSON line with level, UTC time, name, fields and message', () => {
    const { log, texts } = recorded('info');
    log.info('listening', { port: 2020 });
    expect(texts).to.deep.equal([
      '{"level":"info","time":"2026-01-31T12:00:00.000Z","name":"watcher","port":2020,"msg":"listening"}\n',
    ]);
  });

  it('drops what is below its level, also in loggers made by with, and follows setLevel', () => {
    const { log, lines } = recorded('warn');
    const child = log.with({ node: 'n1' });
    child.info('dropped');
    child.warn('kept');
    log.setLevel('debug');
    child.debug('kept too');
    log.setLevel('error');
    child.warn('dropped again');
    expect(lines.map(({ msg, node }) => [msg, node])).to.deep.equal([
      ['kept', 'n1'],
      ['kept too', 'n1'],
    ]);
  });

  it('masks secrets in fields, fields of with, messages and errors', () => {
    const { log, texts } = recorded('info');
    log.with({ token: 'hunter2' }).error('at http://u:hunter2@h/', {
      error: new Error('Bearer hunter2hunter2'),
      url: 'http://h/?token=hunter2',
    });
    expect(texts.join('')).to.not.include('hunter2');
  });

  it('keeps a field that would clash with one of its own, under another name', () => {
    const { log, texts } = recorded('info');
    log.info('seen', { name: 'n1', time: 5 });
    expect(texts[0]).to.include('"name":"watcher","name_":"n1","time_":5');
  });

  const levels: [text: string, level: LogLevel | undefined][] = [
    ['debug', 'debug'],
    ['INFO', 'info'],
    ['warning', 'warn'],
    ['fatal', 'error'],
    ['trace', 'debug'],
    ['loud', undefined],
    ['constructor', undefined],
  ];
  for (const [text, level] of levels) {
    it(`the level called ${text} is ${String(level)}`, () => {
      expect(logLevelOf(text)).to.equal(level);
    });
  }
});
