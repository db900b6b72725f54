import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Lines of a page in Prometheus' text format, for a node that has been up for so many seconds. */
export type PageLines = (elapsedSeconds: number) => readonly string[];

/** An HTTP server with an exporter page for each node of a test, all at their own moment. */
export class ExporterPages {
  readonly target: string;
  readonly #server: Server;
  readonly #pages: Map<string, PageLines>;

  private constructor(server: Server, pages: Map<string, PageLines>) {
    this.#server = server;
    this.#pages = pages;
    this.target = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(pages: Readonly<Record<string, PageLines>>): Promise<ExporterPages> {
    const known = new Map(Object.entries(pages));
    const startedMs = Date.now();
    const server = createServer((request, response) => {
      const seconds = (Date.now() - startedMs) / 1000;
      const lines = known.get((request.url ?? '').slice(1))?.(seconds);
      response.statusCode = lines === undefined ? 404 : 200;
      response.setHeader('content-type', 'text/plain; version=0.0.4');
      response.end(
        lines === undefined ? '' : `${[`node_time_seconds ${Date.now() / 1000}`, ...lines].join('\n')}\n`,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ExporterPages(server, known);
  }

  /** From now on the page is not there. */
  remove(node: string): void {
    this.#pages.delete(node);
  }

  set(node: string, page: PageLines): void {
    this.#pages.set(node, page);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
