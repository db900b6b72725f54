import { didYouMean, ok, problem, type Result } from '@catamaran/model';
import { formatDuration, parseDuration } from './durations.js';
import { maskUserPart } from './mask-secrets.js';
import type { OptionSpec } from './option-spec.js';

/** Where a text comes from decides how a boolean is spelt. */
export type TextOrigin = 'flag' | 'env';

/** Spellings of Go's `strconv.ParseBool`, which flags follow. */
const TRUE_WORDS = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const FALSE_WORDS = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

/** Reads one option from the text of a flag or an environment variable. */
export function decodeText(spec: OptionSpec, text: string, origin: TextOrigin): Result<unknown> {
  switch (spec.type) {
    case 'string':
      return withChoices(spec, text);
    case 'boolean':
      return decodeBoolean(spec, text, origin);
    case 'integer':
      return /^[+-]?\d+$/.test(text)
        ? withBounds(spec, Number(text))
        : problem(`${shown(spec, text)} is not a whole number`);
    case 'number':
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)
        ? withBounds(spec, Number(text))
        : problem(`${shown(spec, text)} is not a number`);
    case 'duration': {
      const parsed = parseDuration(text.trim());
      return parsed.ok ? withBounds(spec, parsed.value) : parsed;
    }
    case 'list':
      return decodeList(spec, text);
    case 'map':
      return decodeMap(spec, text);
  }
}

/** Reads one option from a configuration file, where values have JSON types. */
export function decodeJson(spec: OptionSpec, value: unknown): Result<unknown> {
  switch (spec.type) {
    case 'string':
    case 'duration':
      if (typeof value === 'string') {
        return decodeText(spec, value, 'flag');
      }
      return spec.type === 'duration' && typeof value === 'number'
        ? decodeText(spec, String(value), 'flag')
        : problem(`must be a string, not ${kindOf(spec, value)}; quote it`);
    case 'boolean':
      return typeof value === 'boolean'
        ? ok(value)
        : problem(`must be true or false without quotes, not ${kindOf(spec, value)}`);
    case 'integer':
    case 'number':
      if (typeof value !== 'number') {
        const remedy = typeof value === 'string' ? '; remove the quotes' : '';
        return problem(`must be a number, not ${kindOf(spec, value)}${remedy}`);
      }
      return spec.type === 'integer' && !Number.isInteger(value)
        ? problem(`${value} is not a whole number`)
        : withBounds(spec, value);
    case 'list':
      return Array.isArray(value) && value.every((item) => typeof item === 'string')
        ? everyChoice(spec, value)
        : problem(`must be a list of strings, not ${kindOf(spec, value)}`);
    case 'map':
      return isStringMap(value)
        ? ok({ ...value })
        : problem(`must be a mapping of names to strings, not ${kindOf(spec, value)}`);
  }
}

function decodeBoolean(spec: OptionSpec, text: string, origin: TextOrigin): Result<unknown> {
  const word = origin === 'env' ? text.trim().toLowerCase() : text;
  if (TRUE_WORDS.has(word)) {
    return ok(true);
  }
  if (FALSE_WORDS.has(word) || (origin === 'env' && word === '')) {
    return ok(false);
  }
  return problem(`${shown(spec, text)} is not a boolean; write true or false`);
}

function decodeList(spec: OptionSpec, text: string): Result<unknown> {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return everyChoice(spec, items);
}

function decodeMap(spec: OptionSpec, text: string): Result<unknown> {
  const entries: [string, string][] = [];
  for (const pair of text.split(',').filter((item) => item.trim() !== '')) {
    const at = pair.indexOf('=');
    if (at <= 0) {
      return problem(`${shown(spec, pair)} is not of the form name=value`);
    }
    entries.push([pair.slice(0, at).trim(), pair.slice(at + 1).trim()]);
  }
  return ok(Object.fromEntries(entries));
}

function withBounds(spec: OptionSpec, value: number): Result<unknown> {
  const show = spec.type === 'duration' ? formatDuration : String;
  if (!Number.isFinite(value) || (spec.type === 'integer' && !Number.isSafeInteger(value))) {
    return problem(`${value} is too large`);
  }
  if (spec.min !== undefined && value < spec.min) {
    return problem(`${show(value)} is below the least allowed value, ${show(spec.min)}`);
  }
  if (spec.max !== undefined && value > spec.max) {
    return problem(`${show(value)} is above the greatest allowed value, ${show(spec.max)}`);
  }
  return ok(value);
}

function withChoices(spec: OptionSpec, text: string): Result<unknown> {
  if (spec.choices === undefined || spec.choices.includes(text)) {
    return ok(text);
  }
  const hint = didYouMean(text, spec.choices);
  return problem(`${shown(spec, text)} is not one of ${spec.choices.join(', ')}${hint}`);
}

function everyChoice(spec: OptionSpec, items: readonly string[]): Result<unknown> {
  for (const item of items) {
    const checked = withChoices(spec, item);
    if (!checked.ok) {
      return checked;
    }
  }
  return ok([...items]);
}

/** The offending text in quotes, unless it is a secret. */
function shown(spec: OptionSpec, text: string): string {
  if (spec.secret === true) {
    return 'the given value (not shown)';
  }
  return JSON.stringify(spec.secret === 'user part' ? maskUserPart(text) : text);
}

function isStringMap(value: unknown): value is Record<string, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((item) => typeof item === 'string')
  );
}

/** For messages: what kind of value it is, and the value where it is short and no secret. */
function kindOf(spec: OptionSpec, value: unknown): string {
  if (value === null) {
    return 'null';
  }
  if (typeof value === 'object') {
    return Array.isArray(value) ? 'a list' : 'a mapping';
  }
  return spec.secret === undefined ? `the ${typeof value} ${JSON.stringify(value)}` : `a ${typeof value}`;
}
