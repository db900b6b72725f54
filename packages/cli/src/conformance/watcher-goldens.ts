import { request } from 'node:http';
import type { Entry, Outcome, RecordingFormat } from './format.js';
import { defectsShown, hosts } from './watcher-goldens-defects.js';
import {
  asGoldenFile,
  type GoldenAnswer,
  type GoldenExchange,
  type GoldenScenario,
  recordedAnswer,
} from './watcher-goldens-file.js';
import { startGoldenWorld } from './watcher-goldens-world.js';

/**
 * Answers of the Go load-watcher, replayed against ours over HTTP: status, Content-Type and body, byte for byte.
 *
 * Where the file says `expect`, that counts. Where it doesn't and the recorded answer shows one of the scenario's
 * listed defects, ours must show none of them. Every other exchange must match the recording.
 */
export const watcherGoldens: RecordingFormat = {
  name: 'watcher-goldens',
  entries: (documents) => {
    const file = documents.length === 1 ? asGoldenFile(documents[0]) : undefined;
    if (file === undefined) return undefined;
    return file.scenarios.flatMap((scenario) =>
      scenario.exchanges.map(
        (exchange, index): Entry => ({
          id: `${scenario.id} ${index + 1}: ${exchange.method} ${exchange.target}`,
          run: () => replay(scenario, exchange, file.end),
        }),
      ),
    );
  },
};

async function replay(scenario: GoldenScenario, exchange: GoldenExchange, end: number): Promise<Outcome> {
  const world = await startGoldenWorld(scenario, end);
  try {
    return judge(scenario, exchange, await ask(world.url, exchange));
  } finally {
    await world.close();
  }
}

function judge(scenario: GoldenScenario, exchange: GoldenExchange, got: GoldenAnswer): Outcome {
  const recorded = recordedAnswer(exchange);
  const expected =
    exchange.expect === undefined ? recorded : { ...exchange.expect, body: exchange.expect.body ?? got.body };
  if (show(expected, exchange) === show(got, exchange)) return { kind: 'passed' };
  const shown = exchange.expect === undefined ? defectsShown(scenario, exchange, recorded) : [];
  if (shown.length === 0)
    return { kind: 'failed', expected: show(expected, exchange), got: show(got, exchange) };
  const still = defectsShown(scenario, exchange, got).filter((key) => !ASKED_ONLY.has(key));
  if (still.length === 0) return { kind: 'passed' };
  return { kind: 'failed', expected: `an answer without ${still.join(', ')}`, got: show(got, exchange) };
}

/** Shown by the question as much as by the answer, so a different answer is all that can be asked for. */
const ASKED_ONLY: ReadonlySet<string> = new Set(['D3', 'D7', 'D8', 'D10', 'D11']);

function ask(url: string, { method, target }: GoldenExchange): Promise<GoldenAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path: target, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          contentType: response.headers['content-type'] ?? null,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** One text for all that is compared; the order of hosts is taken out where the recording's is random. */
function show({ status, contentType, body }: GoldenAnswer, exchange: GoldenExchange): string {
  return `${status} ${contentType ?? '(no content type)'} ${exchange.hostOrder === 'random' ? withSortedHosts(body) : body}`;
}

function withSortedHosts(body: string): string {
  const texts = hosts(body).map(({ text }) => text);
  return texts.length < 2 ? body : body.replace(texts.join(','), () => [...texts].sort().join(','));
}
