import type { KubernetesObject } from '@catamaran/model';

/**
 * A projection that gives every object back, also one it can't read: that is kept whole, and told apart when it is
 * taken in. A list must not fail for one of its items.
 */
export function safely<T extends KubernetesObject>(project: (object: T) => T): (object: T) => T {
  return (object) => {
    try {
      return named(project(object));
    } catch {
      return named(object);
    }
  };
}

/** With a name, be it empty: collections are kept by name. */
function named<T extends KubernetesObject>(object: T): T {
  const metadata: unknown = object?.metadata;
  const isMap = typeof metadata === 'object' && metadata !== null;
  if (isMap && typeof object.metadata.name === 'string') return object;
  return { ...object, metadata: { ...(isMap ? object.metadata : {}), name: '' } };
}
