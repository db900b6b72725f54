import type { Pod } from '@catamaran/model';
import { type ClusterApiError, type ClusterApiErrorCode, isClusterApiError } from '@catamaran/platform';
import { expect } from 'chai';

/** Awaits a failure with this code, and this in its message. */
export async function expectFailure(
  call: Promise<unknown>,
  code: ClusterApiErrorCode,
  text: string | RegExp = '',
): Promise<ClusterApiError> {
  const error: unknown = await call.then(
    () => new Error(`succeeded where ${code} was due`),
    (reason: unknown) => reason,
  );
  if (!isClusterApiError(error)) throw error;
  expect(error.code, error.message).to.equal(code);
  if (typeof text === 'string') expect(error.message).to.include(text);
  else expect(error.message).to.match(text);
  return error;
}

/** `reason` is left out where there is none. */
export function scheduledCondition(pod: Pod | undefined): { status?: string; reason?: string } {
  const condition = pod?.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  const { status, reason } = condition ?? {};
  return { ...(status === undefined ? {} : { status }), ...(reason === undefined ? {} : { reason }) };
}
