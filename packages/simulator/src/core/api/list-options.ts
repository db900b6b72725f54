import { type ApiFailure, badRequest, invalidObject } from './status.js';

export interface ListOptions {
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly limit: number;
  readonly continueToken: string;
  /** Empty when not given. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly timeoutSeconds: number | undefined;
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

const DIGITS = /^\d{1,15}$/;

/**
 * Reads the query of a list or watch. Unknown parameters are ignored, as the API server does.
 * @throws ApiFailure 400 for a value that can't be read, 422 for an option that isn't built.
 */
export function readListOptions(query: (name: string) => string | null): ListOptions {
  const text = (name: string): string => query(name) ?? '';
  if (flag(query, 'sendInitialEvents')) throw noInitialEvents();
  const options = {
    watch: flag(query, 'watch'),
    allowWatchBookmarks: flag(query, 'allowWatchBookmarks'),
    limit: number(query, 'limit') ?? 0,
    continueToken: text('continue'),
    resourceVersion: text('resourceVersion'),
    resourceVersionMatch: text('resourceVersionMatch'),
    timeoutSeconds: number(query, 'timeoutSeconds'),
    fieldSelector: text('fieldSelector'),
    labelSelector: text('labelSelector'),
  };
  if (options.resourceVersion !== '' && !DIGITS.test(options.resourceVersion)) {
    throw badRequest(`resourceVersion: Invalid value: "${options.resourceVersion}": expected a whole number`);
  }
  if (options.continueToken !== '' && options.resourceVersion !== '') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  if (!['', 'Exact', 'NotOlderThan'].includes(options.resourceVersionMatch)) {
    throw badRequest(
      `resourceVersionMatch: "${options.resourceVersionMatch}" is neither Exact nor NotOlderThan`,
    );
  }
  return options;
}

function flag(query: (name: string) => string | null, name: string): boolean {
  const text = query(name);
  if (text === null) return false;
  if (['', '1', 't', 'true', 'True', 'TRUE', 'T'].includes(text)) return true;
  if (['0', 'f', 'false', 'False', 'FALSE', 'F'].includes(text)) return false;
  throw badRequest(`${name}: "${text}" is neither true nor false`);
}

function number(query: (name: string) => string | null, name: string): number | undefined {
  const text = query(name);
  if (text === null || text === '') return undefined;
  if (!DIGITS.test(text)) throw badRequest(`${name}: "${text}" is not a whole number of 0 or more`);
  return Number(text);
}

/** The text by which clients know to fall back to list and watch. */
function noInitialEvents(): ApiFailure {
  return invalidObject('ListOptions', '', [
    {
      reason: 'FieldValueForbidden',
      field: 'sendInitialEvents',
      message:
        'Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
    },
  ]);
}
