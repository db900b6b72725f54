import { parseQuantity, quantityMilliValue } from '@catamaran/model';
import { isJsonObject, type JsonObject } from './merge-patch.js';
import { invalidObject, type StatusCause } from './status.js';

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const MAX_NAME_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;

/**
 * Checks an object that is created or replaced, as far as a wrong one would mislead a scheduler; events and leases are
 * checked by the store.
 * @throws ApiFailure 422 with all causes.
 */
export function validateObject(kind: string, object: JsonObject): void {
  const causes = new Causes();
  const metadata = objectAt(object, 'metadata');
  validateName(metadata, causes);
  if (kind === 'Pod') validatePod(objectAt(object, 'spec'), causes);
  if (kind === 'Node') validateNode(objectAt(object, 'status'), causes);
  if (causes.list.length > 0) throw invalidObject(kind, text(metadata.name), causes.list);
}

class Causes {
  readonly list: StatusCause[] = [];

  required(field: string, detail = ''): void {
    this.list.push({
      reason: 'FieldValueRequired',
      field,
      message: `Required value${detail && `: ${detail}`}`,
    });
  }

  invalid(field: string, value: unknown, detail: string): void {
    const shown = JSON.stringify(value)?.slice(0, 100);
    this.list.push({ reason: 'FieldValueInvalid', field, message: `Invalid value: ${shown}: ${detail}` });
  }
}

function validateName(metadata: JsonObject, causes: Causes): void {
  const { name } = metadata;
  if (name === undefined || name === '') {
    const given = text(metadata.generateName) !== '';
    if (!given) causes.required('metadata.name', 'name or generateName is required');
  } else if (typeof name !== 'string' || name.length > MAX_NAME_LENGTH || !SUBDOMAIN.test(name)) {
    causes.invalid('metadata.name', name, 'must be a lowercase RFC 1123 subdomain of at most 253 characters');
  }
}

function validatePod(spec: JsonObject, causes: Causes): void {
  const containers = listAt(spec, 'containers');
  if (containers.length === 0) causes.required('spec.containers');
  const names = new Set<string>();
  for (const list of ['containers', 'initContainers'] as const) {
    for (const [index, container] of listAt(spec, list).entries()) {
      const field = `spec.${list}[${index}]`;
      if (isJsonObject(container)) validateContainer(container, { field, names }, causes);
    }
  }
  validateQuantities(spec.overhead, 'spec.overhead', causes);
}

function validateContainer(
  container: JsonObject,
  at: { readonly field: string; readonly names: Set<string> },
  causes: Causes,
): void {
  const name = text(container.name);
  if (name === '') causes.required(`${at.field}.name`);
  else if (name.length > MAX_LABEL_LENGTH || !LABEL.test(name)) {
    causes.invalid(`${at.field}.name`, name, 'must be a lowercase RFC 1123 label of at most 63 characters');
  } else if (at.names.has(name)) {
    causes.list.push({
      reason: 'FieldValueDuplicate',
      field: `${at.field}.name`,
      message: `Duplicate value: "${name}"`,
    });
  }
  at.names.add(name);
  if (text(container.image) === '') causes.required(`${at.field}.image`);
  const resources = objectAt(container, 'resources');
  const requests = validateQuantities(resources.requests, `${at.field}.resources.requests`, causes);
  const limits = validateQuantities(resources.limits, `${at.field}.resources.limits`, causes);
  for (const [resource, requested] of requests) {
    const limit = limits.get(resource);
    if (limit !== undefined && requested > limit) {
      causes.invalid(
        `${at.field}.resources.requests`,
        resource,
        `must be less than or equal to ${resource} limit`,
      );
    }
  }
}

/** Milli-values of the quantities that can be read; the others become causes. */
function validateQuantities(list: unknown, field: string, causes: Causes): Map<string, number | bigint> {
  const values = new Map<string, number | bigint>();
  if (!isJsonObject(list)) return values;
  for (const [resource, quantity] of Object.entries(list)) {
    const parsed = parseQuantity(quantity);
    if (!parsed.ok) causes.invalid(`${field}[${resource}]`, quantity, parsed.problem);
    else if (parsed.value.nano < 0n) causes.invalid(`${field}[${resource}]`, quantity, 'must be 0 or more');
    else values.set(resource, quantityMilliValue(parsed.value));
  }
  return values;
}

function validateNode(status: JsonObject, causes: Causes): void {
  validateQuantities(status.capacity, 'status.capacity', causes);
  validateQuantities(status.allocatable, 'status.allocatable', causes);
}

function objectAt(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isJsonObject(value) ? value : {};
}

function listAt(object: JsonObject, key: string): readonly unknown[] {
  const value = object[key];
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
