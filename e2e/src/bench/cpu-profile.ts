import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** Id of the node on top of the stack at each sample. */
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** What our scheduler's time is spent on: the innermost frame that one of these names decides. */
const WORK: readonly (readonly [what: string, pattern: RegExp])[] = [
  [
    'events and conditions',
    /\/scheduler\/dist\/service\/(event-recorder|outcome-writer|api-writes|send-queue)/,
  ],
  ['bind', /\/scheduler\/dist\/service\/binder/],
  [
    'decide',
    /\/scheduler\/dist\/(core\/(cycle|plugins|framework|node-statistics|numerics|selectors)\/|service\/(scheduling-loop|pod-attempts|decision-log))/,
  ],
  ['cluster state and queue', /\/scheduler\/dist\/(core\/(state|queue)\/|service\/)/],
  [
    'decode',
    /\/platform\/dist\/kubernetes\/(projection|reflector|http\/(watch-decoder|line-splitter|answer))/,
  ],
  ['HTTP and TLS', /\/platform\/dist\/kubernetes\/|node_modules\/.*undici|^node:/],
];
const OTHER = 'start and everything else';
const NATIVE: ReadonlyMap<string, string> = new Map([
  ['(garbage collector)', 'garbage collection'],
  ['(program)', 'outside of JavaScript (TLS, sockets)'],
  ['(idle)', 'idle'],
]);

/** Milliseconds by kind of work, from the one profile in the folder; most first, without idle time. */
export async function timeByWork(
  folder: string,
): Promise<readonly { readonly what: string; readonly ms: number }[]> {
  const [file = ''] = (await readdir(folder)).filter((name) => name.endsWith('.cpuprofile'));
  const profile = JSON.parse(await readFile(join(folder, file), 'utf8')) as CpuProfile;
  const workOf = classify(profile.nodes);
  const totals = new Map<string, number>();
  for (const [index, id] of profile.samples.entries()) {
    const what = workOf.get(id) ?? OTHER;
    totals.set(what, (totals.get(what) ?? 0) + (profile.timeDeltas[index] ?? 0) / 1000);
  }
  totals.delete('idle');
  return [...totals].map(([what, ms]) => ({ what, ms })).sort((a, b) => b.ms - a.ms);
}

function classify(nodes: readonly ProfileNode[]): ReadonlyMap<number, string> {
  const parents = new Map<number, number>();
  for (const { id, children = [] } of nodes) for (const child of children) parents.set(child, id);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const workOf = new Map<number, string>();
  for (const { id } of nodes) {
    const stack: ProfileNode[] = [];
    for (let node = byId.get(id); node !== undefined; node = byId.get(parents.get(node.id) ?? -1))
      stack.push(node);
    workOf.set(id, workOfStack(stack));
  }
  return workOf;
}

/** Innermost first. HTTP decides only where nothing of more meaning is below it. */
function workOfStack(stack: readonly ProfileNode[]): string {
  const native = NATIVE.get(stack[0]?.callFrame.functionName ?? '');
  if (native !== undefined) return native;
  let isHttp = false;
  for (const { callFrame } of stack) {
    const what = WORK.find(([, pattern]) => pattern.test(callFrame.url))?.[0];
    if (what !== undefined && what !== 'HTTP and TLS') return what;
    isHttp ||= what !== undefined;
  }
  return isHttp ? 'HTTP and TLS' : OTHER;
}
