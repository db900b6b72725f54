import type { KubernetesObject, Node, Pod } from '@catamaran/model';
import { type FieldDamage, isRecord, type Shape } from './shape.js';
import { NODE_SHAPE, OBJECT_SHAPE, POD_SHAPE } from './shapes.js';

/**
 * An object as the API server sent it, made safe to read. `damage` lists what had to be left out of it; an object
 * that can't be used at all has a sentence instead.
 */
export type ObjectReading<T> =
  | { readonly ok: true; readonly object: T; readonly damage: readonly FieldDamage[] }
  | { readonly ok: false; readonly problem: string };

const NO_DAMAGE: readonly FieldDamage[] = [];

/** A pod whose place can't be read is neither pending nor placed: it can't be used. */
export function readPod(raw: unknown): ObjectReading<Pod> {
  const reading = read<Pod>(raw, POD_SHAPE);
  if (!reading.ok) return reading;
  const { object, damage } = reading;
  const place = damage.find(({ path }) => path === 'spec.nodeName' || path === 'metadata.uid');
  if (place !== undefined) return { ok: false, problem: sentence(place) };
  if (object.spec !== undefined) return reading;
  const missing = damage.some(({ path }) => path === 'spec') ? [] : [{ path: 'spec', text: 'is missing' }];
  return { ok: true, object: { ...object, spec: {} }, damage: [...damage, ...missing] };
}

/** Nothing of a node may be guessed: one with a field of the wrong type can't be used. */
export function readNode(raw: unknown): ObjectReading<Node> {
  const reading = read<Node>(raw, NODE_SHAPE);
  const [first] = reading.ok ? reading.damage : [];
  return first === undefined ? reading : { ok: false, problem: sentence(first) };
}

export function readNamespace(raw: unknown): ObjectReading<KubernetesObject> {
  return read<KubernetesObject>(raw, OBJECT_SHAPE);
}

/** `spec.tolerations: expected a list, got "x"`. */
export function sentence({ path, text }: FieldDamage): string {
  return `${path}: ${text}`;
}

/** What people know the object by, as far as it says. */
export function describeObject(raw: unknown): string {
  const metadata = isRecord(raw) && isRecord(raw.metadata) ? raw.metadata : {};
  const { namespace, name, uid } = metadata;
  const parts = [namespace, name].filter((part) => typeof part === 'string' && part !== '');
  if (parts.length > 0) return parts.join('/');
  return typeof uid === 'string' ? `uid ${uid}` : 'an object without a name';
}

function read<T extends KubernetesObject>(raw: unknown, shape: Shape): ObjectReading<T> {
  const damage: FieldDamage[] = [];
  const object = (shape.fits(raw) ? raw : shape.mend(raw, '', damage)) as Partial<T> | undefined;
  if (object === undefined) return { ok: false, problem: 'is not a map' };
  if ((object.metadata?.name ?? '') === '') return { ok: false, problem: 'metadata.name is missing' };
  return { ok: true, object: object as T, damage: damage.length === 0 ? NO_DAMAGE : damage };
}
