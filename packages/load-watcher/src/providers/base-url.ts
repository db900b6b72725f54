import { ok, problem, type Result } from '@catamaran/model';

/**
 * An absolute http or https URL without query and fragment.
 * @param port of the example in the message.
 */
export function parseBaseUrl(text: string, port = 9090): Result<URL> {
  if (/\$\{|\$\(|\{\{/.test(text))
    return problem(`${JSON.stringify(text)} is not a URL: is a variable in it not expanded?`);
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return problem(`${JSON.stringify(text)} is not a URL; write it as http://host:${port}`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return problem(
      `${JSON.stringify(text)} has no scheme http or https; write it as http://${text.replace(/^[a-z+.-]+:\/\//i, '')}`,
    );
  }
  if (url.search !== '' || url.hash !== '') {
    return problem(
      `${JSON.stringify(text)} has a query or fragment; give only scheme, host, port and path prefix`,
    );
  }
  return ok(url);
}
