import { isNoTls, isUnknownAuthority } from '@catamaran/platform';
import type { WatcherAccessOptions } from './watcher-access.js';

/** What can be done about a status that no load-watcher gives to who may read it. */
export function statusRemedy(status: number, { watcherTokenFile }: WatcherAccessOptions): string {
  if (status !== 401 && status !== 403) return 'is this the address of a load-watcher?';
  return watcherTokenFile === undefined
    ? 'it wants a bearer token: give the file of one as watcherTokenFile'
    : `it refuses the token of watcherTokenFile, ${watcherTokenFile}: its own --watcher-token-file must hold the same`;
}

/** Why there was no answer, and what can be done about it. */
export function connectionRemedy(
  error: unknown,
  url: string,
  { watcherCaFile }: WatcherAccessOptions,
): string {
  const { code = '', message = '' } = error as { readonly code?: string; readonly message?: string };
  if (isUnknownAuthority(code)) {
    return watcherCaFile === undefined
      ? `its certificate is signed by an unknown authority (${code}): give that one's as watcherCaFile, or the load-watcher another --tls-cert-file`
      : `its certificate is not signed by an authority in watcherCaFile, ${watcherCaFile} (${code}): give the one that signed the load-watcher's --tls-cert-file`;
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `${message}: ask for a name in watcherAddress that the load-watcher's --tls-cert-file is for`;
  }
  if (code.startsWith('CERT_')) return `${message} (${code}): renew the load-watcher's --tls-cert-file`;
  if (/^redirect loop/i.test(message)) {
    return 'it redirects in a circle: give the address that answers as watcherAddress';
  }
  if (isNoTls(code)) {
    return 'it does not speak TLS: write http:// in watcherAddress, or give the load-watcher a --tls-cert-file';
  }
  const scheme =
    HUNG_UP.has(code) && url.startsWith('http:') ? ', by https:// if it has a --tls-cert-file' : '';
  return `${message || code || String(error)}: check the address and that the load-watcher runs${scheme}`;
}

const HUNG_UP = new Set(['ECONNRESET', 'UND_ERR_SOCKET']);
