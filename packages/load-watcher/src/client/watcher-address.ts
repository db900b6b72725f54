import { OperatorError } from '@catamaran/platform';
import { parseBaseUrl } from '../providers/base-url.js';

/** An address that can't be that of a watcher; the message names it and the remedy. */
export class WatcherAddressError extends OperatorError {
  override readonly name = 'WatcherAddressError';
}

/**
 * URL of the document below a configured address.
 * @throws WatcherAddressError
 */
export function documentUrl(address: string): string {
  const parsed = parseBaseUrl(address, 2020);
  if (!parsed.ok) throw new WatcherAddressError(`watcher address ${parsed.problem}`);
  // Without the user part: a watcher asks for none, and the URL stands in messages.
  return `${parsed.value.origin}${parsed.value.pathname.replace(/\/+$/, '')}/watcher`;
}
