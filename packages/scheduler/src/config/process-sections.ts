import { parseDuration } from '@catamaran/platform';
import type { SchedulerConfig } from '../core/config/scheduler-config.js';
import {
  type Fields,
  integerReader,
  numberReader,
  objectReader,
  type Report,
  readBoolean,
  readString,
} from './reading.js';
import type { SourceNode } from './source-node.js';

/** A Go duration such as `15s`, in milliseconds. */
export function readDurationMs(node: SourceNode, report: Report): number | undefined {
  const isNumber = node.kind === 'scalar' && typeof node.value === 'number';
  const text = isNumber ? String(node.value) : readString(node, report);
  if (text === undefined) {
    return undefined;
  }
  const parsed = parseDuration(text);
  if (!parsed.ok) {
    report.problem(node, parsed.problem);
    return undefined;
  }
  return parsed.value;
}

const leaderElectionShape = {
  leaderElect: readBoolean,
  leaseDuration: readDurationMs,
  renewDeadline: readDurationMs,
  retryPeriod: readDurationMs,
  resourceLock: readString,
  resourceName: readString,
  resourceNamespace: readString,
};

const clientConnectionShape = {
  kubeconfig: readString,
  acceptContentTypes: readString,
  contentType: readString,
  qps: numberReader(),
  burst: integerReader(),
};

export const readLeaderElectionFields = objectReader(leaderElectionShape);
export const readClientConnectionFields = objectReader(clientConnectionShape);

/** Renewal must fit into the lease, and a retry (with jitter 1.2) into the renewal: kube-scheduler's rules. */
const RETRY_JITTER = 1.2;

export function effectiveLeaderElection(
  fields: Fields<typeof leaderElectionShape> | undefined,
  at: SourceNode,
  report: Report,
): SchedulerConfig['leaderElection'] {
  const effective = {
    leaderElect: fields?.leaderElect ?? true,
    leaseDurationMs: fields?.leaseDuration ?? 15_000,
    renewDeadlineMs: fields?.renewDeadline ?? 10_000,
    retryPeriodMs: fields?.retryPeriod ?? 2_000,
    resourceLock: fields?.resourceLock ?? 'leases',
    resourceName: fields?.resourceName ?? 'kube-scheduler',
    resourceNamespace: fields?.resourceNamespace ?? 'kube-system',
  };
  if (effective.leaderElect && !report.isReported(at.path)) {
    checkLeaderElection(effective, at, report);
  }
  return effective;
}

function checkLeaderElection(
  effective: SchedulerConfig['leaderElection'],
  at: SourceNode,
  report: Report,
): void {
  if (effective.leaseDurationMs <= effective.renewDeadlineMs) {
    report.problem(
      at,
      `leaseDuration ${effective.leaseDurationMs} ms must be longer than renewDeadline ${effective.renewDeadlineMs} ms`,
    );
  }
  if (effective.renewDeadlineMs <= RETRY_JITTER * effective.retryPeriodMs) {
    report.problem(
      at,
      `renewDeadline ${effective.renewDeadlineMs} ms must be longer than ${RETRY_JITTER} times retryPeriod ${effective.retryPeriodMs} ms`,
    );
  }
  if (effective.resourceLock !== 'leases') {
    report.problem(at, `resourceLock "${effective.resourceLock}" is not supported: write leases`);
  }
}

/** kube-scheduler's own limits for calls to the API server. */
const DEFAULT_QPS = 50;
const DEFAULT_BURST = 100;

export function effectiveClientConnection(
  fields: Fields<typeof clientConnectionShape> | undefined,
  at: SourceNode,
  report: Report,
): SchedulerConfig['clientConnection'] {
  const contentType = fields?.contentType ?? '';
  if (contentType !== '' && contentType !== 'application/json') {
    report.warn(at, `contentType ${contentType} has no effect: this scheduler speaks application/json`);
  }
  // As in client-go, 0 asks for the default.
  return {
    kubeconfig: fields?.kubeconfig ?? '',
    acceptContentTypes: fields?.acceptContentTypes ?? '',
    contentType: 'application/json',
    qps: fields?.qps === undefined || fields.qps === 0 ? DEFAULT_QPS : fields.qps,
    burst: fields?.burst === undefined || fields.burst <= 0 ? DEFAULT_BURST : fields.burst,
  };
}
