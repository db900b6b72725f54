/** The parts of a request target that matter, read as Go's net/http reads them. */
export interface RequestTarget {
  /** As sent, still percent-encoded. */
  readonly rawPath: string;
  /** Without the question mark; empty when there is none. */
  readonly rawQuery: string;
}

/** @param url `request.url`: the target, bytes above 0x7f as latin-1 characters. */
export function parseTarget(url: string): RequestTarget {
  const origin = url.startsWith('/') || url === '*' ? url : url.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
  const mark = origin.indexOf('?');
  const rawPath = mark < 0 ? origin : origin.slice(0, mark);
  return { rawPath: rawPath === '' ? '/' : rawPath, rawQuery: mark < 0 ? '' : origin.slice(mark + 1) };
}

/**
 * First value of a query key, as bytes; undefined when the key is absent. Pairs with a semicolon or a broken escape
 * are dropped, other pairs stand.
 */
export function queryValue(rawQuery: string, key: string): Buffer | undefined {
  for (const pair of rawQuery.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const name = decodeEscapes(equals < 0 ? pair : pair.slice(0, equals));
    const value = decodeEscapes(equals < 0 ? '' : pair.slice(equals + 1));
    if (name !== undefined && value !== undefined && name.toString('utf8') === key) return value;
  }
  return undefined;
}

function decodeEscapes(text: string): Buffer | undefined {
  const bytes = Buffer.from(text.replaceAll('+', ' '), 'latin1');
  if (!text.includes('%')) return bytes;
  if (/%(?![0-9a-f]{2})/i.test(text)) return undefined;
  const plain = bytes
    .toString('latin1')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(plain, 'latin1');
}

/** The path without empty, `.` and `..` elements; a trailing slash stays. */
export function cleanPath(rawPath: string): string {
  const kept: string[] = [];
  for (const element of rawPath.split('/')) {
    if (element === '..') kept.pop();
    else if (element !== '' && element !== '.') kept.push(element);
  }
  const clean = `/${kept.join('/')}`;
  return rawPath.endsWith('/') && clean !== '/' ? `${clean}/` : clean;
}

/** Path with its escapes resolved, element by element; an element with a broken escape stays as it is. */
export function decodedPath(rawPath: string): string {
  if (!rawPath.includes('%')) return rawPath;
  return rawPath
    .split('/')
    .map((element) => decodeEscapes(element.replaceAll('+', '%2B'))?.toString('utf8') ?? element)
    .join('/');
}
