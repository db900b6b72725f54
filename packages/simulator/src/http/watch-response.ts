import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { WatchEvent } from '@catamaran/platform';

export interface WatchForm {
  readonly apiVersion: string;
  readonly kind: string;
  readonly withBookmarks: boolean;
  /** How an object is shown. */
  readonly show: (object: object) => object;
}

/** Writes a watch as newline-delimited JSON, no faster than the client reads; ends when the events do. */
export async function sendWatch(
  response: ServerResponse,
  events: AsyncIterable<WatchEvent<object>>,
  form: WatchForm,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
  response.flushHeaders();
  for await (const event of events) {
    if (event.type === 'BOOKMARK' && !form.withBookmarks) continue;
    const written = response.write(`${JSON.stringify(wireEvent(event, form))}\n`);
    if (!written && !response.destroyed)
      await Promise.race([once(response, 'drain'), once(response, 'close')]);
    if (response.destroyed) return;
  }
  response.end();
}

function wireEvent(event: WatchEvent<object>, form: WatchForm): object {
  const { apiVersion, kind } = form;
  if (event.type === 'ERROR') return { type: event.type, object: event.status };
  if (event.type !== 'BOOKMARK') return { type: event.type, object: form.show(event.object) };
  const metadata = { resourceVersion: event.resourceVersion, creationTimestamp: null };
  return { type: event.type, object: { apiVersion, kind, metadata } };
}
