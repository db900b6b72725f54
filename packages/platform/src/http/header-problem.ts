const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
/** Those that belong to the connection, which the HTTP client sets itself. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Why no request can carry the header, or undefined when it can; never tells the value. To be asked before each
 * request: one that undici refuses costs its pool a connection for ever.
 */
export function headerProblem(name: string, value: string): string | undefined {
  if (!NAME.test(name)) return 'a name is not one of an HTTP header (not shown)';
  if (OF_THE_CONNECTION.has(name.toLowerCase())) return `${name} is set by the HTTP client itself`;
  return headerValueProblem(value);
}

/** The same for the value alone. */
function headerValueProblem(value: string): string | undefined {
  if (/[\r\n]/.test(value)) return 'the value has a line break (not shown)';
  return VALUE.test(value)
    ? undefined
    : 'the value has a character that no HTTP header can carry (not shown)';
}

/** Why a text is no bearer token that a request can show, or undefined; never tells the text. */
export function bearerTokenProblem(token: string): string | undefined {
  if (token === '') return 'it is empty';
  if (/[\r\n]/.test(token)) return 'it has a line break inside';
  if (/[\x80-\uffff]/.test(token)) return 'it has a character beyond ASCII, which no token has';
  return VALUE.test(token) ? undefined : 'it has a character that no HTTP header can carry';
}
