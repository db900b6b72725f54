import { isJsonObject, type JsonObject, withoutNulls } from './merge-patch.js';
import { shapeOfKind } from './object-shapes.js';
import { apiVersionOf } from './resources.js';
import type { ResourceRoute } from './route.js';
import { shapeProblems } from './shape.js';
import { badRequest } from './status.js';

/**
 * The object in a body, as a typed decoder would have it: of the kind and name that its URL says, without nulls, every
 * known field of its type.
 * @throws ApiFailure 400.
 */
export function asObjectOf(route: ResourceRoute, body: JsonObject): JsonObject {
  const { resource, namespace, name } = route;
  const given = withoutNulls(body);
  const expected = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  for (const field of ['apiVersion', 'kind'] as const) {
    if ((given[field] ?? expected[field]) !== expected[field]) {
      throw badRequest(
        `${field} ${JSON.stringify(given[field])} does not match the expected ${expected[field]}`,
      );
    }
  }
  const problems = shapeProblems(given, shapeOfKind(resource.kind));
  if (problems.length > 0) throw badRequest(`${resource.kind} cannot be decoded: ${problems.join('; ')}`);
  if (resource.kind === 'Pod' && given.spec === undefined) throw badRequest('spec is not an object');
  const metadata = isJsonObject(given.metadata) ? given.metadata : {};
  if (name !== undefined && (metadata.name ?? name) !== name) {
    throw badRequest(`the name of the object does not match the name on the URL (${name})`);
  }
  if (namespace !== undefined && (metadata.namespace ?? namespace) !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  const identity = {
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
  };
  return { ...given, ...expected, metadata: { ...metadata, ...identity } };
}
