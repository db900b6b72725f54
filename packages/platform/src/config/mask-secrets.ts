import { formatDuration } from './durations.js';
import type { OptionSpec, OptionTable } from './option-spec.js';

const MASK = '***';

/** Words in a key whose value is a secret. */
const SECRET_KEY =
  /token|passw(or)?d|secret|authorization|credential|cookie|api[-_]?key|app[-_]?key|(client|private)[-_]?key|keypem/i;

/** Keys that only point at a secret, count it or tell about it. */
const POINTER_KEY = /(file|path|name|ref|count|kind|type|present|expiry|expires|expiresat|ms|seconds)$/i;

const SECRET_PARAMETER =
  /([?&;](?:[\w-]*(?:token|passw(?:or)?d|secret|signature|api[-_]?key|app[-_]?key)|sig|key)=)[^&;#\s"']*/gi;
const URL_USER_PART = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#]+@/gi;
/** Where what follows `user:` is no port, it is a password, with whatever it holds up to the last `@`. */
const ODD_USER_PART = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#:@[\]]*:(?!\d*(?:[/?#\s"'),;]|$))\S*@/gi;
const AUTHORIZATION = /\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi;
const JSON_WEB_TOKEN = /\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g;

/**
 * A copy fit for people: values of keys that name a secret, user parts and secret parameters of URLs, and bearer
 * tokens anywhere in a text become `***`. Errors become plain objects, cycles `[circular]`. An empty or absent secret
 * stays visible as such.
 */
export function maskSecrets(value: unknown): unknown {
  return maskValue(value, []);
}

/** `maskSecrets` for a text. */
export function maskText(text: string): string {
  return text
    .replace(ODD_USER_PART, `$1${MASK}@`)
    .replace(URL_USER_PART, `$1${MASK}@`)
    .replace(SECRET_PARAMETER, `$1${MASK}`)
    .replace(AUTHORIZATION, `$1 ${MASK}`)
    .replace(JSON_WEB_TOKEN, MASK);
}

/** For a text that was meant as an address, however odd: all that stands before its last `@`, but for the scheme. */
export function maskUserPart(text: string): string {
  const at = text.lastIndexOf('@');
  if (at < 0) {
    return maskText(text);
  }
  const [scheme = ''] = /^\s*[a-z][a-z0-9+.-]*:\/\//i.exec(text) ?? [];
  return maskText(`${scheme}${MASK}@${text.slice(at + 1)}`);
}

/** Effective options, fit for people: secrets by what the table says of each, not by its name; durations as Go writes them. */
export function maskOptions(
  table: OptionTable,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, shownOption(table[key], value)]),
  );
}

function shownOption(spec: OptionSpec | undefined, value: unknown): unknown {
  const secret = spec?.secret;
  if (spec?.type === 'duration' && typeof value === 'number') {
    return formatDuration(value);
  }
  if (secret === 'user part' && typeof value === 'string') {
    return maskUserPart(value);
  }
  return secret === true ? maskAll(value) : maskSecrets(value);
}

function maskAll(value: unknown): unknown {
  if (value === undefined || value === null || value === '') {
    return value;
  }
  if (typeof value !== 'object') {
    return MASK;
  }
  return Array.isArray(value)
    ? value.map(maskAll)
    : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskAll(item)]));
}

function maskValue(value: unknown, ancestors: readonly object[]): unknown {
  if (typeof value === 'string') {
    return maskText(value);
  }
  if (typeof value === 'bigint') {
    return value.toString();
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (ancestors.includes(value)) {
    return '[circular]';
  }
  return maskObject(value, [...ancestors, value]);
}

function maskObject(value: object, ancestors: readonly object[]): unknown {
  if (value instanceof Error) {
    return maskError(value, ancestors);
  }
  if (value instanceof Date || value instanceof URL) {
    return maskText(value instanceof Date ? value.toJSON() : value.href);
  }
  if (Array.isArray(value) || value instanceof Set) {
    return Array.from(value, (item) => maskValue(item, ancestors));
  }
  const entries = value instanceof Map ? [...(value as Map<unknown, unknown>)] : Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, item]) => [String(key), maskField(String(key), item, ancestors)]),
  );
}

/** Whether the value of such a key is a secret. */
export function namesSecret(key: string): boolean {
  return SECRET_KEY.test(key) && !POINTER_KEY.test(key);
}

function maskField(key: string, value: unknown, ancestors: readonly object[]): unknown {
  // Any header may be a credential.
  if (key === 'headers' && !(value instanceof Map)) return maskAll(value);
  if (
    !namesSecret(key) ||
    value === undefined ||
    value === null ||
    value === '' ||
    typeof value === 'boolean'
  ) {
    return maskValue(value, ancestors);
  }
  return MASK;
}

function maskError(error: Error, ancestors: readonly object[]): unknown {
  const fields = Object.entries(error).map(([key, value]: [string, unknown]) => [
    key,
    // What could not be parsed as a URL may still hold a password.
    (key === 'input' || key === 'base') && typeof value === 'string' ? maskUserPart(value) : value,
  ]);
  const extra = maskObject(Object.fromEntries(fields) as object, ancestors) as Record<string, unknown>;
  return {
    ...extra,
    type: error.name,
    message: maskText(error.message),
    ...(error.stack === undefined ? {} : { stack: maskText(error.stack) }),
    ...(error.cause === undefined ? {} : { cause: maskValue(error.cause, ancestors) }),
  };
}
