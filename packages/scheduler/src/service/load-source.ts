import { createHash } from 'node:crypto';
import { maskText } from '@catamaran/platform';
import type { ProfileConfig, SchedulerConfig } from '../core/config/scheduler-config.js';
import { LOAD_ARGS_DEFAULTS, type LoadArgs, maxAgeMsOf } from '../core/node-statistics/load-args.js';
import type { LoadSourceArgs } from '../core/node-statistics/load-source-args.js';
import { type LoadCeilingArgs, readsLoad } from '../core/plugins/load-ceiling/args.js';

/** Where figures of load come from, as plugin arguments say. */
export interface LoadSource {
  /** Equal for profiles that read a source with the same credentials and TLS settings. Mask it before showing it. */
  readonly key: string;
  /** A load-watcher's URL; undefined: a watcher within this process, reading `metricProvider`. */
  readonly watcherAddress: string | undefined;
  readonly watcherTokenFile?: string | undefined;
  readonly watcherCaFile?: string | undefined;
  readonly metricProvider: LoadSourceArgs['metricProvider'];
}

/** How one profile reads a source. */
export interface LoadPolicy {
  /** The profile's scheduler name; where a profile reads several sources, followed by the source for all but the first. */
  readonly name: string;
  readonly source: LoadSource;
  /** The plugins of the profile that read it. */
  readonly plugins: readonly string[];
  /** What makes a node measured for them: a figure of CPU, or an average of CPU or memory. */
  readonly figures: 'cpu' | 'average';
  /** The shortest of the plugins'. Undefined: figures never get too old. */
  readonly maxAgeMs: number | undefined;
  /** What each of them does where there are no usable figures. */
  readonly fallbacks: readonly LoadFallback[];
}

export interface LoadFallback {
  /** Undefined: figures never get too old for this plugin. */
  readonly maxAgeMs: number | undefined;
  /** For people. */
  readonly text: string;
}

/** Plugins that go by load, and the figures each needs. */
const LOAD_PLUGINS: ReadonlyMap<string, LoadPolicy['figures']> = new Map([
  ['TargetLoadPacking', 'cpu'],
  ['LoadVariationRiskBalancing', 'average'],
  ['LowRiskOverCommitment', 'average'],
  ['Peaks', 'cpu'],
  ['LoadCeiling', 'average'],
]);

/** One policy a source; none when no plugin of the profile looks at load. */
export function loadPoliciesOf({ schedulerName, plugins, pluginArgs }: ProfileConfig): readonly LoadPolicy[] {
  const policies = new Map<string, LoadPolicy>();
  for (const { name: plugin } of [...plugins.score, ...plugins.filter]) {
    const figures = LOAD_PLUGINS.get(plugin);
    const args = (pluginArgs[plugin] ?? {}) as Partial<LoadArgs>;
    if (figures === undefined || (plugin === 'LoadCeiling' && !readsLoad(pluginArgs[plugin]))) continue;
    const source = sourceOf(args);
    const known = policies.get(source.key);
    policies.set(source.key, {
      name: known?.name ?? (policies.size === 0 ? schedulerName : `${schedulerName} ${maskText(source.key)}`),
      source,
      plugins: [...(known?.plugins ?? []), plugin],
      figures: known?.figures === 'cpu' ? 'cpu' : figures,
      maxAgeMs: shorter(known?.maxAgeMs, maxAgeMsOf(args.metricsMaxAge)),
      fallbacks: [...(known?.fallbacks ?? []), fallbackOf(plugin, args)],
    });
  }
  return [...policies.values()];
}

const FALLBACK: Readonly<Record<LoadArgs['missingMetrics'] | LoadCeilingArgs['missingMetrics'], string>> = {
  zeroScore: 'scores every node alike',
  skip: 'scores every node alike',
  useRequests: 'goes by requests',
  error: 'fails each attempt',
  pass: 'lets every node pass',
  reject: 'refuses every node',
};

type Given = Partial<Omit<LoadArgs, 'missingMetrics'> & Pick<LoadArgs | LoadCeilingArgs, 'missingMetrics'>>;

/** `whenBlind: useRequests` goes before `missingMetrics`; `zeroScore` is as that says. */
function fallbackOf(plugin: string, { metricsMaxAge, missingMetrics, whenBlind }: Given): LoadFallback {
  const usual = plugin === 'LoadCeiling' ? 'pass' : LOAD_ARGS_DEFAULTS.missingMetrics;
  const missing = missingMetrics ?? usual;
  const [what, why] =
    plugin !== 'LoadCeiling' && whenBlind === 'useRequests'
      ? [FALLBACK.useRequests, 'whenBlind: useRequests']
      : [FALLBACK[missing], `missingMetrics: ${missing}`];
  return { maxAgeMs: maxAgeMsOf(metricsMaxAge), text: `${plugin} ${what} (${why})` };
}

function shorter(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function sourceOf(args: LoadSourceArgs): LoadSource {
  const { watcherAddress, watcherTokenFile, watcherCaFile, metricProvider } = args;
  if (watcherAddress !== undefined) {
    const settings = settingsFingerprint([watcherTokenFile, watcherCaFile]);
    const key = settings === '' ? watcherAddress : `${watcherAddress} ${settings}`;
    return { key, watcherAddress, watcherTokenFile, watcherCaFile, metricProvider: undefined };
  }
  const { type = 'KubernetesMetricsServer', address = '' } = metricProvider ?? {};
  const settings = settingsFingerprint([metricProvider?.token, metricProvider?.insecureSkipVerify]);
  const key = ['in-process', type, address, settings].filter((part) => part !== '').join(' ');
  return { key, watcherAddress: undefined, metricProvider };
}

/** Tells settings apart without showing them; empty for none. */
export function settingsFingerprint(settings: readonly unknown[]): string {
  if (settings.every((setting) => setting === undefined)) return '';
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 12);
}

/** Every source that some profile reads, once. */
export function loadSources(config: SchedulerConfig): readonly LoadSource[] {
  const sources = new Map<string, LoadSource>();
  for (const profile of config.profiles) {
    for (const { source } of loadPoliciesOf(profile)) {
      sources.set(source.key, source);
    }
  }
  return [...sources.values()];
}
