import { ok, problem, type Result } from '@catamaran/model';
import { maskUserPart } from '@catamaran/platform';
import { hasSoundUserPart } from '../base-url.js';

/** A proxy's URL as it can be used; no message tells its user part. */
export function parseProxyUrl(text: string): Result<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isProxy = url !== undefined && /^https?:$/.test(url.protocol) && url.search + url.hash === '';
  if (isProxy && hasSoundUserPart(url)) return ok(url.href);
  return problem(
    `${JSON.stringify(maskUserPart(text))} is not the URL of an HTTP proxy; write it as http://host:3128, special characters of user and password percent-encoded`,
  );
}
