/** Reflectors of one API server: when one of them finds it again, the others need not wait any longer. */
export class SharedRecovery {
  readonly #waiting = new Set<() => void>();

  /** `wake` is called when another has found the server. Returns what ends that. */
  join(wake: () => void): () => void {
    this.#waiting.add(wake);
    return () => this.#waiting.delete(wake);
  }

  announce(): void {
    for (const wake of this.#waiting) wake();
  }
}
