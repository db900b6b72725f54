/** Typed fields of a log line. Values are JSON; errors are given as `error`. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Structured log: a constant message with fields. Secrets never reach it: the writer masks keys that name one and
 * the user part of URLs.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A logger whose lines carry these fields too. */
  with(fields: LogFields): Logger;
}

/** Swallows everything; for tests and for libraries that were given no logger. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  with: () => silentLogger,
};
