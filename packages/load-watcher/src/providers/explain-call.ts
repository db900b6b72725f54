import { ClusterApiError } from '@catamaran/platform';
import { DeadlineError } from '../deadline.js';
import { ProviderError } from './metrics-provider.js';

/** The two lists of a fetch: usage from the metrics API, nodes from the API server itself. */
export type FetchCall = 'usage' | 'nodes';

const RESOURCE: Readonly<Record<FetchCall, string>> = {
  usage: 'nodes (metrics.k8s.io/v1beta1)',
  nodes: 'nodes (v1)',
};

/** Why a list failed, with the status the server gave and what can be done about it. */
export function explainCall(call: FetchCall, error: unknown): ProviderError {
  const what = `listing ${RESOURCE[call]}`;
  if (error instanceof DeadlineError) {
    const busy = call === 'usage' ? 'metrics-server and the API server' : 'the API server';
    return new ProviderError('timeout', `${error.message}: see the load of ${busy}`, error);
  }
  if (error instanceof ClusterApiError) {
    const code = error.code === 'forbidden' || error.code === 'unauthorized' ? 'refused' : 'unreachable';
    return new ProviderError(code, `${what}: ${withStatus(error)}: ${remedyOf(call, error)}`, error);
  }
  return new ProviderError('bad-answer', `${what} gave something unexpected: ${String(error)}`, error);
}

/** The message with the HTTP status in it. */
function withStatus({ httpStatus, message }: ClusterApiError): string {
  if (httpStatus === 0 || message.includes(String(httpStatus))) return message;
  return `HTTP ${httpStatus}, ${message}`;
}

function remedyOf(call: FetchCall, { code, httpStatus }: ClusterApiError): string {
  if (code === 'unauthorized') {
    return 'the API server does not accept who we are: check token or certificate of the kubeconfig, or the service account';
  }
  if (code === 'forbidden') {
    return 'bind the ClusterRole catamaran-load-watcher (k8s/rbac) to it, or grant it "list" on nodes and on nodes.metrics.k8s.io';
  }
  if (httpStatus === 429) {
    return 'the API server limits our requests: see its flow control (APF), or raise --refresh-interval';
  }
  if (httpStatus >= 500 && httpStatus !== 503) {
    return call === 'usage'
      ? 'is metrics-server installed and well? See its log, and that of the API server'
      : 'see the log of the API server';
  }
  if (call === 'usage' && httpStatus !== 0) {
    return 'is metrics-server installed and the APIService v1beta1.metrics.k8s.io Available?';
  }
  return 'is the API server up, and is its address right?';
}
