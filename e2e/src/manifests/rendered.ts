import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { type Binaries, buildBinaries } from '../binaries/build-binaries.js';
import { KUBERNETES_MINORS } from '../binaries/go-modules.js';
import { ROOT } from '../images/build-images.js';
import { runCommand } from '../images/run-command.js';

export const CHART = join(ROOT, 'k8s', 'chart');
export const NAMESPACE = 'catamaran-system';

/** A Kubernetes object as a manifest has it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** kubectl and helm, built if need be. */
export function manifestTools(): Promise<Binaries> {
  const minor = process.env.CATAMARAN_E2E_KUBERNETES ?? KUBERNETES_MINORS[0] ?? '';
  const say = (sentence: string): void => void process.stderr.write(`catamaran e2e: ${sentence}\n`);
  return buildBinaries({ minor, env: process.env, say });
}

/** What `kubectl apply -k` of a folder below k8s/ would apply. */
export async function kustomized(tools: Binaries, folder: string): Promise<readonly Manifest[]> {
  return manifestsIn(await runCommand(tools.kubectl ?? '', ['kustomize', join(ROOT, 'k8s', folder)]));
}

/** What `helm install catamaran` would apply. */
export async function helmTemplate(
  tools: Binaries,
  ...args: readonly string[]
): Promise<readonly Manifest[]> {
  return manifestsIn(await helm(tools, 'template', 'catamaran', CHART, `--namespace=${NAMESPACE}`, ...args));
}

/** @throws Error with what helm said. */
export function helm(tools: Binaries, ...args: readonly string[]): Promise<string> {
  return runCommand(tools.helm ?? '', args);
}

function manifestsIn(text: string): readonly Manifest[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((object) => object !== null);
}

/** `Kind/name`, which is unique among ours. */
export function nameOf({ kind, metadata }: Manifest): string {
  return `${kind}/${metadata.name}`;
}

/** @throws Error when there is none. */
export function only(manifests: readonly Manifest[], name: string): Manifest {
  const [found, another] = manifests.filter((manifest) => nameOf(manifest) === name);
  if (found === undefined || another !== undefined) {
    throw new Error(`expected one ${name} among ${manifests.map(nameOf).join(', ')}`);
  }
  return found;
}
