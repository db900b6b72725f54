import { type Clock, type InMemoryCluster, type Logger, startHttpServer } from '@catamaran/platform';

export interface SimulatorServerOptions {
  /** Loopback by default: the server asks nobody who they are. */
  readonly host?: string;
  /** 0 takes a free port. */
  readonly port: number;
}

export interface SimulatorServerDeps {
  readonly cluster: InMemoryCluster;
  /** The transport's clock. Objects and metrics carry the cluster's own time. */
  readonly clock: Clock;
  readonly log: Logger;
}

export interface RunningSimulatorServer {
  /** `http://127.0.0.1:PORT`: what a kubeconfig or HttpClusterApi takes as the API server. */
  readonly url: string;
  readonly port: number;
  /** Ends open watches and takes no new request. Idempotent. */
  close(): Promise<void>;
}

/**
 * Serves a cluster as a Kubernetes API server would.
 * @throws ListenError when the address can't be had.
 */
export async function startSimulatorServer(
  options: SimulatorServerOptions,
  deps: SimulatorServerDeps,
): Promise<RunningSimulatorServer> {
  return await startHttpServer(
    {
      host: options.host ?? '127.0.0.1',
      port: options.port,
      name: 'embedded cluster',
      listener: (_request, response) => response.writeHead(501).end('not built yet'),
    },
    { log: deps.log },
  );
}
