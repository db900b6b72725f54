import { ok, problem, type Result } from '@catamaran/model';
import { maskUserPart } from '@catamaran/platform';

/**
 * An absolute http or https URL without query and fragment. No message tells its user part.
 * @param port of the example in the message.
 */
export function parseBaseUrl(text: string, port = 9090): Result<URL> {
  const masked = maskUserPart(text);
  const shown = JSON.stringify(masked);
  if (/\$\{|\$\(|\{\{/.test(text)) return problem(`${shown} is not a URL: is a variable in it not expanded?`);
  if (!URL.canParse(text)) return problem(`${shown} is not a URL; write it as http://host:${port}`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const rest = masked.replace(/^[a-z+.-]+:\/\//i, '');
    return problem(`${shown} has no scheme http or https; write it as http://${rest}`);
  }
  if (url.search !== '' || url.hash !== '') {
    return problem(`${shown} has a query or fragment; give only scheme, host, port and path prefix`);
  }
  return hasSoundUserPart(url)
    ? ok(url)
    : problem(
        `${shown}: write special characters of user and password percent-encoded, as in p%40ss for p@ss`,
      );
}

/** Whether user and password can be decoded, and nothing of them has become a path. */
export function hasSoundUserPart(url: URL): boolean {
  try {
    decodeURIComponent(url.username + url.password);
  } catch {
    return false;
  }
  return !url.pathname.includes('@');
}
