import { ClusterApiError } from '../cluster-api.js';

/** Where the next page of a list begins. */
export interface ContinuePosition {
  readonly version: number;
  /** Key of the last item served. */
  readonly after: string;
}

export function writeContinueToken(position: ContinuePosition): string {
  return Buffer.from(JSON.stringify([position.version, position.after])).toString('base64url');
}

/** Undefined for no token. @throws ClusterApiError 'rejected' (400). */
export function readContinueToken(token: string | undefined): ContinuePosition | undefined {
  if (token === undefined || token === '') return undefined;
  const [version, after] = parse(token);
  if (typeof version === 'number' && typeof after === 'string') return { version, after };
  throw new ClusterApiError('rejected', 'continue key is not valid', {
    httpStatus: 400,
    reason: 'BadRequest',
  });
}

function parse(token: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
