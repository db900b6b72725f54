import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import type { Clock } from '../clock/clock.js';
import { SystemClock } from '../clock/system-clock.js';
import { maskSecrets, maskText } from '../config/mask-secrets.js';
import type { LogFields, Logger } from './logger.js';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Other people's names for our levels: those of logrus, klog and syslog. */
const LEVEL_ALIASES: ReadonlyMap<string, LogLevel> = new Map([
  ['trace', 'debug'],
  ['warning', 'warn'],
  ['fatal', 'error'],
  ['panic', 'error'],
]);

/** Reads the name of a level in any case, or one of another logger's names; undefined when there is none. */
export function logLevelOf(text: string): LogLevel | undefined {
  const word = text.trim().toLowerCase();
  return LOG_LEVELS.find((level) => level === word) ?? LEVEL_ALIASES.get(word);
}

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Which program speaks: the field `name` of each line. */
  readonly name: string;
  readonly clock?: Pick<Clock, 'nowMs'>;
}

/** A logger whose level can change while it runs, also for those that came of it by `with`. */
export interface RootLogger extends Logger {
  setLevel(level: LogLevel): void;
}

/** Anything that takes lines. */
export type LogSink = Pick<DestinationStream, 'write'>;

/**
 * JSON lines on stderr: `{"level":"info","time":"2026-01-31T12:00:00.000Z","name":…, fields…, "msg":…}`. Secrets in
 * fields and messages are masked. Lines are written at once, so none is lost when the process exits.
 */
export function createLogger(options: LoggerOptions, sink?: LogSink): RootLogger {
  const clock = options.clock ?? new SystemClock();
  const writer = pino(
    {
      base: { name: options.name },
      level: 'debug',
      timestamp: () => `,"time":"${new Date(clock.nowMs()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    sink ?? pino.destination({ dest: 2, sync: true }),
  );
  const threshold = { rank: rankOf(options.level) };
  const logger = new PinoBackedLogger(writer, threshold);
  return {
    debug: (message, fields) => logger.debug(message, fields),
    info: (message, fields) => logger.info(message, fields),
    warn: (message, fields) => logger.warn(message, fields),
    error: (message, fields) => logger.error(message, fields),
    with: (fields) => logger.with(fields),
    setLevel: (level) => {
      threshold.rank = rankOf(level);
    },
  };
}

class PinoBackedLogger implements Logger {
  readonly #writer: PinoLogger;
  readonly #threshold: { readonly rank: number };

  constructor(writer: PinoLogger, threshold: { readonly rank: number }) {
    this.#writer = writer;
    this.#threshold = threshold;
  }

  debug(message: string, fields?: LogFields): void {
    this.#write('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#write('info', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#write('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#write('error', message, fields);
  }

  with(fields: LogFields): Logger {
    return new PinoBackedLogger(this.#writer.child(printable(fields)), this.#threshold);
  }

  #write(level: LogLevel, message: string, fields: LogFields | undefined): void {
    if (rankOf(level) >= this.#threshold.rank) {
      this.#writer[level](fields === undefined ? {} : printable(fields), maskText(message));
    }
  }
}

/** Keys that the writer sets itself; a field of that name would make a line with the key twice. */
const RESERVED = new Set(['level', 'time', 'name', 'msg']);

function printable(fields: LogFields): Record<string, unknown> {
  const masked = maskSecrets(fields) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(masked).map(([key, value]) => [RESERVED.has(key) ? `${key}_` : key, value]),
  );
}

function rankOf(level: LogLevel): number {
  return LOG_LEVELS.indexOf(level);
}
