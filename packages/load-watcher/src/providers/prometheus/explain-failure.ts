import { isUnknownAuthority, isUnreached, OperatorError } from '@catamaran/platform';
import { DeadlineError } from '../../deadline.js';

/** Where we ask. */
export interface Route {
  readonly base: string;
  /** Of the proxy on the way, for people. */
  readonly proxy: string | undefined;
}

/** The address, and the proxy on the way to it. */
export function describeRoute({ base, proxy }: Route): string {
  return proxy === undefined ? base : `${base} through the proxy ${proxy}`;
}

/** Why there was no answer, and what can be done about it. */
export function explainFailure(error: unknown, route: Route): string {
  if (error instanceof DeadlineError || error instanceof OperatorError) return error.message;
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  const { base, proxy } = route;
  if (proxy !== undefined && isProxyFailure(code, message)) {
    return `${base}: the proxy ${proxy} does not let us through (${message || code}): check HTTP_PROXY, HTTPS_PROXY, and whether the host belongs into NO_PROXY`;
  }
  return `${describeRoute(route)}: ${remedyOf(code) ?? (message || code || String(error))}`;
}

/** A redirect that is not followed. */
export function explainRedirect(status: number, redirect: URL | undefined, route: Route): string {
  const begin = `${describeRoute(route)}: HTTP ${status}, a redirect`;
  if (redirect === undefined) return `${begin} without a Location`;
  // Queries of such addresses hold what logins pass on.
  return `${begin} to ${redirect.origin}${redirect.pathname}: give the address that answers with --metrics-provider-address, or credentials if that is a login page`;
}

/** Through a proxy only the proxy is connected to; undici tells a refused tunnel by its text. */
function isProxyFailure(code = '', message = ''): boolean {
  return isUnreached(code) || /\bproxy\b/i.test(message);
}

const REMEDIES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name does not resolve (ENOTFOUND): check the address and the namespace in it',
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED): check host and port',
};

function remedyOf(code = ''): string | undefined {
  if (!isUnknownAuthority(code)) return REMEDIES[code];
  return `the certificate is signed by an unknown authority (${code}): give its CA with --metrics-provider-ca-file, or skip the check with --insecure-skip-verify`;
}
