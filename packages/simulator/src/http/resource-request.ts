import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KubernetesEvent, KubernetesObject } from '@catamaran/model';
import type { Clock, InMemoryCluster } from '@catamaran/platform';
import { asCoreEvent } from '../core/api/core-event.js';
import { type ApiResource, apiVersionOf } from '../core/api/resources.js';
import type { ResourceRoute } from '../core/api/route.js';

/** One request for a resource, as far as handlers need it. */
export interface ResourceRequest {
  readonly route: ResourceRoute;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborts when the client is gone or the server closes. */
  readonly signal: AbortSignal;
}

export interface ResourceHandlerDeps {
  readonly cluster: InMemoryCluster;
  /** Times watches. */
  readonly clock: Clock;
  readonly bodyLimitBytes: number;
}

/** An object as its API version shows it, with the type that stored objects may lack. */
export function shown(resource: ApiResource, object: KubernetesObject): object {
  if (resource.store === 'events' && resource.group === '') return asCoreEvent(object as KubernetesEvent);
  return { ...object, apiVersion: apiVersionOf(resource), kind: resource.kind };
}
