import type { ArgsOutcome, ArgsValidator } from '../../config/args-validator.js';
import { ArgsReader } from '../../framework/args-reader.js';
import { type ArgumentTexts, under } from '../../framework/argument-texts.js';
import { readMaxAge } from '../../node-statistics/load-args.js';
import { readAddress } from '../../node-statistics/load-source-args.js';
import {
  readSignalSource,
  SIGNAL_SOURCE_ARGUMENTS,
  type SignalSourceArgs,
} from '../../signals/source-args.js';
import { deviceProblem } from './device-pattern.js';
import type { TrafficKind } from './traffic-kind.js';

const MISSING_METRICS = ['zeroScore', 'skip', 'error'] as const;

/** The arguments of the five plugins, defaults filled in; the first three are those of the published file. */
export interface TrafficArgs {
  /** URL of a Prometheus, despite its name. */
  readonly ip: string;
  /** A device, a comma list of devices, or a regular expression; only where the plugin measures devices. */
  readonly deviceName?: string;
  /** Minutes; 0 means 30. */
  readonly timeRange: number;
  /** DiskSpaceTraffic only. */
  readonly mountPoint?: string;
  /** How to prove who we are to that Prometheus. */
  readonly prometheus?: SignalSourceArgs;
  /** Label that holds the node's name, asked before all others. */
  readonly nodeLabel?: string;
  /** Go duration; values read longer ago than this count as missing. 0: no limit. */
  readonly metricsMaxAge: string;
  /** What a node without a value scores. */
  readonly missingMetrics: (typeof MISSING_METRICS)[number];
}

export const TRAFFIC_DEFAULTS = {
  timeRange: 0,
  mountPoint: '/',
  metricsMaxAge: '5m',
  missingMetrics: 'zeroScore',
} as const satisfies Partial<TrafficArgs>;

const OWN_ARGUMENTS: ArgumentTexts = {
  ip: 'URL of a Prometheus, despite its name',
  deviceName:
    'a device, a comma list, or a regular expression; without effect where the plugin measures no devices',
  timeRange: 'whole minutes to measure over; 0 means 30, the shortest is 2, the longest a year',
};
const MOUNT_ARGUMENTS: ArgumentTexts = { mountPoint: 'of the file system to measure' };
const MORE_ARGUMENTS: ArgumentTexts = {
  nodeLabel: 'label that holds the name of the node, asked before all others',
  metricsMaxAge: 'values read longer ago count as missing; `0s`: they never get too old',
  missingMetrics: 'a node without a value: `zeroScore` (last) · `skip` (50) · `error` (the attempt fails)',
};

/** What the arguments of one of the plugins mean. */
export function trafficArguments({ measuresMounts }: TrafficKind): ArgumentTexts {
  return {
    ...OWN_ARGUMENTS,
    ...(measuresMounts ? MOUNT_ARGUMENTS : {}),
    ...MORE_ARGUMENTS,
    ...under('prometheus', SIGNAL_SOURCE_ARGUMENTS),
  };
}

function fieldsOf({ measuresMounts }: TrafficKind): readonly string[] {
  const mounts = measuresMounts ? Object.keys(MOUNT_ARGUMENTS) : [];
  return [...Object.keys(OWN_ARGUMENTS), 'prometheus', ...Object.keys(MORE_ARGUMENTS), ...mounts];
}

/** Checks and completes the arguments of one of the plugins; all problems at once. */
export function trafficArgsReader(kind: TrafficKind): ArgsValidator {
  return (raw) => readTrafficArgs(raw, kind);
}

