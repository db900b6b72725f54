import { mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Program } from '../process/program.js';
import type { BuiltImage } from './build-images.js';

const ENTER = fileURLToPath(new URL('enter-container.sh', import.meta.url));

export interface ContainerMount {
  /** File or folder of this machine. */
  readonly source: string;
  readonly target: string;
  readonly readOnly: boolean;
}

export interface ContainerSpec {
  readonly name: string;
  readonly image: BuiltImage;
  /** Instead of the image's entrypoint, whose default arguments go with it. */
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  /** Added to the image's. */
  readonly env?: Readonly<Record<string, string>>;
  readonly mounts?: readonly ContainerMount[];
  readonly workingDir?: string;
  /** Numeric user and group, instead of the image's. */
  readonly user?: string;
  readonly logPath: string;
}

/**
 * A container without an engine: the files of an image as the read-only root of a process that is number 1 of its own
 * process namespace, without privileges. Its network is this machine's.
 */
export class Container {
  readonly program: Program;

  private constructor(program: Program) {
    this.program = program;
  }

  /** Prepares it; nothing runs yet. @throws Error when the image wants root or a user by name. */
  static async create(spec: ContainerSpec): Promise<Container> {
    const { image, mounts = [] } = spec;
    for (const mount of mounts) await makeTarget(image.rootfs, mount);
    const mountArgs = mounts.flatMap(({ source, target, readOnly }) => [
      source,
      target,
      readOnly ? 'ro' : 'rw',
    ]);
    const namespaces = ['--mount', '--pid', '--ipc', '--uts', '--fork', '--propagation=private'];
    return new Container(
      new Program({
        name: spec.name,
        command: 'unshare',
        args: [...namespaces, 'sh', ENTER, image.rootfs, ...mountArgs, '--', ...processOf(spec)],
        logPath: spec.logPath,
      }),
    );
  }

  start(): void {
    this.program.start();
  }

  /** Sends a signal to its process 1, as a kubelet does. False: there is none (yet). */
  async signal(signal: NodeJS.Signals): Promise<boolean> {
    const pid = await this.#firstPid();
    return pid !== undefined && process.kill(pid, signal);
  }

  /** SIGTERM, then what happens; SIGKILL when it takes longer than a pod's grace period. */
  async stop(): Promise<{ readonly code: number | null; readonly tookMs: number }> {
    const startedMs = performance.now();
    const force = setTimeout(() => void this.signal('SIGKILL').catch(() => false), GRACE_MS);
    try {
      if (this.program.isRunning) await this.signal('SIGTERM').catch(() => false);
      const code = await this.program.exited;
      return { code, tookMs: performance.now() - startedMs };
    } finally {
      clearTimeout(force);
    }
  }

  /** What /proc/PID/status says of its process 1. */
  async status(): Promise<string> {
    return await readFile(`/proc/${await this.#firstPid()}/status`, 'utf8');
  }

  async #firstPid(): Promise<number | undefined> {
    const { pid } = this.program;
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
    const first = children.trim().split(' ')[0] ?? '';
    return first === '' ? undefined : Number(first);
  }
}

const GRACE_MS = 30_000;

/** The command that sets environment, user and root, and becomes the container's. */
function processOf(spec: ContainerSpec): readonly string[] {
  const { config, rootfs } = spec.image;
  const [uid = '', gid = uid] = (spec.user ?? config.User).split(':');
  if (!/^[1-9]\d*$/.test(uid)) throw new Error(`${spec.name}: user "${uid}" is no number above 0`);
  const given = [...(spec.command ?? config.Entrypoint), ...(spec.args ?? defaultArgs(spec))];
  return [
    'env',
    '-i',
    ...config.Env,
    ...Object.entries(spec.env ?? {}).map(([name, value]) => `${name}=${value}`),
    'setpriv',
    '--no-new-privs',
    '--clear-groups',
    'unshare',
    `--root=${rootfs}`,
    `--wd=${spec.workingDir ?? config.WorkingDir}`,
    `--setgid=${gid}`,
    `--setuid=${uid}`,
    ...given,
  ];
}

function defaultArgs({ command, image }: ContainerSpec): readonly string[] {
  return command === undefined ? (image.config.Cmd ?? []) : [];
}

/**
 * Runtimes make the points that are mounted on, in a layer of the container; here that is a copy of the image. The path
 * has no links in it: one to an absolute path would lead out of the image.
 */
async function makeTarget(rootfs: string, { source, target }: ContainerMount): Promise<void> {
  const path = join(rootfs, target);
  const parent = dirname(path);
  await mkdir(parent, { recursive: true });
  if ((await realpath(parent)) !== parent)
    throw new Error(`${target}: there is a link in the image's path to it`);
  if ((await stat(source)).isDirectory()) await mkdir(path, { recursive: true });
  else await writeFile(path, '', { flag: 'a' });
}
