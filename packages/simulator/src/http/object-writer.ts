import type { KubernetesObject, Pod } from '@catamaran/model';
import type { InMemoryCluster } from '@catamaran/platform';
import { applyMergePatch, isJsonObject, type JsonObject } from '../core/api/merge-patch.js';
import { asObjectOf } from '../core/api/object-body.js';
import { checkPodUpdate } from '../core/api/pod-update.js';
import type { ApiResource, Verb } from '../core/api/resources.js';
import { ApiFailure, badRequest, methodNotAllowed, success } from '../core/api/status.js';
import { applyStrategicMergePatch } from '../core/api/strategic-merge-patch.js';
import { validateObject } from '../core/api/validation.js';
import { sendJson } from './json-response.js';
import { readJsonBody, readOptionalBody, readPatch } from './request-body.js';
import { type ResourceHandlerDeps, type ResourceRequest, shown } from './resource-request.js';

/** POST, PUT, PATCH and DELETE of objects, their status, and bindings. */
export class ObjectWriter {
  readonly #deps: ResourceHandlerDeps;

  constructor(deps: ResourceHandlerDeps) {
    this.#deps = deps;
  }

  async handle(call: ResourceRequest): Promise<void> {
    const { resource, name, subresource } = call.route;
    const { method } = call.request;
    refuseDryRun(call.query);
    if (subresource === 'binding' && name !== undefined) {
      if (method !== 'POST') throw methodNotAllowed();
      return await this.#bind(call, name);
    }
    if (method === 'POST' && name === undefined && allows(resource, 'create'))
      return await this.#create(call);
    if (name === undefined) throw methodNotAllowed();
    if (method === 'PUT' && allows(resource, 'update')) return await this.#replace(call, name);
    if (method === 'PATCH' && allows(resource, 'patch')) return await this.#patch(call, name);
    if (method === 'DELETE' && subresource === undefined && allows(resource, 'delete')) {
      return await this.#delete(call, name);
    }
    throw methodNotAllowed();
  }

  get #objects(): InMemoryCluster['objects'] {
    return this.#deps.cluster.objects;
  }

  async #create(call: ResourceRequest): Promise<void> {
    const { resource, namespace } = call.route;
    if (resource.namespaced && namespace === undefined) throw methodNotAllowed();
    const body = await readJsonBody(call.request, this.#deps.bodyLimitBytes);
    const object = asObjectOf(call.route, body);
    validateObject(resource.kind, object);
    if (namespace !== undefined) this.#objects.get('namespaces', namespace);
    // The status of a new pod is the server's to write.
    const { status: _ignored, ...withoutStatus } = object;
    const created = resource.kind === 'Pod' ? withoutStatus : object;
    sendJson(call.response, 201, shown(resource, this.#objects.create(resource.store, asStored(created))));
  }

  async #replace(call: ResourceRequest, name: string): Promise<void> {
    const body = await readJsonBody(call.request, this.#deps.bodyLimitBytes);
    this.#save(call, name, asObjectOf(call.route, body));
  }

  async #patch(call: ResourceRequest, name: string): Promise<void> {
    const { type, patch } = await readPatch(call.request, this.#deps.bodyLimitBytes);
    const { resource, namespace } = call.route;
    // Read, merged and saved without a pause: no other write comes between.
    const present = asJson(shown(resource, this.#objects.get(resource.store, name, namespace)));
    const merged =
      type === 'strategic'
        ? applyStrategicMergePatch(present, patch)
        : (applyMergePatch(present, patch) as JsonObject);
    this.#save(call, name, asObjectOf(call.route, merged));
  }

  #save(call: ResourceRequest, name: string, object: JsonObject): void {
    const { resource, namespace, subresource } = call.route;
    const present = this.#objects.get(resource.store, name, namespace);
    validateObject(resource.kind, object);
    const next =
      subresource === 'status' ? withStatusOf(present, object) : keepingStatus(resource, present, object);
    if (resource.kind === 'Pod') checkPodUpdate(present as Pod, next as Pod);
    sendJson(call.response, 200, shown(resource, this.#objects.update(resource.store, asStored(next))));
  }

  async #delete(call: ResourceRequest, name: string): Promise<void> {
    const { resource, namespace } = call.route;
    const options = await readOptionalBody(call.request, this.#deps.bodyLimitBytes);
    const present = this.#objects.get(resource.store, name, namespace);
    const wanted = isJsonObject(options.preconditions) ? options.preconditions.uid : undefined;
    if (wanted !== undefined && wanted !== present.metadata.uid) {
      const message = `Precondition failed: UID in precondition: ${JSON.stringify(wanted)}, UID in object meta: ${present.metadata.uid ?? ''}`;
      throw new ApiFailure({ code: 409, reason: 'Conflict', message });
    }
    sendJson(call.response, 200, shown(resource, this.#objects.delete(resource.store, name, namespace)));
  }

  async #bind(call: ResourceRequest, name: string): Promise<void> {
    const body = await readJsonBody(call.request, this.#deps.bodyLimitBytes);
    const metadata = isJsonObject(body.metadata) ? body.metadata : {};
    const target = isJsonObject(body.target) ? body.target : {};
    if (typeof target.name !== 'string' || target.name === '')
      throw badRequest('target.name: Required value');
    if (metadata.name !== undefined && metadata.name !== name) {
      throw badRequest(`name in URL does not match name in Binding object: ${name}`);
    }
    const uid = typeof metadata.uid === 'string' ? metadata.uid : '';
    const namespace = call.route.namespace ?? 'default';
    await this.#deps.cluster.bindPod({ namespace, name, uid, nodeName: target.name }, call.signal);
    sendJson(call.response, 201, success(201));
  }
}

/** `/status` changes the status and nothing else. */
function withStatusOf(present: KubernetesObject, next: JsonObject): object {
  const { resourceVersion } = next.metadata as { readonly resourceVersion?: string };
  const metadata = { ...present.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
  return { ...present, metadata, ...(next.status === undefined ? {} : { status: next.status }) };
}

/** Where a status has its own path, the main one does not change it. */
function keepingStatus(resource: ApiResource, present: KubernetesObject, next: JsonObject): object {
  if (!resource.subresources.includes('status')) return next;
  const { status } = present as { readonly status?: unknown };
  const { status: _ignored, ...rest } = next;
  return status === undefined ? rest : { ...rest, status };
}

function allows(resource: ApiResource, verb: Verb): boolean {
  return resource.verbs.includes(verb);
}

function refuseDryRun(query: URLSearchParams): void {
  if (query.has('dryRun')) throw badRequest('dryRun is not supported by the embedded cluster');
}

function asJson(object: object): JsonObject {
  return object as JsonObject;
}

/** Validated above: it has the shape of its kind as far as the cluster looks. */
function asStored(object: object): never {
  return object as never;
}
