import type { KubernetesObject } from '@catamaran/model';
import { ClusterApiError } from '../cluster-api.js';

export type Predicate = (object: KubernetesObject) => boolean;

/** Fields that a real API server can select on, by collection; metadata.name and metadata.namespace always work. */
const SELECTABLE: Readonly<Record<string, readonly string[]>> = {
  nodes: ['spec.unschedulable'],
  pods: [
    'spec.nodeName',
    'spec.schedulerName',
    'spec.restartPolicy',
    'status.phase',
    'status.nominatedNodeName',
  ],
  events: [
    'reason',
    'type',
    'reportingController',
    ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(
      (field) => `regarding.${field}`,
    ),
  ],
};

const all: Predicate = () => true;

/**
 * Compiles both selectors of a query.
 * @throws ClusterApiError 'rejected' (400) with the part that cannot be read.
 */
export function compileSelectors(
  kind: string,
  query: { readonly fieldSelector?: string | undefined; readonly labelSelector?: string | undefined },
): Predicate {
  const fields = compileFields(kind, query.fieldSelector ?? '');
  const labels = compileLabels(query.labelSelector ?? '');
  if (fields === all) return labels;
  return labels === all ? fields : (object) => fields(object) && labels(object);
}

function compileFields(kind: string, selector: string): Predicate {
  const terms = splitTopLevel(selector).map((term) => compileFieldTerm(kind, term));
  if (terms.length === 0) return all;
  return (object) => terms.every((term) => term(object));
}

function compileFieldTerm(kind: string, term: string): Predicate {
  const match = /^([\w.]+)(==|=|!=)(.*)$/s.exec(term);
  const [, path = '', operator = '', value = ''] = match ?? [];
  if (match === null) throw badRequest(`invalid field selector "${term}": write name=value or name!=value`);
  const known = ['metadata.name', 'metadata.namespace', ...(SELECTABLE[kind] ?? [])];
  if (!known.includes(path)) {
    throw badRequest(`field label not supported: ${path}; for ${kind} use one of ${known.join(', ')}`);
  }
  const keys = path.split('.');
  const wanted = operator !== '!=';
  return (object) => (readField(object, keys) === value) === wanted;
}

function readField(object: unknown, keys: readonly string[]): string {
  let value = object;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null) return '';
    value = (value as Record<string, unknown>)[key];
  }
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number'
    ? String(value)
    : '';
}

function compileLabels(selector: string): Predicate {
  const terms = splitTopLevel(selector).map(compileLabelTerm);
  if (terms.length === 0) return all;
  return (object) => {
    const labels = object.metadata.labels ?? {};
    return terms.every((term) => term(labels));
  };
}

type LabelTest = (labels: Readonly<Record<string, string>>) => boolean;

const LABEL_KEY = String.raw`[A-Za-z0-9](?:[\w.\-/]*[A-Za-z0-9])?`;
const LABEL_SET = new RegExp(String.raw`^(${LABEL_KEY})\s+(in|notin)\s*\(([^()]*)\)$`);
const LABEL_EQUALITY = new RegExp(String.raw`^(${LABEL_KEY})\s*(==|=|!=)\s*([\w.\-]*)$`);
const LABEL_EXISTS = new RegExp(String.raw`^(!?)\s*(${LABEL_KEY})$`);

function compileLabelTerm(term: string): LabelTest {
  const set = LABEL_SET.exec(term);
  if (set !== null) {
    const [, key = '', operator, list = ''] = set;
    const values = new Set(list.split(',').map((value) => value.trim()));
    return (labels) => (Object.hasOwn(labels, key) && values.has(labels[key] ?? '')) === (operator === 'in');
  }
  const equality = LABEL_EQUALITY.exec(term);
  if (equality !== null) {
    const [, key = '', operator, value = ''] = equality;
    return (labels) => (Object.hasOwn(labels, key) && labels[key] === value) === (operator !== '!=');
  }
  const exists = LABEL_EXISTS.exec(term);
  if (exists === null) throw badRequest(`unable to parse label selector requirement "${term}"`);
  const [, not, key = ''] = exists;
  return (labels) => Object.hasOwn(labels, key) === (not === '');
}

/** Splits on commas that stand outside parentheses; empty parts are dropped. */
function splitTopLevel(selector: string): string[] {
  return selector
    .split(/,(?![^()]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function badRequest(message: string): ClusterApiError {
  return new ClusterApiError('rejected', message, { httpStatus: 400, reason: 'BadRequest' });
}
