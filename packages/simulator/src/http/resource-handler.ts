import type { KubernetesObject } from '@catamaran/model';
import { ClusterApiError } from '@catamaran/platform';
import { fromCoreSelector } from '../core/api/core-event.js';
import { type ListOptions, readListOptions } from '../core/api/list-options.js';
import { apiVersionOf } from '../core/api/resources.js';
import type { ResourceRoute } from '../core/api/route.js';
import { ApiFailure, methodNotAllowed, pathNotFound } from '../core/api/status.js';
import { rowObjectOf, type TableForm, tableOf, wantsTable } from '../core/table/table.js';
import { sendJson, sendLargeJson } from './json-response.js';
import { ObjectWriter } from './object-writer.js';
import { type ResourceHandlerDeps, type ResourceRequest, shown } from './resource-request.js';
import { sendWatch } from './watch-response.js';

/** Answers everything below the resource paths: reads here, writes through the ObjectWriter. */
export class ResourceHandler {
  readonly #deps: ResourceHandlerDeps;
  readonly #writer: ObjectWriter;

  constructor(deps: ResourceHandlerDeps) {
    this.#deps = deps;
    this.#writer = new ObjectWriter(deps);
  }

  async handle(call: ResourceRequest): Promise<void> {
    const { route, request } = call;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead) return await this.#writer.handle(call);
    if (route.subresource === 'binding') throw methodNotAllowed();
    if (route.name !== undefined) return this.#get(call, route.name);
    return await this.#collection(call);
  }

  #get(call: ResourceRequest, name: string): void {
    const { resource, namespace } = call.route;
    const object = this.#deps.cluster.objects.get(resource.store, name, namespace);
    sendJson(call.response, 200, this.#asSeen(call, object));
  }

  /** How the client wants tables; undefined when it wants the objects themselves. */
  #tableForm(call: ResourceRequest): TableForm | undefined {
    if (!wantsTable(call.request.headers.accept ?? '')) return undefined;
    return {
      kind: call.route.resource.kind,
      rowObject: rowObjectOf(call.query.get('includeObject')),
      context: { nowMs: this.#deps.cluster.nowMs() },
    };
  }

  async #collection(call: ResourceRequest): Promise<void> {
    const { resource } = call.route;
    const options = readListOptions((name) => call.query.get(name));
    const fieldSelector = scopedSelector(call.route, options.fieldSelector);
    const selectors = {
      ...(fieldSelector === '' ? {} : { fieldSelector }),
      ...(options.labelSelector === '' ? {} : { labelSelector: options.labelSelector }),
    };
    if (options.watch) return await this.#watch(call, options, selectors);
    this.#checkListVersion(options);
    const { items, resourceVersion, continueToken } = this.#deps.cluster.objects.list(resource.store, {
      limit: options.limit,
      continueToken: options.continueToken,
      ...selectors,
    });
    const metadata = { resourceVersion, ...(continueToken === undefined ? {} : { continue: continueToken }) };
    const objects = items.map((item) => shown(resource, item));
    const table = this.#tableForm(call);
    const list = {
      kind: `${resource.kind}List`,
      apiVersion: apiVersionOf(resource),
      metadata,
      items: objects,
    };
    await sendLargeJson(call.response, 200, table === undefined ? list : tableOf(objects, metadata, table));
  }

  async #watch(
    call: ResourceRequest,
    options: ListOptions,
    selectors: { readonly fieldSelector?: string; readonly labelSelector?: string },
  ): Promise<void> {
    const { resource } = call.route;
    const { resourceVersion, timeoutSeconds } = options;
    const query = {
      resourceVersion,
      clock: this.#deps.clock,
      ...selectors,
      ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    };
    const events = this.#deps.cluster.objects.watch(resource.store, query, call.signal);
    await sendWatch(call.response, events, {
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      withBookmarks: options.allowWatchBookmarks,
      show: (object) => this.#asSeen(call, object as KubernetesObject),
    });
  }

  /** An object of a watch, alone in a table where the client wants that. */
  #asSeen(call: ResourceRequest, object: KubernetesObject): object {
    const plain = shown(call.route.resource, object);
    const table = this.#tableForm(call);
    return table === undefined
      ? plain
      : tableOf([plain], { resourceVersion: object.metadata.resourceVersion }, table);
  }

  /** Lists are served from the present only: an older exact version is gone, a newer one has not happened yet. */
  #checkListVersion(options: ListOptions): void {
    const wanted = Number(options.resourceVersion);
    if (options.resourceVersion === '' || wanted === 0) return;
    const present = Number(this.#deps.cluster.objects.list('nodes', { limit: 1 }).resourceVersion);
    if (wanted > present) {
      const message = `Too large resource version: ${wanted}, current: ${present}`;
      throw new ApiFailure({ code: 504, reason: 'Timeout', message, details: { retryAfterSeconds: 1 } });
    }
    if (options.resourceVersionMatch === 'Exact' && wanted < present) {
      throw new ClusterApiError('gone', `the list at version ${wanted} is no longer kept`, {
        httpStatus: 410,
        reason: 'Expired',
      });
    }
  }
}

function scopedSelector(route: ResourceRoute, fieldSelector: string): string {
  const { resource, namespace } = route;
  const own =
    resource.store === 'events' && resource.group === '' ? fromCoreSelector(fieldSelector) : fieldSelector;
  if (namespace === undefined) return own;
  if (!/^[a-z0-9.-]+$/.test(namespace)) throw pathNotFound();
  return own === '' ? `metadata.namespace=${namespace}` : `${own},metadata.namespace=${namespace}`;
}
