import type { FilterPlugin, ScorePlugin } from './plugin.js';
import type { ArgsOutcome } from './plugin-args.js';

/** What a plugin may know of the profile it runs in. */
export interface PluginContext {
  /** The load source that the profile reads: see `ClusterState.setUtilization`. */
  readonly loadSource: string;
}

export interface PluginParts {
  readonly filter?: FilterPlugin;
  readonly score?: ScorePlugin;
}

/** A plugin as the registry knows it: how its arguments are read, and how it is made from them. */
export interface PluginDefinition {
  readonly name: string;
  readonly points: readonly ('filter' | 'score')[];
  /** @param raw the decoded `args` of a pluginConfig entry; undefined when there is none. */
  readArgs(raw: unknown): ArgsOutcome<unknown>;
  /** @param raw as for `readArgs`. @throws ProfileError when `readArgs` finds problems. */
  create(raw: unknown, context: PluginContext): PluginParts;
}

export class PluginArgsError extends Error {
  override readonly name = 'PluginArgsError';
  readonly problems: readonly { readonly path: string; readonly text: string }[];

  constructor(plugin: string, problems: readonly { readonly path: string; readonly text: string }[]) {
    super(problems.map(({ path, text }) => `${plugin}: ${path === '' ? '' : `${path}: `}${text}`).join('\n'));
    this.problems = problems;
  }
}

/** A definition with its argument type hidden, so that a registry can hold different ones. */
export function definePlugin<Args>(definition: {
  readonly name: string;
  readonly points: readonly ('filter' | 'score')[];
  readArgs(raw: unknown): ArgsOutcome<Args>;
  create(args: Args, context: PluginContext): PluginParts;
}): PluginDefinition {
  const { name, points, readArgs, create } = definition;
  return {
    name,
    points,
    readArgs,
    create: (raw, context) => {
      const outcome = readArgs(raw);
      if (!outcome.ok) throw new PluginArgsError(name, outcome.problems);
      return create(outcome.args, context);
    },
  };
}
