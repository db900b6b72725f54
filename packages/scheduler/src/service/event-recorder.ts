import type { KubernetesEvent, ObjectReference, Pod } from '@catamaran/model';
import { type Clock, type ClusterApi, isClusterApiError } from '@catamaran/platform';
import type { SendQueue } from './send-queue.js';

export interface PodEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

/** kube-scheduler's limits: a longer note is cut, a repetition within the window joins the series. */
const MAX_NOTE_BYTES = 1024;
const SERIES_WINDOW_MS = 6 * 60_000;
/** A series is written when it begins, then at most so often. */
const SERIES_WRITE_MS = 60_000;
const MAX_SERIES = 10_000;
/** The API server's limits. */
const MAX_NAME = 253;
const MAX_INSTANCE = 128;
/** A dot and 64 bits in hex. */
const NAME_SUFFIX = 17;

interface Series {
  readonly name: string;
  count: number;
  lastMs: number;
  writtenMs: number;
}

export interface EventRecorderDeps {
  readonly api: ClusterApi;
  readonly queue: SendQueue;
  /** Time of the objects. */
  readonly clock: Pick<Clock, 'nowMs'>;
}

/**
 * Writes `events.k8s.io/v1` events about pods in kube-scheduler's wording. Repeats of one key (the note is not part of
 * it) become a series. Never waits for the API server.
 */
export class EventRecorder {
  readonly #deps: EventRecorderDeps;
  readonly #instance: string;
  /** By key, least recently begun first. */
  readonly #series = new Map<string, Series>();
  #sequence = 0;

  /** @param instance told in `reportingInstance`: usually the host's name. */
  constructor(instance: string, deps: EventRecorderDeps) {
    this.#instance = instance;
    this.#deps = deps;
  }

  record(pod: Pod, event: PodEvent): void {
    const nowMs = this.#deps.clock.nowMs();
    const controller = pod.spec.schedulerName ?? 'default-scheduler';
    const key = [event.type, event.action, event.reason, pod.metadata.uid, controller].join('/');
    const series = this.#series.get(key);
    if (series !== undefined && nowMs - series.lastMs < SERIES_WINDOW_MS) {
      this.#repeat(key, series, { pod, nowMs });
      return;
    }
    const name = this.#nameFor(pod, nowMs);
    // A pod is bound once: its Scheduled event needs no memory.
    if (event.reason !== 'Scheduled') {
      this.#remember(key, { name, count: 1, lastMs: nowMs, writtenMs: Number.NEGATIVE_INFINITY });
    }
    const body: KubernetesEvent = {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name, namespace: namespaceOf(pod) },
      eventTime: microTime(nowMs),
      type: event.type,
      reason: event.reason,
      action: event.action,
      note: cutNote(event.note),
      reportingController: controller,
      reportingInstance: `${controller}-${this.#instance}`.slice(0, MAX_INSTANCE),
      regarding: referenceTo(pod),
    };
    this.#deps.queue.offer(name, (signal) => this.#create(body, signal));
  }

  /** The name is used once: where it is taken, an earlier try has landed. */
  async #create(body: KubernetesEvent, signal: AbortSignal): Promise<void> {
    try {
      await this.#deps.api.createEvent(body, signal);
    } catch (error) {
      if (!isClusterApiError(error) || error.code !== 'conflict') throw error;
    }
  }

  #repeat(key: string, series: Series, { pod, nowMs }: { readonly pod: Pod; readonly nowMs: number }): void {
    series.count += 1;
    series.lastMs = nowMs;
    if (nowMs - series.writtenMs < SERIES_WRITE_MS) {
      return;
    }
    series.writtenMs = nowMs;
    const event = { namespace: namespaceOf(pod), name: series.name, series };
    this.#deps.queue.offer(`series/${key}`, (signal) => this.#patch(key, event, signal));
  }

  /** An event that is gone, or never came to be, is written anew the next time. */
  async #patch(
    key: string,
    {
      namespace,
      name,
      series,
    }: { readonly namespace: string; readonly name: string; readonly series: Series },
    signal: AbortSignal,
  ): Promise<void> {
    const { count, lastMs } = series;
    try {
      const written = { count, lastObservedTime: microTime(lastMs) };
      await this.#deps.api.patchEventSeries({ namespace, name, series: written }, signal);
    } catch (error) {
      if (isClusterApiError(error) && error.code === 'not-found') this.#series.delete(key);
      throw error;
    }
  }

  #remember(key: string, series: Series): void {
    this.#series.delete(key);
    this.#series.set(key, series);
    if (this.#series.size > MAX_SERIES) {
      const oldest = this.#series.keys().next().value;
      if (oldest !== undefined) {
        this.#series.delete(oldest);
      }
    }
  }

  /** `<pod>.<unix nanoseconds in hex>`, as client-go names events; a counter fills in what the clock can't tell apart. */
  #nameFor(pod: Pod, nowMs: number): string {
    this.#sequence = (this.#sequence + 1) % 1_000_000;
    const nanoseconds = BigInt(Math.floor(nowMs)) * 1_000_000n + BigInt(this.#sequence);
    const pods = pod.metadata.name.slice(0, MAX_NAME - NAME_SUFFIX).replace(/[.-]+$/, '');
    return `${pods}.${nanoseconds.toString(16)}`;
  }
}

function namespaceOf(pod: Pod): string {
  return pod.metadata.namespace ?? 'default';
}

function referenceTo(pod: Pod): ObjectReference {
  const { name, uid } = pod.metadata;
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    namespace: namespaceOf(pod),
    name,
    ...(uid === undefined ? {} : { uid }),
  };
}

/** RFC 3339 in UTC with six decimals, as `MicroTime` is written. */
function microTime(nowMs: number): string {
  return new Date(nowMs).toISOString().replace('Z', '000Z');
}

function cutNote(note: string): string {
  const bytes = Buffer.from(note, 'utf8');
  if (bytes.length <= MAX_NOTE_BYTES) {
    return note;
  }
  const ending = ' ...';
  let end = MAX_NOTE_BYTES - ending.length;
  // Not in the middle of a character: bytes that go on with one begin with the bits 10.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) {
    end -= 1;
  }
  return bytes.subarray(0, end).toString('utf8') + ending;
}
