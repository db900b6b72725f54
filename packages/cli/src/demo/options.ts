import { defineOptions, type OptionValues, stageOptions, UsageError } from '@catamaran/platform';
import { PODS_PER_NODE } from './plan/world-plan.js';

export const DEMO_OPTIONS = defineOptions({
  nodes: {
    name: 'nodes',
    type: 'integer',
    min: 1,
    max: 5000,
    description: 'Nodes of the embedded cluster; 40, with --traces as many as the requests need.',
  },
  pods: {
    name: 'pods',
    type: 'integer',
    min: 1,
    max: 20_000,
    description: 'Pods that arrive; 500, with --traces 4000.',
  },
  seed: {
    name: 'seed',
    type: 'integer',
    min: 0,
    max: 4_294_967_295,
    default: 1,
    description: 'Where chance begins: the same seed gives the same result.',
  },
  speed: {
    name: 'speed',
    type: 'number',
    min: 0.1,
    max: 1_000_000,
    description: 'Simulated seconds per second at most; by default a run takes 40 s, with --exit no limit.',
  },
  exit: {
    name: 'exit',
    type: 'boolean',
    default: false,
    description: 'End after the run instead of staying up.',
  },
  output: {
    name: 'output',
    type: 'string',
    choices: ['text', 'json'],
    default: 'text',
    description: 'json: one object on stdout at the end, progress on stderr.',
  },
  traces: {
    name: 'traces',
    type: 'string',
    description:
      'Folder with openb-nodes.csv, openb-pods.csv, vm-cpu-percent.csv and vm-memory-percent.csv to run instead of a made-up workload.',
  },
  shadow: {
    name: 'shadow',
    type: 'boolean',
    default: false,
    description: 'Not built yet: watch another scheduler and bind nothing.',
  },
});

/** What the worlds are made of: a workload made up from the seed, or a folder of traces. */
export type DemoSource =
  | { readonly kind: 'seeded'; readonly nodes: number; readonly pods: number }
  | {
      readonly kind: 'traces';
      readonly folder: string;
      /** Undefined: as many as the requests need. */
      readonly nodes: number | undefined;
      readonly pods: number;
    };

export interface DemoOptions {
  readonly source: DemoSource;
  readonly seed: number;
  /** Simulated seconds per second, or undefined for the default pace. */
  readonly speed: number | undefined;
  readonly exit: boolean;
  readonly output: 'text' | 'json';
}

const DEFAULT_NODES = 40;
const DEFAULT_PODS = 500;
const DEFAULT_TRACE_PODS = 4000;
/** Places for pods that are left free, so that a full node never decides the comparison. */
const MOST_PODS_PER_NODE = PODS_PER_NODE - 10;

/**
 * Reads the demo's flags.
 * @returns undefined when help was asked for.
 * @throws UsageError with all problems at once.
 */
export function readDemoOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): DemoOptions | undefined {
  const staged = stageOptions(DEMO_OPTIONS, { argv, env });
  if (staged.ok && staged.helpRequested) return undefined;
  const options = effective(staged.values);
  const problems = [...(staged.ok ? [] : staged.problems), ...conflicts(options, staged.values)];
  if (problems.length > 0) throw new UsageError(problems);
  return options;
}

function effective(values: OptionValues<typeof DEMO_OPTIONS>): DemoOptions {
  const { nodes, pods, traces: folder, seed, speed, exit, output } = values;
  const source: DemoSource =
    folder === undefined
      ? { kind: 'seeded', nodes: nodes ?? DEFAULT_NODES, pods: pods ?? DEFAULT_PODS }
      : { kind: 'traces', folder, nodes, pods: pods ?? DEFAULT_TRACE_PODS };
  return { source, seed, speed, exit, output };
}

function conflicts({ source }: DemoOptions, values: OptionValues<typeof DEMO_OPTIONS>): string[] {
  const problems: string[] = [];
  if (values.shadow) problems.push('--shadow: shadow mode is not built yet; run the demo without it');
  if (values.traces === '') problems.push('--traces: is empty; give the folder of the CSV files');
  const { nodes, pods } = source;
  if (nodes !== undefined && pods > nodes * MOST_PODS_PER_NODE) {
    problems.push(
      `--pods=${pods}: ${nodes} nodes take at most ${nodes * MOST_PODS_PER_NODE} pods (${MOST_PODS_PER_NODE} each); give at least --nodes=${Math.ceil(pods / MOST_PODS_PER_NODE)}`,
    );
  }
  return problems;
}
