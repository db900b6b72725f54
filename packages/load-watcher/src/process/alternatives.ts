import type { OptionOrigin, OptionValues, StagedOptions } from '@catamaran/platform';
import { loadWatcherOptions } from './options.js';

type Table = typeof loadWatcherOptions;
type Values = OptionValues<Table>;
type Key = keyof Table;

/** Values of which each thing is said once. */
export interface SettledOptions {
  readonly values: Values;
  /** Things to log at start: what does not count. */
  readonly notes: readonly string[];
  readonly problems: readonly string[];
}

/** One way of saying a thing. */
interface Way {
  readonly key: Key;
  /** What of the option says it, where that is not the whole. */
  readonly part?: string;
  readonly isGiven: (values: Values) => boolean;
  readonly without: (values: Values) => Values;
}

const LEVELS: Readonly<Record<OptionOrigin, number>> = { flag: 3, env: 2, file: 1, default: 0 };
const PLACES: Readonly<Record<OptionOrigin, string>> = {
  flag: 'a flag',
  env: 'an environment variable',
  file: 'the configuration file',
  default: 'default',
};

/**
 * Flags beat the environment, that beats the file: also where a thing can be said by several options, as a token by
 * itself or by its file. Two on one level are a problem.
 */
export function settleAlternatives(values: Values, origins: StagedOptions<Table>['origins']): SettledOptions {
  const token: readonly Way[] = [whole('metricsProviderToken'), whole('metricsProviderTokenFile')];
  const groups: (readonly Way[])[] = [
    token,
    [whole('metricsProviderAppKey'), whole('metricsProviderAppKeyFile')],
  ];
  // The services outside of the cluster have headers of their own for their keys.
  if (values.metricsProviderName === 'Prometheus') groups.push([...token, USER_PART, AUTHORIZATION]);
  let settled = values;
  const notes: string[] = [];
  const problems = new Set<string>();
  for (const ways of groups) {
    const given = ways.filter((way) => way.isGiven(settled));
    const level = Math.max(...given.map(({ key }) => LEVELS[origins[key]]));
    const first = given.filter(({ key }) => LEVELS[origins[key]] === level);
    const [winner] = first;
    if (winner === undefined || given.length === 1) continue;
    if (first.length > 1) {
      if (ways.length > 2 && first.every((way) => token.includes(way))) continue;
      problems.add(
        `${first.map(nameOf).join(', ')}: they say one thing, each as ${PLACES[origins[winner.key]]}; give one of them`,
      );
    }
    for (const way of given) {
      if (first.includes(way)) continue;
      notes.push(
        `${nameOf(way)} (${PLACES[origins[way.key]]}) does not count: ${nameOf(winner)} (${PLACES[origins[winner.key]]}) comes first`,
      );
      settled = way.without(settled);
    }
  }
  return { values: settled, notes, problems: [...problems] };
}

function nameOf({ key, part }: Way): string {
  const flag = `--${loadWatcherOptions[key].name}`;
  return part === undefined ? flag : `${flag} with ${part}`;
}

function whole(
  key:
    | 'metricsProviderToken'
    | 'metricsProviderTokenFile'
    | 'metricsProviderAppKey'
    | 'metricsProviderAppKeyFile',
): Way {
  return {
    key,
    isGiven: (values) => values[key] !== '',
    without: (values) => ({ ...values, [key]: '' }),
  };
}

const USER_PART: Way = {
  key: 'metricsProviderAddress',
  part: 'user and password',
  isGiven: ({ metricsProviderAddress }) => (urlOf(metricsProviderAddress)?.username ?? '') !== '',
  without: (values) => {
    const url = urlOf(values.metricsProviderAddress);
    if (url === undefined) return values;
    url.username = '';
    url.password = '';
    return { ...values, metricsProviderAddress: url.href };
  },
};

const AUTHORIZATION: Way = {
  key: 'metricsProviderHeaders',
  part: 'Authorization',
  isGiven: ({ metricsProviderHeaders }) => Object.keys(metricsProviderHeaders).some(isAuthorization),
  without: (values) => ({
    ...values,
    metricsProviderHeaders: Object.fromEntries(
      Object.entries(values.metricsProviderHeaders).filter(([name]) => !isAuthorization(name)),
    ),
  }),
};

function isAuthorization(name: string): boolean {
  return name.toLowerCase() === 'authorization';
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
