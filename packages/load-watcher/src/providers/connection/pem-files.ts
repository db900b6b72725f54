import { OperatorError, readTextFileSync } from '@catamaran/platform';

/** Files of a connection by TLS. */
export interface PemPaths {
  /** Who is connected to, for messages; Prometheus when left out. */
  readonly peer?: string;
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

export interface Pem {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

/** @throws OperatorError naming the file that can't be read, or is none of its kind. */
export function readPem({ caFile, certFile, keyFile, peer = 'Prometheus' }: PemPaths): Pem {
  const read = (path: string | undefined, what: string): string | undefined => {
    if (path === undefined || path === '') return undefined;
    try {
      return readTextFileSync(path);
    } catch (error) {
      throw unreadable(`${what} for ${peer}`, path, error);
    }
  };
  const ca = read(caFile, 'the CA bundle');
  if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----')) {
    throw new OperatorError(`the CA bundle for ${peer}, ${caFile}, holds no certificate in PEM`);
  }
  return {
    ca,
    cert: read(certFile, 'the client certificate'),
    key: read(keyFile, 'the key of the client certificate'),
  };
}

/** Undefined while they are being replaced. */
export function tryReadPem(options: PemPaths): Pem | undefined {
  try {
    return readPem(options);
  } catch {
    return undefined;
  }
}

export function unreadable(what: string, path: string, error: unknown): OperatorError {
  const { code } = error as NodeJS.ErrnoException;
  return new OperatorError(
    `${what}, ${path}, can't be read (${code ?? (error as Error).message}): check path and mount`,
  );
}

/** Of a certificate, theirs or ours. Who does not like ours may also just hang up. */
export function isOfTls(code: string): boolean {
  return /^(CERT_|ERR_SSL_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ECONNRESET$|EPROTO$|EPIPE$|UND_ERR_SOCKET$)/.test(
    code,
  );
}
