import { ok, problem, type Result } from '@catamaran/model';

const KINDS: ReadonlySet<string> = new Set(['pod', 'pods', 'po']);
const DEFAULT_NAMESPACE = 'default';

/**
 * The pod that words of a command line name, as `namespace/name`. They are `NAMESPACE/POD`, or what kubectl takes:
 * `pod/NAME`, `pod NAME`, or `NAME` beside a namespace.
 */
export function readPodName(words: readonly string[], namespace: string | undefined): Result<string> {
  if (namespace === '') return problem('--namespace: is empty; give the namespace of the pod');
  const [word, ...more] = words.length === 2 && isKind(words[0]) ? [words.join('/')] : words;
  if (word === undefined) {
    return problem('no pod given: name one as NAMESPACE/POD, such as default/web-0, or give --file');
  }
  if (more.length > 0) return problem(`${more.join(' ')}: unexpected; one pod at a time is explained`);
  const [first = '', second, ...others] = word.split('/');
  if (first === '' || second === '' || others.length > 0) return problem(expected(word));
  if (second === undefined) {
    if (isKind(first)) return problem(`${word}: of what name? Write ${first}/NAME`);
    return namespace === undefined ? problem(expected(word)) : ok(`${namespace}/${first}`);
  }
  if (isKind(first)) return ok(`${namespace ?? DEFAULT_NAMESPACE}/${second}`);
  return namespace === undefined || namespace === first
    ? ok(word)
    : problem(`--namespace=${namespace}: ${word} says another; leave one of them out`);
}

/** A namespace of such a name needs --namespace. */
function isKind(word: string | undefined): boolean {
  return KINDS.has(word?.toLowerCase() ?? '');
}

function expected(word: string): string {
  const name = word.split('/').findLast((part) => part !== '') ?? 'web-0';
  return `${word}: expected NAMESPACE/POD, such as default/${name}, or pod/${name} with --namespace`;
}
