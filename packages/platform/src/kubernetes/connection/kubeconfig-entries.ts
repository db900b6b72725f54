import { dirname, resolve } from 'node:path';
import {
  type Cluster,
  type Context,
  newClusters,
  newContexts,
  newUsers,
  type User,
} from '@kubernetes/client-node/dist/config_types.js';
import type { ExecAuth } from '@kubernetes/client-node/dist/exec_auth.js';
import { parse } from 'yaml';
import { readTextFileSync } from '../../config/regular-file.js';

/** What a user of a kubeconfig adds to a request. */
export interface AppliedCredentials {
  cert?: unknown;
  key?: unknown;
  headers?: { Authorization?: string };
}

/**
 * Clusters, users and contexts of one or several kubeconfigs. Built from two small modules of the client library: its
 * own class for this loads every model of the Kubernetes API with it, 80 MB that stay and a second at start.
 */
export class KubeconfigEntries {
  clusters: readonly Cluster[];
  readonly #users: User[];
  readonly #contexts: Context[];
  #currentContext: string;
  #exec: ExecAuth | undefined;

  private constructor(document: Readonly<Record<string, unknown>>, folder: string) {
    this.clusters = newClusters(document.clusters ?? []).map((cluster) => ({
      ...cluster,
      ...absolute('caFile', cluster.caFile, folder),
    }));
    this.#users = newUsers(document.users ?? []).map((user) => ({
      ...user,
      ...absolute('certFile', user.certFile, folder),
      ...absolute('keyFile', user.keyFile, folder),
    }));
    this.#contexts = newContexts(document.contexts ?? []);
    const current = document['current-context'];
    this.#currentContext = typeof current === 'string' ? current : '';
  }

  /** @throws Error when the file can't be read or is no kubeconfig. */
  static read(path: string): KubeconfigEntries {
    const document: unknown = parse(readTextFileSync(path)) ?? {};
    if (typeof document !== 'object') throw new Error('it is no mapping of keys');
    return new KubeconfigEntries(document as Readonly<Record<string, unknown>>, dirname(path));
  }

  /** Adds what is not there by name; as for kubectl, the first of equal names counts. */
  merge(other: KubeconfigEntries): void {
    this.clusters = withNew(this.clusters, other.clusters);
    this.#users.splice(0, Infinity, ...withNew(this.#users, other.#users));
    this.#contexts.splice(0, Infinity, ...withNew(this.#contexts, other.#contexts));
    if (this.#currentContext === '') this.#currentContext = other.#currentContext;
  }

  getContexts(): readonly Context[] {
    return this.#contexts;
  }

  getCurrentContext(): string {
    return this.#currentContext;
  }

  setCurrentContext(name: string): void {
    this.#currentContext = name;
  }

  getCurrentCluster(): Cluster | null {
    return this.clusters.find(({ name }) => name === this.#context()?.cluster) ?? null;
  }

  getCurrentUser(): User | null {
    return this.#users.find(({ name }) => name === this.#context()?.user) ?? null;
  }

  /** Runs the user's exec plugin unless what it gave is still good. Rejects with what the plugin said. */
  async applyCredentials(options: AppliedCredentials): Promise<void> {
    const user = this.getCurrentUser();
    if (user === null) return;
    options.cert = pemOf(user.certFile, user.certData);
    options.key = pemOf(user.keyFile, user.keyData);
    if (user.exec) {
      const { ExecAuth: Exec } = await import('@kubernetes/client-node/dist/exec_auth.js');
      this.#exec ??= new Exec();
      await this.#exec.applyAuthentication(user, options as Parameters<ExecAuth['applyAuthentication']>[1]);
    }
    if (user.token) options.headers = { ...options.headers, Authorization: `Bearer ${user.token}` };
  }

  #context(): Context | undefined {
    return this.#contexts.find(({ name }) => name === this.#currentContext);
  }
}

function absolute<K extends string>(
  key: K,
  path: string | undefined,
  folder: string,
): { [key in K]?: string } {
  return path ? ({ [key]: resolve(folder, path) } as { [key in K]: string }) : {};
}

function withNew<T extends { readonly name: string }>(known: readonly T[], more: readonly T[]): readonly T[] {
  const names = new Set(known.map(({ name }) => name));
  return [...known, ...more.filter(({ name }) => !names.has(name))];
}

function pemOf(file: string | undefined, data: string | undefined): Buffer | undefined {
  if (file) return Buffer.from(readTextFileSync(file));
  return data ? Buffer.from(data, 'base64') : undefined;
}
