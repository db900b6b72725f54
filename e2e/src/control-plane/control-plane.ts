import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ClusterConnection } from '@catamaran/platform';
import { request } from 'undici';
import { type Binaries, buildBinaries } from '../binaries/build-binaries.js';
import { KUBERNETES_MINORS } from '../binaries/go-modules.js';
import { freePorts } from '../process/free-ports.js';
import { Program } from '../process/program.js';
import type { Teardown } from '../process/teardown.js';
import { AdminClient } from './admin-client.js';
import { apiServerArgs, etcdArgs } from './arguments.js';
import { type Credentials, writeCredentials } from './credentials.js';

const READY_MS = 60_000;

/** As in a kubeconfig. */
export type KubeconfigUser =
  | { readonly token: string }
  | { readonly tokenFile: string }
  | { readonly 'client-certificate': string; readonly 'client-key': string };

/** etcd and kube-apiserver on loopback, with everything that they need in one temporary folder. */
export class ControlPlane {
  readonly url: string;
  readonly credentials: Credentials;
  readonly admin: AdminClient;
  readonly etcd: Program;
  readonly apiServer: Program;
  readonly teardown: Teardown;
  readonly #folder: string;
  readonly #binaries: Binaries;
  readonly #etcdUrl: string;

  private constructor(parts: {
    readonly folder: string;
    readonly binaries: Binaries;
    readonly credentials: Credentials;
    readonly ports: readonly number[];
    readonly teardown: Teardown;
  }) {
    const [etcdPort = 0, peerPort = 0, apiPort = 0] = parts.ports;
    this.#folder = parts.folder;
    this.#binaries = parts.binaries;
    this.credentials = parts.credentials;
    this.teardown = parts.teardown;
    this.url = `https://127.0.0.1:${apiPort}`;
    this.#etcdUrl = `http://127.0.0.1:${etcdPort}`;
    this.admin = this.clientFor(parts.credentials.adminToken);
    this.etcd = this.program('etcd', etcdArgs({ folder: this.file('etcd'), etcdPort, peerPort }));
    this.apiServer = this.program(
      'kube-apiserver',
      apiServerArgs({
        file: parts.credentials.file,
        etcdUrl: this.#etcdUrl,
        port: apiPort,
        auditLog: this.file('audit.log'),
      }),
    );
  }

  /** Ready when it resolves; `teardown` stops it and removes its folder. */
  static async start(teardown: Teardown): Promise<ControlPlane> {
    const say = (sentence: string): void => void process.stderr.write(`catamaran e2e: ${sentence}\n`);
    const minor = process.env.CATAMARAN_E2E_KUBERNETES ?? KUBERNETES_MINORS[0] ?? '';
    const binaries = await buildBinaries({ minor, env: process.env, say });
    const folder = await mkdtemp(join(tmpdir(), 'catamaran-e2e-'));
    teardown.add(() => rm(folder, { recursive: true, force: true }));
    const credentials = await writeCredentials(join(folder, 'pki'));
    const ports = await freePorts(3);
    const plane = new ControlPlane({ folder, binaries, credentials, ports, teardown });
    teardown.add(() => plane.admin.close());
    plane.stoppedAtEnd(plane.etcd).start();
    await plane.etcd.ready('healthy', () => plane.#etcdHealth(), READY_MS);
    plane.stoppedAtEnd(plane.apiServer).start();
    await plane.apiServerReady();
    return plane;
  }

  /** Path of a file or folder that lives as long as this. */
  file(name: string): string {
    return join(this.#folder, name);
  }

  get auditLog(): string {
    return this.file('audit.log');
  }

  clientFor(token: string, connections?: number): AdminClient {
    return new AdminClient({ url: this.url, caPem: this.credentials.caPem, token }, connections);
  }

  connectionFor(token: string): ClusterConnection {
    return {
      serverUrl: this.url,
      caPem: this.credentials.caPem,
      bearerToken: () => Promise.resolve(token),
      skipTlsVerify: false,
      describe: 'control plane of the tests',
    };
  }

  /** A program of the set that is built, or any other by its path; not started. */
  program(name: string, args: readonly string[], command = this.#binaries[name] ?? name): Program {
    return new Program({ name, command, args, logPath: this.file(`${name}.log`) });
  }

  /** Node.js with these arguments, the script among them; not started. @param env added to what this process has. */
  script(name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
    return new Program({ name, command: process.execPath, args, env, logPath: this.file(`${name}.log`) });
  }

  /** Stops it before whatever was started earlier. */
  stoppedAtEnd(program: Program): Program {
    this.teardown.add(
      async () => {
        program.thaw();
        await program.stop();
      },
      () => program.kill(),
    );
    return program;
  }

  /** Writes a kubeconfig with a file of its own for the authority, and returns its path. */
  async kubeconfig(name: string, user: KubeconfigUser, server = this.url): Promise<string> {
    const path = this.file(`${name}.kubeconfig`);
    const authority = this.authorityFile(name);
    await writeFile(authority, this.credentials.caPem);
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'e2e', cluster: { server, 'certificate-authority': authority } }],
      users: [{ name, user }],
      contexts: [{ name: 'e2e', context: { cluster: 'e2e', user: name } }],
      'current-context': 'e2e',
    };
    await writeFile(path, JSON.stringify(config), { mode: 0o600 });
    return path;
  }

  /** The authority's file that the kubeconfig of that name points to. */
  authorityFile(name: string): string {
    return this.file(`${name}-ca.crt`);
  }

  /** Runs kubectl as the administrator. @throws Error with what it said. */
  async kubectl(...args: readonly string[]): Promise<string> {
    const kubeconfig = await this.kubeconfig('e2e-admin', { token: this.credentials.adminToken });
    return await this.run('kubectl', [`--kubeconfig=${kubeconfig}`, ...args]);
  }

  /** Runs a program of the set to its end; what it printed. @throws Error with what it said. */
  async run(name: string, args: readonly string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(this.#binaries[name] ?? name, args, {
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  }

  async apiServerReady(): Promise<void> {
    await this.apiServer.ready('ready', () => this.admin.text('/readyz'), READY_MS);
  }

  async restartApiServer(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.apiServer.stop(signal);
    this.apiServer.start();
    await this.apiServerReady();
  }

  /** Forgets the history of etcd and, by a restart, of kube-apiserver's watch cache. */
  async compact(): Promise<void> {
    const read = await this.#etcdCall('/v3/kv/range', { key: Buffer.from('x').toString('base64') });
    const { revision } = (read as { readonly header: { readonly revision: string } }).header;
    await this.#etcdCall('/v3/kv/compaction', { revision, physical: true });
    await this.restartApiServer();
  }

  async #etcdHealth(): Promise<boolean> {
    const answer = await request(`${this.#etcdUrl}/health`);
    return ((await answer.body.json()) as { readonly health?: string }).health === 'true';
  }

  async #etcdCall(path: string, body: object): Promise<unknown> {
    const answer = await request(`${this.#etcdUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`etcd ${path}: ${answer.statusCode} ${text}`);
    return JSON.parse(text);
  }
}
