import { readFile } from 'node:fs/promises';

/** One answered request. */
export interface AuditEntry {
  readonly user: { readonly username: string };
  readonly verb: string;
  readonly requestURI: string;
  readonly requestReceivedTimestamp: string;
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
  for (const entry of entries) {
    const isBinding = entry.verb === 'create' && entry.objectRef?.subresource === 'binding';
    if (!isBinding || (entry.responseStatus?.code ?? 0) >= 300) continue;
    const pod = `${entry.objectRef?.namespace}/${entry.objectRef?.name}`;
    if (seen.has(pod)) twice.push(pod);
    seen.add(pod);
  }
  return twice;
}
