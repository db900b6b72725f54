import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImageConfig, ImageName } from './build-images.js';
import { runCommand } from './run-command.js';

const BASE = 'localhost/catamaran-base:stand-in';
const TRUST = '/etc/ssl/certs/ca-certificates.crt';

/** buildah without daemon, registry or user namespaces, its storage in a folder of its own. */
export class Buildah {
  readonly #storage: string;
  #baseBytes = 0;

  constructor(storage: string) {
    this.#storage = storage;
  }

  /** Makes an image of a tar, for the Dockerfiles to build on. */
  async importBase(tar: string): Promise<void> {
    const context = join(this.#storage, 'base');
    await mkdir(context, { recursive: true });
    // npm and pnpm trust what this machine trusts.
    const trust = existsSync(TRUST) ? `ENV NODE_EXTRA_CA_CERTS=${TRUST} SSL_CERT_FILE=${TRUST}\n` : '';
    await writeFile(join(context, 'Dockerfile'), `FROM scratch\nADD base.tar /\n${trust}`);
    await runCommand('cp', ['--reflink=auto', tar, join(context, 'base.tar')]);
    await this.#run('build', '--isolation=chroot', '--pull-never', '--tag', BASE, context);
    this.#baseBytes = await this.#sizeOf(BASE);
  }

  /** Builds from `docker/NAME.Dockerfile`, as it is; only the base is another. */
  async build(name: ImageName, root: string): Promise<void> {
    await this.#run(
      'build',
      '--isolation=chroot',
      '--pull-never',
      `--build-arg=BASE=${BASE}`,
      `--ignorefile=${join(root, '.dockerignore')}`,
      `--file=${join(root, 'docker', `${name}.Dockerfile`)}`,
      `--tag=${tagOf(name)}`,
      root,
    );
  }

  async exportFiles(name: ImageName, into: string): Promise<void> {
    await this.#mounted(tagOf(name), (folder) =>
      runCommand('cp', ['--archive', '--reflink=auto', folder, into]),
    );
  }

  async config(name: ImageName): Promise<ImageConfig> {
    const text = await this.#run('inspect', '--type=image', tagOf(name));
    return (JSON.parse(text) as { readonly OCIv1: { readonly config: ImageConfig } }).OCIv1.config;
  }

  get baseBytes(): number {
    return this.#baseBytes;
  }

  /** Removes everything it has stored. */
  async close(): Promise<void> {
    await rm(this.#storage, { recursive: true, force: true });
  }

  async #sizeOf(image: string): Promise<number> {
    const text = await this.#mounted(image, (folder) =>
      runCommand('du', ['--summarize', '--block-size=1', folder]),
    );
    return Number(text.split('\t')[0]);
  }

  async #mounted<T>(image: string, use: (folder: string) => Promise<T>): Promise<T> {
    const container = (await this.#run('from', '--pull-never', image)).trim();
    try {
      return await use((await this.#run('mount', container)).trim());
    } finally {
      await this.#run('rm', container);
    }
  }

  #run(...args: readonly string[]): Promise<string> {
    const own = ['--root', join(this.#storage, 'root'), '--runroot', join(this.#storage, 'run')];
    return runCommand('buildah', [...own, '--storage-driver=vfs', ...args]);
  }
}

function tagOf(name: ImageName): string {
  return `localhost/catamaran-${name}:built`;
}
