import { NodeVectorReader, parseBaseUrl } from '@catamaran/load-watcher';
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
  const { address, token, tokenFile, caFile, insecureSkipVerify } = args;
  const baseUrl = parseBaseUrl(address);
  if (!baseUrl.ok) throw new OperatorError(`the Prometheus address of signals: ${baseUrl.problem}`);
  const connection = {
    ...(token === undefined ? {} : { token }),
    ...(tokenFile === undefined ? {} : { tokenFile }),
    ...(caFile === undefined ? {} : { caFile }),
    ...(insecureSkipVerify === undefined ? {} : { skipTlsVerify: insecureSkipVerify }),
  };
  return new NodeVectorReader({ baseUrl: baseUrl.value, connection }, deps);
}
