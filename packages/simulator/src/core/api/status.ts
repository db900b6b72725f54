import type { Status } from '@catamaran/model';

export interface StatusCause {
  /** `FieldValueRequired`, `FieldValueInvalid`, … */
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

/** A refusal in the API server's own terms; whoever answers the request sends its Status. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: Status;

  constructor(
    failure: Pick<Status, 'code' | 'details'> & { readonly reason: string; readonly message: string },
  ) {
    super(failure.message);
    this.status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', ...failure };
  }
}

export function badRequest(message: string): ApiFailure {
  return new ApiFailure({ code: 400, reason: 'BadRequest', message });
}

export function methodNotAllowed(): ApiFailure {
  const message = 'the server does not allow this method on the requested resource';
  return new ApiFailure({ code: 405, reason: 'MethodNotAllowed', message });
}

export function pathNotFound(): ApiFailure {
  return new ApiFailure({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
  });
}

export function unsupportedMediaType(given: string, accepted: readonly string[]): ApiFailure {
  const list = accepted.join(', ');
  const message = `the body of the request was in an unknown format "${given}"; accepted media types include: ${list}`;
  return new ApiFailure({ code: 415, reason: 'UnsupportedMediaType', message });
}

export function tooLarge(limitBytes: number): ApiFailure {
  return new ApiFailure({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: limit is ${limitBytes}`,
  });
}

/** 422 with everything that is wrong with an object at once. */
export function invalidObject(kind: string, name: string, causes: readonly StatusCause[]): ApiFailure {
  const texts = causes.map((cause) => `${cause.field}: ${cause.message}`);
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return new ApiFailure({
    code: 422,
    reason: 'Invalid',
    message: `${kind} "${name}" is invalid: ${list}`,
    details: { name, kind, causes },
  });
}

export function success(code: number): Status {
  return { kind: 'Status', apiVersion: 'v1', status: 'Success', code };
}
