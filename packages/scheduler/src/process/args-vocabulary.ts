import { type LogFields, type Logger, OperatorError } from '@catamaran/platform';

/**
 * Options of the load-watcher that its messages name, and what there is instead when it runs inside the scheduler with
 * `metricProvider` of a plugin's arguments.
 */
const IN_ARGS: readonly (readonly [option: RegExp, instead: string])[] = [
  [
    /--metrics-provider-token-file, which follows rotation/g,
    'a load-watcher with a token file, which follows rotation, and watcherAddress',
  ],
  [
    /--metrics-provider-(?:token|headers|cert|key|app-key)(?:-file)?(?: \([^)]*\))?(?:(?:, | and )--metrics-provider-(?:token|headers|cert|key|app-key)(?:-file)?(?: \([^)]*\))?)*/g,
    'metricProvider.token',
  ],
  [/--metrics-provider-address/g, 'metricProvider.address'],
  [/with --metrics-provider-ca-file/g, 'in the variable NODE_EXTRA_CA_CERTS'],
  [/--insecure-skip-verify/g, 'metricProvider.insecureSkipVerify'],
];

/** A message of the load-watcher in the words of plugin arguments. */
export function inArgsWords(text: string): string {
  return IN_ARGS.reduce((words, [option, instead]) => words.replace(option, instead), text);
}

/** A log that says so in its texts. */
export function argsLogger(log: Logger): Logger {
  const translated = (fields: LogFields = {}): LogFields =>
    Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [
        key,
        typeof value === 'string' ? inArgsWords(value) : value,
      ]),
    );
  return {
    debug: (message, fields) => log.debug(message, translated(fields)),
    info: (message, fields) => log.info(message, translated(fields)),
    warn: (message, fields) => log.warn(inArgsWords(message), translated(fields)),
    error: (message, fields) => log.error(inArgsWords(message), translated(fields)),
    with: (fields) => argsLogger(log.with(fields)),
  };
}

/** What `create` gives. @throws OperatorError in the words of plugin arguments. */
export function sayingArgs<T>(create: () => T): T {
  try {
    return create();
  } catch (error) {
    if (error instanceof OperatorError) throw new OperatorError(inArgsWords(error.message), { cause: error });
    throw error;
  }
}
