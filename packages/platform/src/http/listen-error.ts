import { OperatorError } from '../process/operator-error.js';

export type ListenErrorCode =
  | 'port-taken'
  | 'port-forbidden'
  | 'address-unavailable'
  | 'unknown-host'
  | 'failed';

const CODES: Readonly<Record<string, ListenErrorCode>> = {
  EADDRINUSE: 'port-taken',
  EACCES: 'port-forbidden',
  EADDRNOTAVAIL: 'address-unavailable',
  EAFNOSUPPORT: 'address-unavailable',
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'unknown-host',
};

const TEXTS: Readonly<Record<ListenErrorCode, string>> = {
  'port-taken': 'another program listens there already; stop it or choose another port',
  'port-forbidden': 'the system forbids it; choose a port above 1023 or run with the right to bind low ports',
  'address-unavailable': 'this machine has no such address; give one of its own, or 0.0.0.0 for all',
  'unknown-host': 'the name does not resolve; give an IP address',
  failed: 'the system refused',
};

/** A server could not take its address. */
export class ListenError extends OperatorError {
  override readonly name = 'ListenError';
  readonly code: ListenErrorCode;

  constructor(
    server: { readonly name: string; readonly host: string; readonly port: number },
    cause: NodeJS.ErrnoException,
  ) {
    const code = CODES[cause.code ?? ''] ?? 'failed';
    const detail = code === 'failed' ? `${TEXTS[code]} (${cause.message})` : TEXTS[code];
    super(
      `${server.name} cannot listen on ${server.host || 'all addresses'}, port ${server.port}: ${detail}`,
      { cause },
    );
    this.code = code;
  }
}
