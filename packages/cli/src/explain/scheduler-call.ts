import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { OperatorError } from '@catamaran/platform';

export interface SchedulerTarget {
  readonly scheduler: URL;
  readonly insecureSkipTlsVerify: boolean;
  /** Bearer token to show. */
  readonly token?: string;
  /** Authorities that vouch for it. */
  readonly caPem?: string;
}

export interface SchedulerCall {
  /** Path and query. */
  readonly path: string;
  /** Sent as JSON by POST; a GET without. */
  readonly body?: unknown;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A decision on thousands of nodes takes well under a second to explain. */
const TIMEOUT_MS = 15_000;
const FORWARD = 'kubectl port-forward to its pod';
const REMEDY =
  'give --token-file with the token of a user who has the ClusterRole catamaran-scheduler-reader (kubectl create token)';

/**
 * Asks the scheduler for something it tells as JSON.
 * @throws OperatorError that names URL and remedy; the signal's reason once it has aborted.
 */
export async function askScheduler(
  target: SchedulerTarget,
  call: SchedulerCall,
  stop: AbortSignal,
): Promise<unknown> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  let answer: Answer;
  try {
    answer = await exchange(target, call, AbortSignal.any([stop, deadline]));
  } catch (error) {
    stop.throwIfAborted();
    if (error instanceof OperatorError) throw error;
    const why = deadline.aborted
      ? `no answer within ${TIMEOUT_MS / 1000} s; look at its log and its /readyz`
      : connectionProblem(error as NodeJS.ErrnoException, target.scheduler);
    throw new OperatorError(`the scheduler at ${target.scheduler.origin}: ${why}`);
  }
  return bodyOf(answer, target.scheduler.origin);
}

/** A self-signed certificate says nothing on this machine that the address does not say already. */
export function acceptsAnyCertificate({ scheduler, insecureSkipTlsVerify, caPem }: SchedulerTarget): boolean {
  return insecureSkipTlsVerify || (caPem === undefined && isThisMachine(scheduler));
}

function isThisMachine({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

async function exchange(target: SchedulerTarget, call: SchedulerCall, signal: AbortSignal): Promise<Answer> {
  const url = new URL(call.path, target.scheduler);
  const body = call.body === undefined ? undefined : JSON.stringify(call.body);
  const { token, caPem } = target;
  if (token !== undefined && url.protocol === 'http:' && !isThisMachine(url)) {
    throw new OperatorError(
      `--token-file: a token is not sent in the clear; try --scheduler=https://${url.host}`,
    );
  }
  const options = {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    signal,
    agent: false,
  } as const;
  return await new Promise((resolve, reject) => {
    const request =
      url.protocol === 'http:'
        ? requestPlain(url, options)
        : requestTls(url, { ...options, ca: caPem, rejectUnauthorized: !acceptsAnyCertificate(target) });
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.end(body);
  });
}

/** What a failed connection means, and what to do. */
export function connectionProblem(
  { code = '', message }: Pick<NodeJS.ErrnoException, 'code' | 'message'>,
  { protocol, host }: URL,
): string {
  if (code === 'ECONNREFUSED') {
    return `nothing listens there; start it, use ${FORWARD}, or name another with --scheduler`;
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `its name can't be resolved; use ${FORWARD}, or name another with --scheduler`;
  }
  if (/CERT|ISSUER|LEAF_SIGNATURE/.test(code)) {
    return `its certificate can't be verified (${code}); give --certificate-authority, use ${FORWARD}, or give --insecure-skip-tls-verify`;
  }
  if (protocol === 'https:' && code === 'EPROTO') {
    return `it does not speak TLS; try --scheduler=http://${host}`;
  }
  if (protocol === 'http:' && (code === 'ECONNRESET' || code.startsWith('HPE_'))) {
    return `it does not speak plain HTTP; try --scheduler=https://${host}`;
  }
  return `${message || code}; use ${FORWARD}, or name another with --scheduler`;
}

function bodyOf({ status, text }: Answer, origin: string): unknown {
  const value = parsed(text);
  if (status === 200 && value !== undefined) return value;
  const told = (value as { readonly error?: unknown } | null | undefined)?.error;
  const why = typeof told === 'string' ? told : '';
  if (status === 401) {
    throw new OperatorError(`the scheduler at ${origin} knows nobody with this token: ${REMEDY}`);
  }
  if (status === 403) {
    throw new OperatorError(
      `the scheduler at ${origin} does not let you: ${why === '' ? '' : `${why}; `}${REMEDY}`,
    );
  }
  if (status === 500 && why !== '')
    throw new OperatorError(`the scheduler at ${origin}: ${why}; see its log`);
  if ((status === 400 || status === 413) && why !== '')
    throw new OperatorError(`the scheduler refuses: ${why}`);
  throw new OperatorError(
    `${origin} answers ${status} without a decision: is it the secure port of Catamaran's scheduler (--secure-port)?`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
