import { access, constants, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Node } from '@catamaran/model';
import { request } from 'undici';
import { freePorts } from '../process/free-ports.js';
import type { Program } from '../process/program.js';
import type { ControlPlane } from './control-plane.js';

export interface PrometheusProcess {
  readonly program: Program;
  readonly url: string;
  /** From now on each exporter is scraped by that many jobs, as where two installations share a store. */
  scrapeTimes(jobs: number): Promise<void>;
}

/** Prometheus as Debian ships it, scraping the exporters of these nodes every second. */
export async function startPrometheus(
  plane: ControlPlane,
  nodes: readonly Node[],
): Promise<PrometheusProcess> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const config = plane.file('prometheus.json');
  const configure = (jobs: number): Promise<void> => writeFile(config, configuration(nodes, jobs));
  await configure(1);
  const program = plane.program(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${plane.file('prometheus-data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--web.enable-lifecycle',
      '--log.level=warn',
    ],
    await installed('prometheus'),
  );
  plane.stoppedAtEnd(program).start();
  await prometheusReady(program, url);
  const scrapeTimes = async (jobs: number): Promise<void> => {
    await configure(jobs);
    await request(`${url}/-/reload`, { method: 'POST' });
  };
  return { program, url, scrapeTimes };
}

export async function prometheusReady(program: Program, url: string): Promise<void> {
  await program.ready('ready', async () => (await request(`${url}/-/ready`)).statusCode === 200);
}

/** JSON is YAML. */
function configuration(nodes: readonly Node[], jobs: number): string {
  const targets = nodes.map(({ status }) => {
    const { addresses, daemonEndpoints } = status as NodeStatus;
    return `${addresses[0]?.address}:${daemonEndpoints.kubeletEndpoint.Port}`;
  });
  return JSON.stringify({
    global: { scrape_interval: '1s', scrape_timeout: '1s' },
    scrape_configs: Array.from({ length: jobs }, (_, index) => ({
      job_name: `node-exporter-${index}`,
      scheme: 'https',
      tls_config: { insecure_skip_verify: true },
      static_configs: [{ targets }],
    })),
  });
}

interface NodeStatus {
  readonly addresses: readonly { readonly address: string }[];
  readonly daemonEndpoints: { readonly kubeletEndpoint: { readonly Port: number } };
}

/** Path of a program of a Debian package of the same name. @throws Error that says how to install it. */
async function installed(name: string): Promise<string> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  throw new Error(`${name} is not installed: apt-get install ${name}`);
}
