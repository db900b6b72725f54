import { problem, type Result } from '@catamaran/model';

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Catches what certainly is no PromQL before Prometheus is asked: brackets, quotes, unfilled placeholders. */
export function checkPromql(text: string): Result<string> {
  const trimmed = text.trim();
  if (trimmed === '') return problem('the query is empty; leave the option out to use the built-in one');
  const placeholder = /\$(?!window\b)\{?\w*\}?|\{\{.*?\}\}/.exec(
    trimmed.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""'),
  );
  if (placeholder !== null) {
    return problem(
      `${placeholder[0]} is not filled in; the only placeholder is $window, which stands for 5m, 10m or 15m`,
    );
  }
  const expected: string[] = [];
  for (const token of trimmed.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|["'`()[\]{}]/g) ?? []) {
    if (token.length === 1 && '"\'`'.includes(token)) return problem(`a ${token} is not closed`);
    const closing = CLOSING[token];
    if (closing !== undefined) expected.push(closing);
    else if (token.length === 1 && expected.pop() !== token) return problem(`a ${token} closes nothing`);
  }
  const open = expected.pop();
  return open === undefined ? { ok: true, value: trimmed } : problem(`a ${open} is missing at the end`);
}
