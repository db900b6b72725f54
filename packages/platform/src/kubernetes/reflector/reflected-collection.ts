import type { KubernetesObject } from '@catamaran/model';
import type { CollectionDiff } from './reflector-options.js';

/** What a reflector knows: the projected objects by `namespace/name`. */
export class ReflectedCollection<T extends KubernetesObject> {
  #objects = new Map<string, T>();

  get objects(): ReadonlyMap<string, T> {
    return this.#objects;
  }

  /** Takes over a complete list and tells what it changes. */
  replace(items: readonly T[]): CollectionDiff<T> {
    const before = this.#objects;
    const after = new Map<string, T>();
    const upserted: T[] = [];
    const deleted: T[] = [];
    for (const item of items) {
      const key = keyOf(item);
      const known = before.get(key);
      after.set(key, item);
      if (known !== undefined && !isSameObject(known, item)) deleted.push(known);
      if (known?.metadata.resourceVersion === undefined || isChanged(known, item)) upserted.push(item);
    }
    for (const [key, known] of before) {
      if (!after.has(key)) deleted.push(known);
    }
    this.#objects = after;
    return { upserted, deleted };
  }

  upsert(object: T): void {
    this.#objects.set(keyOf(object), object);
  }

  delete(object: T): void {
    this.#objects.delete(keyOf(object));
  }
}

function keyOf(object: KubernetesObject): string {
  const { namespace, name } = object.metadata;
  return namespace === undefined ? name : `${namespace}/${name}`;
}

function isSameObject(a: KubernetesObject, b: KubernetesObject): boolean {
  return a.metadata.uid === b.metadata.uid;
}

function isChanged(a: KubernetesObject, b: KubernetesObject): boolean {
  return !isSameObject(a, b) || a.metadata.resourceVersion !== b.metadata.resourceVersion;
}
