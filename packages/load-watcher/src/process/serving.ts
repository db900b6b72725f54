import type { RequestListener } from 'node:http';
import {
  CertificateFiles,
  type Clock,
  type KeyPairPaths,
  type Logger,
  type OptionValues,
  startHttpServer,
} from '@catamaran/platform';
import type { loadWatcherOptions } from './options.js';

/** Where and how the load-watcher listens. */
export interface ServingConfig {
  readonly host: string;
  readonly port: number;
  /** Undefined: plain HTTP. */
  readonly pair: KeyPairPaths | undefined;
}

type Values = OptionValues<typeof loadWatcherOptions>;

export function servingOf({ bindAddress, port, tlsCertFile, tlsPrivateKeyFile }: Values): ServingConfig {
  const pair = tlsCertFile === '' ? undefined : { certPath: tlsCertFile, keyPath: tlsPrivateKeyFile };
  return { host: withoutBrackets(bindAddress), port, pair };
}

export function servingProblems({ tlsCertFile, tlsPrivateKeyFile }: Values): readonly string[] {
  const isHalf = (tlsCertFile === '') !== (tlsPrivateKeyFile === '');
  return isHalf ? ['--tls-cert-file, --tls-private-key-file: give both or none'] : [];
}

/** Things to log at start. */
export function servingNotes({ tlsCertFile, watcherTokenFile, bindAddress }: Values): readonly string[] {
  if (watcherTokenFile === '' || tlsCertFile !== '' || LOOPBACK.test(withoutBrackets(bindAddress))) return [];
  return ['--watcher-token-file without --tls-cert-file: the token crosses the network unencrypted'];
}

/** As IPv6 addresses stand in URLs. */
function withoutBrackets(address: string): string {
  return address.replace(/^\[(.*)\]$/, '$1');
}

const LOOPBACK = /^(127\.[\d.]+|::1|localhost)$/;

/**
 * Listens, over HTTPS where there is a certificate, which is followed when its files change.
 * @throws OperatorError for files that are no good, ListenError.
 */
export async function openPort(
  { host, port, pair }: ServingConfig,
  listener: RequestListener,
  deps: { readonly clock: Clock; readonly log: Logger },
): Promise<{ close(): Promise<void> }> {
  const certificates = pair === undefined ? undefined : new CertificateFiles({ pair }, deps);
  const tls = await certificates?.first();
  const server = await startHttpServer(
    { host, port, listener, name: 'load-watcher', ...(tls === undefined ? {} : { tls }) },
    deps,
  );
  certificates?.follow((identity) => server.renew(identity));
  return {
    close: async () => {
      await Promise.all([certificates?.close(), server.close()]);
    },
  };
}
