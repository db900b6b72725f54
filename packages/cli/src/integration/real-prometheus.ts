import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ObservedProcess } from './observed-process.js';

const SCRAPE_INTERVAL = '500ms';

/** A page that is scraped as one node's exporter. */
export interface ScrapedPage {
  readonly node: string;
  /** `127.0.0.1:9100` */
  readonly target: string;
  /** `/metrics` unless given. */
  readonly path?: string;
}

/** Programs that are not installed. */
export function missingPrograms(programs: readonly string[]): readonly string[] {
  return programs.filter((program) => spawnSync(program, ['--version']).error !== undefined);
}

/** The program itself, scraping pages twice a second, with its data in a folder of its own. */
export class RealPrometheus {
  readonly url: string;
  readonly #process: ObservedProcess;
  readonly #folder: string;

  private constructor(parts: { url: string; process: ObservedProcess; folder: string }) {
    this.url = parts.url;
    this.#process = parts.process;
    this.#folder = parts.folder;
  }

  static async start(pages: readonly ScrapedPage[]): Promise<RealPrometheus> {
    const folder = await mkdtemp(join(tmpdir(), 'real-prometheus-'));
    const config = join(folder, 'prometheus.yml');
    await writeFile(config, configOf(pages));
    const port = await freePort();
    const process = new ObservedProcess('prometheus', [
      `--config.file=${config}`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]);
    await process.waitFor(/Server is ready to receive web requests/);
    return new RealPrometheus({ url: `http://127.0.0.1:${port}`, process, folder });
  }

  /** The samples of an expression: label sets and values. */
  async query(
    promql: string,
  ): Promise<readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[]> {
    const response = await fetch(
      `${this.url}/api/v1/query?${new URLSearchParams({ query: promql }).toString()}`,
    );
    const { data } = (await response.json()) as {
      data: { result: { metric: Record<string, string>; value: [number, string] }[] };
    };
    return data.result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
  }

  async close(): Promise<void> {
    await this.#process.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function configOf(pages: readonly ScrapedPage[]): string {
  const jobs = pages.map(
    ({ node, target, path = '/metrics' }) => `  - job_name: ${node}
    metrics_path: ${path}
    static_configs: [{targets: ['${target}'], labels: {node: ${node}}}]`,
  );
  return `global: {scrape_interval: ${SCRAPE_INTERVAL}}\nscrape_configs:\n${jobs.join('\n')}\n`;
}

/** Of this moment: somebody else could take it before it is used. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
