import type { KubernetesObject, Node, Pod } from '@catamaran/model';
import type { ClusterApi, WatchEvent } from '@catamaran/platform';

/** One cluster to test a ClusterApi against, and what only its owner can do to it. */
export interface ClusterApiHarness {
  readonly api: ClusterApi;
  /** Exists, and nothing else uses it. */
  readonly namespace: string;
  createPod(pod: Pod): Promise<Pod>;
  deletePod(name: string): Promise<void>;
  createNode(node: Node): Promise<Node>;
  deleteNode(name: string): Promise<void>;
  /** Lets the server's time pass: virtual where it can be, real otherwise. */
  passSeconds(seconds: number): Promise<void>;
  /** Makes every version so far too old; absent where the server can't be told to. */
  readonly compact?: () => Promise<void>;
  /** Whether metrics.k8s.io is served. */
  readonly hasMetrics: boolean;
  close(): Promise<void>;
}

/** Reads a watch until `isEnough`, then leaves it. */
export async function readEvents<T>(
  events: AsyncIterable<WatchEvent<T>>,
  isEnough: (seen: readonly WatchEvent<T>[]) => boolean,
): Promise<WatchEvent<T>[]> {
  const seen: WatchEvent<T>[] = [];
  for await (const event of events) {
    seen.push(event);
    if (isEnough(seen)) break;
  }
  return seen;
}

/** `ADDED p1`: the events that concern objects, in short. */
export function inShort(events: readonly WatchEvent<KubernetesObject>[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'BOOKMARK') return [];
    return [
      event.type === 'ERROR' ? `ERROR ${event.status.code}` : `${event.type} ${event.object.metadata.name}`,
    ];
  });
}
