/** Outcome of a pure parser: a value, or a sentence that says what is wrong with the input. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function problem<T>(text: string): Result<T> {
  return { ok: false, problem: text };
}
