import { NodeVectorReader, parseBaseUrl } from '@catamaran/load-watcher';
import { problem } from '@catamaran/model';
import { type Clock, OperatorError } from '@catamaran/platform';
import type { SignalSource } from '../signals/signal-policy.js';
import type { SignalReader } from '../signals/signal-reader.js';

/**
 * A reader for each Prometheus that plugins read signals from.
 * @throws OperatorError when an address, a token or a certificate can't be used.
 */
export function createSignalReaders(
  sources: readonly SignalSource[],
  deps: { readonly clock: Clock; readonly random: () => number },
): ReadonlyMap<string, SignalReader> {
  return new Map(sources.map((source) => [source.key, createReader(source, deps)]));
}

function createReader(
  { args }: SignalSource,
  deps: { readonly clock: Clock; readonly random: () => number },
): SignalReader {
  const { address, proxyURL, insecureSkipVerify, ...access } = args;
  const baseUrl = parseBaseUrl(address);
  if (!baseUrl.ok) throw new OperatorError(`the Prometheus address of signals: ${baseUrl.problem}`);
  const connection = {
    ...access,
    ...(proxyURL === undefined ? {} : { proxyUrl: proxyURL }),
    ...(insecureSkipVerify === undefined ? {} : { skipTlsVerify: insecureSkipVerify }),
  };
  try {
    return inWordsOfArguments(new NodeVectorReader({ baseUrl: baseUrl.value, connection }, deps));
  } catch (error) {
    throw error instanceof OperatorError ? new OperatorError(inArguments(error.message)) : error;
  }
}

/** The connection is the load-watcher's, and its messages name the load-watcher's options. */
function inWordsOfArguments(reader: SignalReader): SignalReader {
  return {
    address: reader.address,
    read: async (wanted, signal) =>
      (await reader.read(wanted, signal)).map((answer) =>
        answer.ok ? answer : problem(inArguments(answer.problem)),
      ),
    close: () => reader.close(),
  };
}

/** Longer names first. */
const ARGUMENT_OF: readonly (readonly [option: string, argument: string])[] = [
  ['--metrics-provider-token (METRICS_PROVIDER_TOKEN)', 'prometheus.token'],
  ['--metrics-provider-headers (METRICS_PROVIDER_HEADERS)', 'prometheus.headers'],
  ['--metrics-provider-headers', 'prometheus.headers'],
  ['--metrics-provider-cert-file', 'prometheus.certFile'],
  ['--metrics-provider-token-file', 'prometheus.tokenFile'],
  ['--metrics-provider-token', 'prometheus.token'],
  ['--metrics-provider-ca-file', 'prometheus.caFile'],
  ['--metrics-provider-address', 'prometheus.address'],
  ['--insecure-skip-verify', 'prometheus.insecureSkipVerify'],
];

function inArguments(message: string): string {
  return ARGUMENT_OF.reduce((text, [option, argument]) => text.replaceAll(option, argument), message);
}
