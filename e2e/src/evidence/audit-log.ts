import { readFile } from 'node:fs/promises';

/** One answered request. */
export interface AuditEntry {
  readonly user: { readonly username: string };
  readonly verb: string;
  readonly requestURI: string;
  readonly requestReceivedTimestamp: string;
  /** When it was answered. */
  readonly stageTimestamp: string;
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number };
}

export async function readAuditLog(path: string): Promise<readonly AuditEntry[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  // The last line may be half written.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as AuditEntry);
}

/** `create pods/binding`, `list nodes.metrics.k8s.io`: what a request needed to be allowed. */
export function rightOf({ verb, objectRef }: AuditEntry): string {
  const { resource = '', subresource, apiGroup } = objectRef ?? {};
  const what = subresource === undefined ? resource : `${resource}/${subresource}`;
  return rightText(verb, what, apiGroup ?? '');
}

export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** The same words for everything a role grants. */
export function rightsOf(rules: readonly PolicyRule[]): readonly string[] {
  return rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) => verbs.map((verb) => rightText(verb, resource, group))),
    ),
  );
}

function rightText(verb: string, resource: string, group: string): string {
  return `${verb} ${resource}${group === '' ? '' : `.${group}`}`;
}

/** Pods for which more than one binding was accepted. */
export function boundTwice(entries: readonly AuditEntry[]): readonly string[] {
  const seen = new Set<string>();
  const twice: string[] = [];
  for (const pod of entries.filter(isBound).map(podOf)) {
    if (seen.has(pod)) twice.push(pod);
    seen.add(pod);
  }
  return twice;
}

/** When each accepted binding was received, in milliseconds since the epoch. */
export async function bindingTimes(auditLog: string): Promise<readonly number[]> {
  return (await readAuditLog(auditLog))
    .filter(isBound)
    .map(({ requestReceivedTimestamp }) => Date.parse(requestReceivedTimestamp));
}

/** For each pod in order of creation: from the moment its creation was received to that its binding was answered. */
export async function createdToBoundMs(auditLog: string): Promise<readonly number[]> {
  const entries = await readAuditLog(auditLog);
  const boundMs = new Map(
    entries.filter(isBound).map((entry) => [podOf(entry), milliseconds(entry.stageTimestamp)]),
  );
  return entries.filter(isCreation).flatMap((entry) => {
    const endMs = boundMs.get(podOf(entry));
    return endMs === undefined ? [] : [endMs - milliseconds(entry.requestReceivedTimestamp)];
  });
}

function isBound({ verb, objectRef, responseStatus }: AuditEntry): boolean {
  return verb === 'create' && objectRef?.subresource === 'binding' && (responseStatus?.code ?? 0) < 300;
}

function isCreation({ verb, objectRef, responseStatus }: AuditEntry): boolean {
  const isPod = objectRef?.resource === 'pods' && objectRef.subresource === undefined;
  return verb === 'create' && isPod && (responseStatus?.code ?? 0) < 300;
}

function podOf({ objectRef }: AuditEntry): string {
  return `${objectRef?.namespace}/${objectRef?.name}`;
}

/** With the microseconds that the log has. */
function milliseconds(timestamp: string): number {
  const [, micros = '000'] = /\.\d{3}(\d{3})Z$/.exec(timestamp) ?? [];
  return Date.parse(timestamp) + Number(micros) / 1000;
}
