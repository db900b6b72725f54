import { Agent, request } from 'undici';

/** A node as `/debug/decisions` tells of it. */
export interface DecidedNode {
  readonly name: string;
  readonly rejectedBy?: string;
  readonly total?: number;
  readonly scores?: Readonly<Record<string, number>>;
}

export interface Decision {
  readonly pod: string;
  readonly chosen?: string;
  readonly nodes: readonly DecidedNode[];
}

/** What the scheduler of a pod that runs here says at its secure port. */
export class SchedulerPort {
  /** Whether the load figures of every profile are fresh. */
  async seesLoad(): Promise<boolean> {
    const text = await this.#get('/metrics');
    return /^catamaran_scheduler_load_state\{[^}]*state="fresh"[^}]*\} 1$/m.test(text);
  }

  /** The latest decision about each pod of a namespace, with every node. */
  async decisions(namespace: string): Promise<readonly Decision[]> {
    const { items } = JSON.parse(await this.#get('/debug/decisions?limit=1000&nodes=100')) as {
      readonly items: readonly Decision[];
    };
    return items.filter(({ pod }) => pod.startsWith(`${namespace}/`));
  }

  async #get(path: string): Promise<string> {
    const agent = new Agent({ connect: { rejectUnauthorized: false } });
    try {
      const answer = await request(`https://127.0.0.1:10259${path}`, { dispatcher: agent });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text}`);
      return text;
    } finally {
      await agent.destroy();
    }
  }
}

/** Points that TargetLoadPacking gave to the nodes that passed the filters. */
export function packingPoints({ nodes }: Decision): readonly number[] {
  return nodes
    .filter(({ rejectedBy }) => rejectedBy === undefined)
    .map(({ scores }) => scores?.TargetLoadPacking ?? 0);
}

/** Whether no node that passed the filters had more points than the chosen one. */
export function choseTheBest({ chosen, nodes }: Decision): boolean {
  const totals = nodes.filter(({ rejectedBy }) => rejectedBy === undefined).map(({ total }) => total ?? 0);
  return nodes.find(({ name }) => name === chosen)?.total === Math.max(...totals);
}
