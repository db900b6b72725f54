import { isJsonObject, type Json, type JsonObject } from './merge-patch.js';

/**
 * Lists that are merged by a key, with the path below the object that each stands at (list indexes left out). All
 * other lists are replaced whole.
 */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  'metadata.ownerReferences': 'uid',
  'spec.containers': 'name',
  'spec.containers.env': 'name',
  'spec.containers.ports': 'containerPort',
  'spec.containers.volumeMounts': 'mountPath',
  'spec.initContainers': 'name',
  'spec.initContainers.env': 'name',
  'spec.initContainers.ports': 'containerPort',
  'spec.initContainers.volumeMounts': 'mountPath',
  'spec.imagePullSecrets': 'name',
  'spec.schedulingGates': 'name',
  'spec.topologySpreadConstraints': 'topologyKey',
  'spec.volumes': 'name',
  'status.addresses': 'type',
  'status.conditions': 'type',
  'status.podIPs': 'ip',
};

/** Lists of plain values that are merged as sets. */
const SETS: ReadonlySet<string> = new Set(['metadata.finalizers']);

/**
 * Strategic-merge patch as the API server applies it to nodes, pods and namespaces: like RFC 7386, but the lists above
 * merge by key, `$patch: delete` removes and `$patch: replace` replaces. Ordering directives are ignored.
 */
export function applyStrategicMergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  return mergeObjects(target, patch, '');
}

function mergeObjects(target: JsonObject, patch: JsonObject, path: string): JsonObject {
  if (patch.$patch === 'replace') return withoutDirectives(patch);
  const merged = new Map(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    const below = path === '' ? key : `${path}.${key}`;
    if (key.startsWith('$deleteFromPrimitiveList/')) {
      const list = key.slice('$deleteFromPrimitiveList/'.length);
      merged.set(list, without(merged.get(list), value));
    } else if (key.startsWith('$')) continue;
    else if (value === null || (isJsonObject(value) && value.$patch === 'delete')) merged.delete(key);
    else merged.set(key, mergeValues(merged.get(key), value, below));
  }
  return Object.fromEntries(merged);
}

function mergeValues(target: Json | undefined, patch: Json, path: string): Json {
  if (isJsonObject(patch)) return mergeObjects(isJsonObject(target) ? target : {}, patch, path);
  if (!Array.isArray(patch)) return patch;
  const items = patch as readonly Json[];
  const present = Array.isArray(target) ? (target as readonly Json[]) : [];
  if (SETS.has(path)) return [...new Set([...present, ...items])];
  const key = Object.hasOwn(MERGE_KEYS, path) ? MERGE_KEYS[path] : undefined;
  return key === undefined ? items : mergeLists(present, items, { key, path });
}

function mergeLists(
  present: readonly Json[],
  patch: readonly Json[],
  at: { readonly key: string; readonly path: string },
): readonly Json[] {
  if (patch.some((item) => isJsonObject(item) && item.$patch === 'replace')) {
    return patch.filter((item) => !isJsonObject(item) || item.$patch !== 'replace');
  }
  let merged = [...present];
  for (const item of patch) {
    if (!isJsonObject(item)) continue;
    const index = merged.findIndex(
      (candidate) => isJsonObject(candidate) && candidate[at.key] === item[at.key],
    );
    const found = merged[index];
    if (item.$patch === 'delete') merged = merged.filter((_, position) => position !== index);
    else if (isJsonObject(found)) merged[index] = mergeObjects(found, item, at.path);
    else merged.push(withoutDirectives(item));
  }
  return merged;
}

function without(target: Json | undefined, removed: Json): readonly Json[] {
  const gone: readonly Json[] = Array.isArray(removed) ? (removed as readonly Json[]) : [];
  return Array.isArray(target) ? (target as readonly Json[]).filter((item) => !gone.includes(item)) : [];
}

function withoutDirectives(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !key.startsWith('$')));
}
