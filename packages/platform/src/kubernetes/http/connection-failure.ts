import { errors } from 'undici';
import { maskUserPart } from '../../config/mask-secrets.js';
import { isNoTls, isUnknownAuthority, isUnreached } from '../../http/failure-codes.js';
import { ClusterApiError } from '../cluster-api.js';
import type { ClusterConnection } from '../connection/cluster-connection.js';

const UNRESOLVED = new Set(['ENOTFOUND', 'EAI_AGAIN']);
const REFUSED_BY_PROXY = /^Proxy response \((\d+)\)/;
/** What the server's alerts say of our certificate: unknown, bad, expired, revoked, missing. */
const CLIENT_CERTIFICATE_ALERT = /ALERT_(?:\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED)$/;

type Route = Pick<ClusterConnection, 'describe' | 'proxyUrl' | 'proxySetting'>;

/** One sentence about what kept a call from its server and what to do; `host` is whom we asked. */
export function connectionFailure(error: Error, connection: Route, host: string): ClusterApiError {
  const { code, cause } = rootOf(error);
  const detail = code === '' || cause.message.includes(code) ? cause.message : `${cause.message} (${code})`;
  const advice = adviceFor({ code, message: cause.message }, connection, host);
  const message = advice === undefined ? `${host}: ${detail}` : `${host}: ${advice} [${detail}]`;
  return new ClusterApiError(isTimeOut(error) ? 'timeout' : 'unavailable', message, { cause: error });
}

/** Whether other certificates might mend it. */
export function isCertificateFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = rootOf(error);
  return isUnknownAuthority(code) || code.startsWith('CERT_') || CLIENT_CERTIFICATE_ALERT.test(code);
}

/** What kind of trouble it is, coarsely: the same server that comes and goes is one. */
export function connectionTroubleOf(error: unknown): 'certificate' | 'name' | 'connection' {
  if (isCertificateFailure(error)) return 'certificate';
  return error instanceof Error && UNRESOLVED.has(rootOf(error).code) ? 'name' : 'connection';
}

function adviceFor(
  failure: { readonly code: string; readonly message: string },
  connection: Route,
  host: string,
): string | undefined {
  const { code, message } = failure;
  const { describe, proxyUrl, proxySetting } = connection;
  if (proxyUrl !== undefined) {
    const setting = proxySetting === undefined ? 'proxy-url' : `${proxySetting} or set NO_PROXY`;
    const proxy = `the proxy ${maskUserPart(proxyUrl)} (${proxySetting ?? `proxy-url of ${describe}`})`;
    const refusal = REFUSED_BY_PROXY.exec(message)?.[1];
    if (refusal !== undefined) return `${proxy} refuses to connect to it, with ${refusal}`;
    if (isUnreached(code)) return `${proxy} can't be reached; mend it or remove ${setting}`;
  }
  return certificateAdvice(code, describe, host) ?? addressAdvice(code, describe, host);
}

function certificateAdvice(code: string, describe: string, host: string): string | undefined {
  if (code === 'CERT_HAS_EXPIRED')
    return `the server's certificate has expired; renew it on the server, and check this machine's clock`;
  if (code === 'CERT_NOT_YET_VALID')
    return `the server's certificate is not valid yet; check the clocks of this machine and of the server`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the server's certificate is not for ${hostName(host)}; use a name it is for as server, or set tls-server-name, in ${describe}`;
  if (isUnknownAuthority(code))
    return `the server's certificate is from an authority that is not trusted; set certificate-authority in ${describe} to the one that signed it`;
  if (CLIENT_CERTIFICATE_ALERT.test(code))
    return `the server refused our client certificate; renew client-certificate and client-key of ${describe}`;
  if (isNoTls(code))
    return `the server speaks no TLS; check the port, or write http:// as server in ${describe}`;
  return undefined;
}

function addressAdvice(code: string, describe: string, host: string): string | undefined {
  if (UNRESOLVED.has(code))
    return `the name ${hostName(host)} can't be resolved; check server in ${describe}, and this machine's DNS`;
  if (code === 'ECONNREFUSED')
    return `nothing listens there; check server in ${describe}, and that the API server runs`;
  if (isUnreached(code))
    return `no connection comes about; check server in ${describe}, network policies and firewalls`;
  return undefined;
}

function hostName(host: string): string {
  return new URL(`https://${host}`).hostname;
}

/** The innermost error with a code: proxies and happy eyeballs wrap what went wrong. */
function rootOf(error: Error): { readonly code: string; readonly cause: Error } {
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error.cause;
  if (inner instanceof Error && typeof (inner as NodeJS.ErrnoException).code === 'string')
    return rootOf(inner);
  return { code: (error as NodeJS.ErrnoException).code ?? '', cause: error };
}

function isTimeOut(error: Error): boolean {
  return (
    error instanceof errors.ConnectTimeoutError ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError
  );
}
