/** Codes of a peer whose certificate leads to nobody we trust. */
const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'INVALID_CA',
]);

/** No connection came about; behind a proxy these are failures to reach the proxy. */
const UNREACHED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** What answers in the clear looks like to TLS. */
const NO_TLS: ReadonlySet<string> = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
]);

/** Whether an error of Node.js with this code says that the peer's certificate is from an authority not trusted. */
export function isUnknownAuthority(code: string): boolean {
  return UNKNOWN_AUTHORITY.has(code);
}

/** Whether an error of Node.js with this code says that no connection came about. */
export function isUnreached(code: string): boolean {
  return UNREACHED.has(code);
}

/** Whether an error of Node.js with this code says that the peer speaks no TLS. */
export function isNoTls(code: string): boolean {
  return NO_TLS.has(code);
}