function readTrafficArgs(raw: unknown, kind: TrafficKind): ArgsOutcome {
  const reader = new ArgsReader();
  const fields = reader.map(raw, '', fieldsOf(kind));
  const deviceName = readDevice(reader, fields.deviceName, kind);
  const nodeLabel = reader.string(fields.nodeLabel, 'nodeLabel');
  const args: TrafficArgs = {
    ...readSource(reader, fields),
    ...(deviceName === undefined ? {} : { deviceName }),
    timeRange: readRange(reader, fields.timeRange),
    ...readMount(reader, fields.mountPoint, kind),
    ...(nodeLabel === undefined ? {} : { nodeLabel }),
    metricsMaxAge: readMaxAge(reader, fields.metricsMaxAge) ?? TRAFFIC_DEFAULTS.metricsMaxAge,
    missingMetrics:
      reader.choice(fields.missingMetrics, 'missingMetrics', MISSING_METRICS) ??
      TRAFFIC_DEFAULTS.missingMetrics,
  };
  return reader.outcome(args);
}

function readSource(
  reader: ArgsReader,
  fields: Readonly<Record<string, unknown>>,
): Pick<TrafficArgs, 'ip' | 'prometheus'> {
  const ip = readAddress(reader, fields.ip, 'ip');
  if (fields.prometheus === undefined || fields.prometheus === null) {
    if (ip === undefined) {
      reader.missing('ip', 'is missing: give the URL of a Prometheus, such as http://prometheus:9090');
    }
    return { ip: ip ?? '' };
  }
  const prometheus = readSignalSource(reader, fields.prometheus, { path: 'prometheus', address: ip });
  if (ip !== undefined && prometheus.address !== ip) {
    reader.problem('prometheus.address', `is another address than ip, "${ip}": remove one of the two`);
  }
  return { ip: prometheus.address, prometheus };
}

function readDevice(reader: ArgsReader, value: unknown, kind: TrafficKind): string | undefined {
  const device = reader.string(value, 'deviceName');
  if (device === undefined || device === '') return undefined;
  if (!kind.measuresDevices) {
    reader.warn('deviceName', `"${device}" has no effect: ${kind.name} does not measure devices`);
    return undefined;
  }
  const problem = deviceProblem(device);
  if (problem !== undefined) reader.problem('deviceName', problem);
  return device;
}

function readMount(
  reader: ArgsReader,
  value: unknown,
  { measuresMounts }: TrafficKind,
): Pick<TrafficArgs, 'mountPoint'> {
  if (!measuresMounts) return {};
  const mountPoint = reader.string(value, 'mountPoint') ?? TRAFFIC_DEFAULTS.mountPoint;
  if (!mountPoint.startsWith('/')) {
    reader.problem('mountPoint', `"${mountPoint}" is no absolute path: give one such as "/var/lib"`);
  }
  return { mountPoint };
}

function readRange(reader: ArgsReader, value: unknown): number {
  const minutes = reader.integer(value, 'timeRange') ?? TRAFFIC_DEFAULTS.timeRange;
  if (minutes < 0) {
    reader.problem('timeRange', `${minutes} is negative: give whole minutes, or 0 for 30`);
  } else if (minutes > LONGEST_MINUTES) {
    reader.problem('timeRange', `${minutes} is more than a year, ${LONGEST_MINUTES} minutes: give fewer`);
  } else if (minutes > 0 && minutes < SHORTEST_MINUTES) {
    reader.warn(
      'timeRange',
      `${minutes} is taken as ${SHORTEST_MINUTES}: a rate needs two samples, and scrapes are a minute apart unless set otherwise`,
    );
  }
  return minutes;
}

/** Two of Prometheus' default scrape intervals. */
const SHORTEST_MINUTES = 2;
/** What was longer ago says nothing of load now; Prometheus itself keeps 15 days unless told otherwise. */
const LONGEST_MINUTES = 527_040;
/** The original's effective range. */
const DEFAULT_MINUTES = 30;

/** The range that is asked for, in minutes. */
export function rangeMinutes(timeRange: number): number {
  return timeRange === 0 ? DEFAULT_MINUTES : Math.max(SHORTEST_MINUTES, timeRange);
}
