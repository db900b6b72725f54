import type { WindowDuration } from '@catamaran/model';
import { MetricsRegistry } from '@catamaran/platform';
import type { ProviderFetch } from '../core/figures/figures.js';
import { replaces, selectWindow } from '../core/serving/select-window.js';
import type { ProviderHealth } from '../providers/metrics-provider.js';
import { closedReason } from './closed-reason.js';
import { EncodedWindow } from './encoded-window.js';
import type { LoadWatcherDeps, LoadWatcherOptions } from './load-watcher-options.js';
import { RefreshReport } from './refresh-report.js';
import { failureKey } from './state-key.js';
import { StateLog } from './state-log.js';
import { type RefreshOutcome, WatcherMetrics } from './watcher-metrics.js';
import { type StoredWindow, WindowStore } from './window-store.js';

/** The newest refresh, for `/debug/nodes`. */
export interface LastRefresh {
  readonly startedAtMs: number;
  readonly fetch: ProviderFetch | undefined;
  /** Why the refresh as a whole gave nothing. */
  readonly failure: string | undefined;
}

/** Keeps the figures of one provider fresh, in memory and ready to serve. Opens no port. */
export class LoadWatcher {
  readonly #options: LoadWatcherOptions;
  readonly #deps: LoadWatcherDeps;
  readonly #store = new WindowStore();
  readonly #states: StateLog;
  readonly #report: RefreshReport;
  readonly #metrics: WatcherMetrics;
  readonly #stop = new AbortController();
  #cancelTimer: () => void = () => undefined;
  #active: Promise<void> | undefined;
  #started = false;
  /** By how much the newest tick was moved. */
  #jitterMs = 0;
  #lastRefresh: LastRefresh | undefined;
  #best: StoredWindow | undefined;

  constructor(options: LoadWatcherOptions, deps: LoadWatcherDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#states = new StateLog(deps.log);
    this.#report = new RefreshReport(this.#states);
    this.#metrics = new WatcherMetrics(deps.metrics ?? new MetricsRegistry());
  }

  /** Begins the first refresh at once and goes on at the fixed rate. Harmless when called again. */
  start(): void {
    if (this.#started || this.#stop.signal.aborted) return;
    this.#started = true;
    this.#tick();
  }

  /** Resolves when no refresh is under way. */
  async settled(): Promise<void> {
    while (this.#active !== undefined) await this.#active;
  }

  /** What a request gets now: of the window asked for, or of the one that is best to serve. */
  serve(window?: WindowDuration): StoredWindow | undefined {
    if (window === undefined) {
      // The best stays the best until something is stored or it grows too old; this is asked at each request.
      if (this.#best === undefined || !this.#isFresh(this.#best)) {
        this.#best = selectWindow(this.#store.all().filter((entry) => this.#isFresh(entry)));
      }
      return this.#best;
    }
    const entry = this.#store.get(window);
    return entry !== undefined && this.#isFresh(entry) ? entry : undefined;
  }

  /** Why `serve()` gives nothing, or undefined when it gives something. */
  unservable(): string | undefined {
    return this.#unservable((failure) => failure);
  }

  /** `unservable`, for pages that are open to all: of a failure only its code, no text of others. */
  unready(): string | undefined {
    return this.#unservable((failure) => closedReason(this.#deps.provider.source, failure));
  }

  #unservable(told: (failure: string) => string): string | undefined {
    if (this.serve() !== undefined) return undefined;
    const stored = this.#store.all()[0];
    const failure = this.#lastRefresh?.failure;
    const reason = failure === undefined ? this.#pending(stored) : told(failure);
    if (stored === undefined) return `no data yet: ${reason}`;
    const ageMs = this.#deps.clock.nowMs() - stored.figures.endUnixSeconds * 1000;
    return `the newest figures are ${Math.round(ageMs / 1000)} s old, the limit is ${this.#options.maxAgeMs / 1000} s: ${reason}`;
  }

  #pending(stored: StoredWindow | undefined): string {
    if (this.#lastRefresh === undefined) return 'the first refresh has not ended';
    const endMs = (stored?.figures.endUnixSeconds ?? 0) * 1000;
    return this.#lastRefresh.startedAtMs - endMs > this.#options.maxAgeMs
      ? 'the last refresh brought none that are newer'
      : 'the next refresh has not ended';
  }

  get lastRefresh(): LastRefresh | undefined {
    return this.#lastRefresh;
  }

  /** The provider's own health, and whether what is served is fresh. */
  async health(signal: AbortSignal): Promise<ProviderHealth> {
    const health = await this.#deps.provider.health(signal);
    const stale = this.#store.all().length > 0 ? this.unservable() : undefined;
    const result = health.healthy && stale !== undefined ? { healthy: false, reason: stale } : health;
    this.#states.report(
      'health',
      result.healthy
        ? undefined
        : {
            level: 'warn',
            message: 'unhealthy',
            fields: { reason: result.reason },
            sameAs: result === health ? failureKey(health.reason) : 'stale',
          },
    );
    return result;
  }

