import type { Node, Pod, Taint, Toleration } from '@catamaran/model';

interface Totals {
  cpuMilli: number;
  memoryBytes: number;
  pods: number;
}

/**
 * Every rule that the placements of these pods break, one sentence each. Written from the Kubernetes documentation,
 * with arithmetic of its own: none of the code under test takes part.
 */
export function placementProblems(nodes: readonly Node[], pods: readonly Pod[]): readonly string[] {
  const byName = new Map(nodes.map((node) => [node.metadata.name, node]));
  const used = new Map<string, Totals>();
  const ports = new Map<string, string>();
  const problems: string[] = [];
  for (const pod of pods) {
    const where = pod.spec.nodeName ?? '';
    const what = `${pod.metadata.namespace}/${pod.metadata.name} on ${where === '' ? 'no node' : where}`;
    const node = byName.get(where);
    if (node === undefined) {
      problems.push(`${what}: there is no such node`);
      continue;
    }
    problems.push(...nodeProblems(pod, node).map((problem) => `${what}: ${problem}`));
    for (const port of hostPorts(pod)) {
      const holder = ports.get(`${where} ${port}`);
      if (holder !== undefined) problems.push(`${what}: ${port} is taken by ${holder}`);
      ports.set(`${where} ${port}`, pod.metadata.name);
    }
    const totals = used.get(where) ?? { cpuMilli: 0, memoryBytes: 0, pods: 0 };
    used.set(where, totals);
    add(totals, pod);
  }
  for (const [name, totals] of used) problems.push(...overcommitOf(name, totals, byName.get(name)));
  return problems;
}

function nodeProblems(pod: Pod, node: Node): readonly string[] {
  const problems: string[] = [];
  const tolerations = pod.spec.tolerations ?? [];
  const cordon: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  const taints = [...(node.spec?.taints ?? []), ...(node.spec?.unschedulable === true ? [cordon] : [])];
  for (const { key, value = '', effect } of taints) {
    if (effect === 'PreferNoSchedule') continue;
    const isTolerated = tolerations.some((toleration) => tolerates(toleration, { key, value, effect }));
    if (!isTolerated) problems.push(`the taint ${key}=${value}:${effect} is not tolerated`);
  }
  for (const [key, value] of Object.entries(pod.spec.nodeSelector ?? {})) {
    if (node.metadata.labels?.[key] !== value) problems.push(`nodeSelector ${key}=${value} does not hold`);
  }
  const terms =
    pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const isWanted = (terms ?? []).some((term) =>
    (term.matchExpressions ?? []).every(
      ({ key, operator, values }) =>
        operator === 'In' && (values ?? []).includes(node.metadata.labels?.[key] ?? ''),
    ),
  );
  if (terms !== undefined && !isWanted) problems.push('no term of its required node affinity holds');
  return problems;
}

function tolerates(
  toleration: Toleration,
  taint: { readonly key: string; readonly value: string; readonly effect: string },
): boolean {
  const { key = '', operator = 'Equal', value = '', effect = '' } = toleration;
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  return operator === 'Exists' || (key !== '' && value === taint.value);
}

function hostPorts(pod: Pod): readonly string[] {
  return (pod.spec.containers ?? [])
    .flatMap((container) => container.ports ?? [])
    .flatMap(({ hostPort, protocol }) =>
      hostPort === undefined ? [] : [`${protocol ?? 'TCP'}/${hostPort}`],
    );
}

function add(totals: Totals, pod: Pod): void {
  totals.pods += 1;
  for (const { resources } of pod.spec.containers ?? []) {
    totals.cpuMilli += cpuMilliOf(resources?.requests?.cpu ?? 0);
    totals.memoryBytes += bytesOf(resources?.requests?.memory ?? 0);
  }
}

function overcommitOf(name: string, totals: Totals, node: Node | undefined): readonly string[] {
  const { cpu = 0, memory = 0, pods = 0 } = node?.status?.allocatable ?? {};
  const limits: readonly (readonly [what: string, used: number, limit: number])[] = [
    ['CPU (milli)', totals.cpuMilli, cpuMilliOf(cpu)],
    ['memory (bytes)', totals.memoryBytes, bytesOf(memory)],
    ['pods', totals.pods, Number(pods)],
  ];
  return limits.flatMap(([what, used, limit]) =>
    used > limit ? [`${name}: ${what} requested ${used}, allocatable ${limit}`] : [],
  );
}

function cpuMilliOf(quantity: string | number): number {
  const [, digits = '', unit] = /^(\d+)(m?)$/.exec(String(quantity)) ?? [];
  if (digits === '') throw new Error(`CPU ${quantity} is not of a form that these tests use`);
  return Number(digits) * (unit === 'm' ? 1 : 1000);
}

const BINARY: Readonly<Record<string, number>> = { '': 1, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };

function bytesOf(quantity: string | number): number {
  const [, digits = '', unit = ''] = /^(\d+)(Ki|Mi|Gi|)$/.exec(String(quantity)) ?? [];
  if (digits === '') throw new Error(`memory ${quantity} is not of a form that these tests use`);
  return Number(digits) * (BINARY[unit] ?? Number.NaN);
}
