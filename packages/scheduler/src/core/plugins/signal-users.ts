import type { SignalUse } from '../signals/signal-spec.js';
import type { SignalSourceArgs } from '../signals/source-args.js';
import type { LoadCeilingArgs } from './load-ceiling/args.js';
import { loadCeilingUses } from './load-ceiling/plugin.js';
import type { NodeSignalsArgs } from './node-signals/args.js';
import { nodeSignalsUses } from './node-signals/plugin.js';
import type { TrafficArgs } from './traffic/args.js';
import { TRAFFIC_KINDS, trafficSignal } from './traffic/plugin.js';

/** What a plugin reads, and where. */
export interface SignalNeeds {
  readonly source: SignalSourceArgs;
  readonly uses: readonly SignalUse[];
}

type NeedsOf = (args: unknown) => SignalNeeds | undefined;

/** The plugins that read signals, and what their arguments ask for. */
const SIGNAL_USERS: ReadonlyMap<string, NeedsOf> = new Map<string, NeedsOf>([
  ...TRAFFIC_KINDS.map((kind): [string, NeedsOf] => [
    kind.name,
    (args) => {
      const given = args as Partial<TrafficArgs>;
      const source = given.prometheus ?? { address: given.ip ?? '' };
      return { source, uses: [trafficSignal(kind, given)] };
    },
  ]),
  [
    'NodeSignals',
    (args) =>
      needs((args as Partial<NodeSignalsArgs>).prometheus, nodeSignalsUses(args as Partial<NodeSignalsArgs>)),
  ],
  [
    'LoadCeiling',
    (args) =>
      needs((args as Partial<LoadCeilingArgs>).prometheus, loadCeilingUses(args as Partial<LoadCeilingArgs>)),
  ],
]);

function needs(source: SignalSourceArgs | undefined, uses: readonly SignalUse[]): SignalNeeds | undefined {
  return source === undefined || uses.length === 0 ? undefined : { source, uses };
}

/** Undefined where the plugin reads no signals. */
export function signalNeeds(plugin: string, args: unknown): SignalNeeds | undefined {
  return SIGNAL_USERS.get(plugin)?.(args ?? {});
}
