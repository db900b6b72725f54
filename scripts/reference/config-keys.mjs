import { table } from './tables.mjs';

const UNKNOWN = 'zzzz';

/** Places of a configuration: how to write a file that has an unknown key there. */
const PLACES = [
  { place: '', write: (key) => ({ [key]: 1 }) },
  { place: 'leaderElection', write: (key) => ({ leaderElection: { [key]: 1 } }) },
  { place: 'clientConnection', write: (key) => ({ clientConnection: { [key]: 1 } }) },
  { place: 'profiles[]', write: (key) => inProfile({ [key]: 1 }) },
  { place: 'profiles[].plugins', write: (key) => inProfile({ plugins: { [key]: {} } }) },
  { place: 'profiles[].plugins.score', write: (key) => inProfile({ plugins: { score: { [key]: [] } } }) },
  {
    place: 'profiles[].plugins.score.enabled[]',
    write: (key) => inProfile({ plugins: { score: { enabled: [{ name: 'NodeName', [key]: 1 }] } } }),
  },
  {
    place: 'profiles[].pluginConfig[]',
    write: (key) => inProfile({ pluginConfig: [{ name: 'NodeAffinity', [key]: 1 }] }),
  },
];

/**
 * The keys of a KubeSchedulerConfiguration that the reader knows, asked of the reader itself, and the defaults it sets.
 * Arguments of plugins are in the plugins' own pages.
 */
export function configKeyTable({ loadSchedulerConfig }) {
  const load = (parts) =>
    loadSchedulerConfig(
      JSON.stringify({
        apiVersion: 'kubescheduler.config.k8s.io/v1',
        kind: 'KubeSchedulerConfiguration',
        ...parts,
      }),
      'x',
    );
  const { config } = load({});
  const rows = PLACES.flatMap(({ place, write }) =>
    knownKeys(load(write(UNKNOWN)).problems, place).map((key) => {
      const path = place === '' ? key : `${place}.${key}`;
      return [`\`${path}\``, shownDefault(config, path)];
    }),
  );
  return [
    'A KubeSchedulerConfiguration of `kubescheduler.config.k8s.io/v1`, read strictly; the other extension points have the keys of `score`. Arguments of plugins are in [their pages](../../packages/scheduler/src/core/plugins).',
    table(['key', 'default'], rows),
  ].join('\n\n');
}

function inProfile(parts) {
  return { profiles: [{ schedulerName: 'x', ...parts }] };
}

/** From the reader's own complaint. @throws Error when it does not complain. */
function knownKeys(problems = [], place) {
  const complaint = problems.find((text) => text.includes(`unknown field "${UNKNOWN}"`));
  const [, list] = /known are ([^(]*?)(?: \(|$)/.exec(complaint ?? '') ?? [];
  if (list === undefined) {
    throw new Error(`the reader of configurations does not list its keys at "${place}": ${complaint}`);
  }
  return list.split(', ').map((key) => key.trim());
}

/** Of what stands at the top or in its two sections; durations are kept in milliseconds. */
function shownDefault(config, path) {
  const of = path
    .split('.')
    .reduce((value, key) => value?.[key] ?? milliseconds(value?.[`${key}Ms`]), config);
  return of === undefined || of === '' || typeof of === 'object' ? '' : `\`${of}\``;
}

function milliseconds(value) {
  return value === undefined ? undefined : `${value / 1000}s`;
}
