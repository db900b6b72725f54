import type { NodeList, NodeSource } from '../nodes/node-catalogue.js';
import { explainCall } from './explain-call.js';

/** The nodes of the cluster as they were last listed; none without a source. */
export class LastNodes {
  readonly #source: NodeSource | undefined;
  #list: NodeList | undefined;

  constructor(source: NodeSource | undefined) {
    this.#source = source;
  }

  get list(): NodeList | undefined {
    return this.#list;
  }

  /** A failed list costs nothing but freshness: the last one stands, and the failure is added to `failures`. */
  async renew(failures: string[], signal: AbortSignal): Promise<void> {
    try {
      this.#list = (await this.#source?.list(signal)) ?? this.#list;
    } catch (error) {
      signal.throwIfAborted();
      failures.push(explainCall('nodes', error).message);
    }
  }

  async close(): Promise<void> {
    await this.#source?.close();
  }
}