  /** Ends a refresh under way, and the provider. */
  async close(): Promise<void> {
    this.#cancelTimer();
    this.#stop.abort(new Error('the load-watcher is closing'));
    await this.settled();
    this.#store.close();
    await this.#deps.provider.close();
  }

  /** Goes by durations alone: clocks are set back and forth. */
  #tick(): void {
    const { clock, random } = this.#deps;
    const { refreshIntervalMs, jitterRatio = 0 } = this.#options;
    const jitterMs = jitterRatio * refreshIntervalMs * (random?.() ?? 0);
    // A refresh that outlasts the interval is not overtaken; the beat goes on after it.
    this.#active ??= this.#refresh(clock.nowMs()).finally(() => {
      this.#active = undefined;
    });
    const delayMs = refreshIntervalMs + jitterMs - this.#jitterMs;
    this.#jitterMs = jitterMs;
    this.#cancelTimer = clock.schedule(delayMs, () => this.#tick());
  }

  async #refresh(startedAtMs: number): Promise<void> {
    const { provider, clock } = this.#deps;
    let outcome: RefreshOutcome = 'failed';
    try {
      const fetch = await provider.fetch(startedAtMs, this.#stop.signal);
      outcome = await this.#accept(fetch, startedAtMs);
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.#fail(startedAtMs, error instanceof Error ? error.message : String(error));
    }
    this.#metrics.refreshed(outcome, clock.nowMs() - startedAtMs);
    const old = this.unservable();
    this.#states.report(
      'data',
      old === undefined ? undefined : { level: 'error', message: 'nothing to serve' },
    );
  }

  async #accept(fetch: ProviderFetch, startedAtMs: number): Promise<RefreshOutcome> {
    this.#report.fetched(fetch);
    this.#metrics.setAbsences(fetch.absences);
    const timestampUnixSeconds = Math.floor(this.#deps.clock.nowMs() / 1000);
    const fresh: StoredWindow[] = [];
    let nodes = 0;
    for (const figures of fetch.windows) {
      nodes = Math.max(nodes, figures.nodes.size);
      const before = this.serve(figures.duration);
      if (!replaces(figures, before?.figures)) continue;
      const { duration, startUnixSeconds, endUnixSeconds } = figures;
      const window = { duration, startUnixSeconds, endUnixSeconds };
      const frame = { timestampUnixSeconds, window, source: this.#deps.provider.source };
      const encoded = new EncodedWindow({ frame, nodes: figures.nodes });
      // Until it is ready the one before is served, so that no request has to wait for a refresh.
      await encoded.prepareLike(before?.encoded);
      fresh.push({ figures, encoded, storedAtMs: this.#deps.stopwatchMs?.() ?? 0 });
    }
    this.#stop.signal.throwIfAborted();
    for (const entry of fresh) this.#store.set(entry.figures.duration, entry);
    this.#best = undefined;
    if (nodes === 0) {
      this.#fail(startedAtMs, fetch.failures[0] ?? 'the provider has no figure of any node', fetch);
      return 'empty';
    }
    this.#lastRefresh = { startedAtMs, fetch, failure: undefined };
    this.#states.report('refresh', undefined);
    this.#metrics.setData(nodes, this.serve()?.figures.endUnixSeconds ?? 0);
    return fetch.failures.length === 0 ? 'ok' : 'partial';
  }

  #fail(startedAtMs: number, failure: string, fetch?: ProviderFetch): void {
    this.#lastRefresh = { startedAtMs, fetch, failure };
    this.#states.report('refresh', {
      level: 'error',
      message: 'refresh failed, the last good figures stay until they are too old',
      fields: { failure },
      sameAs: failureKey(failure),
    });
  }

  #isFresh({ figures, storedAtMs }: StoredWindow): boolean {
    const { maxAgeMs } = this.#options;
    if (maxAgeMs === 0) return true;
    const { clock, stopwatchMs } = this.#deps;
    if (clock.nowMs() - figures.endUnixSeconds * 1000 > maxAgeMs) return false;
    // Set back, the clock makes old figures look young.
    return stopwatchMs === undefined || stopwatchMs() - storedAtMs <= maxAgeMs;
  }
}
