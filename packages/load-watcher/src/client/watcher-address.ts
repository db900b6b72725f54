import { parseBaseUrl } from '../providers/base-url.js';

/** An address that can't be that of a watcher; the message names it and the remedy. */
export class WatcherAddressError extends TypeError {
  override readonly name = 'WatcherAddressError';
}

/**
 * URL of the document below a configured address.
 * @throws WatcherAddressError
 */
export function documentUrl(address: string): string {
  const parsed = parseBaseUrl(address, 2020);
  if (!parsed.ok) throw new WatcherAddressError(`watcher address ${parsed.problem}`);
  return `${parsed.value.href.replace(/\/+$/, '')}/watcher`;
}
