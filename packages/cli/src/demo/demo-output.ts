import type { Clock } from '@catamaran/platform';
import type { DemoOptions } from './options.js';
import type { WorldPlan } from './plan/world-plan.js';
import { type DemoResult, resultJson } from './run/demo-result.js';
import type { WaitingPod } from './run/stepped-world.js';
import type { DemoView, TextSink } from './view/demo-view.js';
import { finalTable } from './view/final-table.js';
import { PlainView } from './view/plain-view.js';
import { type TerminalSink, TerminalView } from './view/terminal-view.js';

export interface DemoStreams {
  readonly stdout: TerminalSink & { readonly isTTY?: boolean };
  readonly stderr: TerminalSink & { readonly isTTY?: boolean };
}

const WAITING_SHOWN = 10;

/**
 * Decides what goes where: with `--output json` stdout gets the one object and stderr everything else; otherwise
 * stdout gets what a reader keeps, and progress goes to stderr unless stdout is a terminal. Escape codes go to
 * terminals only.
 */
export class DemoOutput {
  readonly #options: DemoOptions;
  readonly #streams: DemoStreams;
  /** Where things to read go. */
  readonly #text: TextSink;

  constructor(options: DemoOptions, streams: DemoStreams) {
    this.#options = options;
    this.#streams = streams;
    this.#text = options.output === 'json' ? streams.stderr : streams.stdout;
  }

  line(text: string): void {
    this.#text.write(`${text}\n`);
  }

  heading(plan: WorldPlan): void {
    this.line(
      `Catamaran demo: the same ${plan.pods.length} pods on the same ${plan.nodes.length} nodes, placed by requests and by real load ` +
        `(${plan.simulatedMinutes} simulated minutes, seed ${this.#options.seed}).`,
    );
  }

  view(wallClock: Clock): DemoView {
    const { stdout, stderr } = this.#streams;
    const screen = this.#options.output === 'text' && stdout.isTTY === true ? stdout : stderr;
    return screen.isTTY === true ? new TerminalView(screen, wallClock) : new PlainView(screen);
  }

  result(result: DemoResult, notes: readonly string[]): void {
    for (const line of ['', ...finalTable(result, notes)]) this.line(line);
    if (this.#options.output === 'json') this.#streams.stdout.write(`${resultJson(result)}\n`);
  }

  /** Pods that were not placed, on stderr. */
  waiting(world: string, pods: readonly WaitingPod[]): void {
    for (const { pod, why } of pods.slice(0, WAITING_SHOWN)) {
      this.#streams.stderr.write(`not bound by ${world}: ${pod}: ${why}\n`);
    }
    const rest = pods.length - WAITING_SHOWN;
    if (rest > 0) this.#streams.stderr.write(`not bound by ${world}: ${rest} more pods\n`);
  }
}
