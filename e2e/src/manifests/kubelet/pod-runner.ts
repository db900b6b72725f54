import type { ControlPlane } from '../../control-plane/control-plane.js';
import type { BuiltImage } from '../../images/build-images.js';
import { Container } from '../../images/container.js';
import { until } from '../../process/until.js';
import { PodMounts } from './pod-mounts.js';
import { portsFree } from './pod-ports.js';
import { type ContainerSpecOfPod, type EnvVar, type RunnablePod, refuseUnknown } from './pod-spec.js';
import { probeOnce } from './probe.js';

interface Running {
  readonly spec: ContainerSpecOfPod;
  readonly container: Container;
}

const START_MS = 120_000;

/** A small kubelet: runs the containers of one pod from built images, on the network of this machine. */
export class PodRunner {
  readonly #running: readonly Running[];

  private constructor(running: readonly Running[]) {
    this.#running = running;
  }

  /**
   * Starts them all. `images`: by the name that the pod calls an image, without tag.
   * @throws Error for an image that is not there, or anything in the pod that would be passed over.
   */
  static async start(
    plane: ControlPlane,
    pod: RunnablePod,
    images: Readonly<Record<string, BuiltImage>>,
  ): Promise<PodRunner> {
    refuseUnknown(pod);
    const mounts = await PodMounts.prepare(plane, pod);
    const running: Running[] = [];
    for (const spec of pod.spec.containers) {
      const image = images[spec.image.replace(/[:@].*$/, '')];
      if (image === undefined) throw new Error(`container ${spec.name}: there is no image ${spec.image}`);
      const container = await Container.create({
        name: `${pod.metadata.name}-${spec.name}`,
        image,
        ...(spec.command === undefined ? {} : { command: spec.command }),
        ...(spec.args === undefined ? {} : { args: spec.args }),
        ...(spec.workingDir === undefined ? {} : { workingDir: spec.workingDir }),
        ...userOf(pod, spec),
        env: { ...serviceEnv(plane), ...envOf(pod, spec.env ?? []) },
        mounts: mounts.of(spec),
        logPath: plane.file(`${pod.metadata.name}-${spec.name}.log`),
      });
      running.push({ spec, container });
    }
    const runner = new PodRunner(running);
    plane.teardown.add(async () => void (await runner.stop()));
    await portsFree();
    for (const { container } of running) container.start();
    return runner;
  }

  /** Until every startup and readiness probe has succeeded. @throws Error with the log of a container that ends. */
  async ready(): Promise<void> {
    for (const { spec, container } of this.#running) {
      for (const probe of [spec.startupProbe, spec.livenessProbe, spec.readinessProbe]) {
        if (probe === undefined) continue;
        const what = `${JSON.stringify(probe.httpGet)}`;
        await container.program.ready(what, () => probeOnce(spec, probe), START_MS);
      }
    }
  }

  /** Whether a kubelet would leave them running. */
  async alive(): Promise<boolean> {
    const answers = await Promise.all(
      this.#running.map(async ({ spec, container }) => {
        if (!container.program.isRunning) return false;
        return spec.livenessProbe === undefined || (await probeOnce(spec, spec.livenessProbe));
      }),
    );
    return answers.every((answer) => answer);
  }

  log(containerName: string): string {
    return this.#named(containerName).container.program.log;
  }

  /** Resident memory of a container's process 1. */
  async residentBytes(containerName: string): Promise<number> {
    const status = await this.#named(containerName).container.status();
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
  }

  /** SIGTERM to all at once; how each ended. */
  async stop(): Promise<Readonly<Record<string, { readonly code: number | null; readonly tookMs: number }>>> {
    const ends = await Promise.all(
      this.#running.map(async ({ spec, container }) => [spec.name, await container.stop()] as const),
    );
    return Object.fromEntries(ends);
  }

  /** Until something holds that a pod's own ports tell. @throws Error with the log of a container that ends. */
  async until(what: string, ask: () => Promise<boolean>, timeoutMs = START_MS): Promise<void> {
    await until({ what, timeoutMs, everyMs: 250 }, async () => this.#ended() !== undefined || (await ask()));
    const ended = this.#ended();
    if (ended !== undefined) {
      throw new Error(`${ended.spec.name} has ended\n${ended.container.program.log.slice(-3000)}`);
    }
  }

  #ended(): Running | undefined {
    return this.#running.find(({ container }) => !container.program.isRunning);
  }

  #named(name: string): Running {
    const found = this.#running.find(({ spec }) => spec.name === name);
    if (found === undefined) throw new Error(`the pod has no container ${name}`);
    return found;
  }
}

/** @throws Error when a pod that must not run as root says nothing of its user, as kubelet does for names. */
function userOf(pod: RunnablePod, spec: ContainerSpecOfPod): { readonly user?: string } {
  const context = { ...pod.spec.securityContext, ...spec.securityContext };
  if (context.runAsUser === undefined) return {};
  return { user: `${context.runAsUser}:${context.runAsGroup ?? context.runAsUser}` };
}

function serviceEnv(plane: ControlPlane): Readonly<Record<string, string>> {
  const { hostname, port } = new URL(plane.url);
  return {
    KUBERNETES_SERVICE_HOST: hostname,
    KUBERNETES_SERVICE_PORT: port,
    KUBERNETES_SERVICE_PORT_HTTPS: port,
  };
}

function envOf(pod: RunnablePod, vars: readonly EnvVar[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    vars.map(({ name, value, valueFrom }) => {
      if (valueFrom === undefined) return [name, value ?? ''];
      const field = valueFrom.fieldRef?.fieldPath;
      if (field === 'metadata.name') return [name, pod.metadata.name];
      if (field === 'metadata.namespace') return [name, pod.metadata.namespace];
      throw new Error(`env ${name}: ${JSON.stringify(valueFrom)} is not resolved here`);
    }),
  );
}
