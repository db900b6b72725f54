import type { IncomingMessage, ServerResponse } from 'node:http';

/** What Go's URL writer escapes in a path. */
const NOT_PLAIN = /[^A-Za-z0-9\-_.~$&+,/:;=@]/g;

/**
 * Sends the client to the cleaned path, as Go's router does (307 since Go 1.26): a configured address with a trailing
 * slash yields `//watcher`, and clients follow.
 */
export function redirectToCleanPath(
  request: IncomingMessage,
  response: ServerResponse,
  target: { readonly path: string; readonly rawQuery: string },
): void {
  const location =
    escapePath(target.path) + (target.rawQuery === '' ? '' : `?${escapeHigh(target.rawQuery)}`);
  response.statusCode = 307;
  response.setHeader('Location', location);
  const withBody = request.method === 'GET' || request.method === 'HEAD';
  if (withBody) response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(
    request.method === 'GET' ? `<a href="${escapeHtml(location)}">Temporary Redirect</a>.\n\n` : undefined,
  );
}

function escapePath(path: string): string {
  return path.replace(NOT_PLAIN, escapeByte);
}

function escapeHigh(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, escapeByte);
}

function escapeByte(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => HTML[char] ?? char);
}
