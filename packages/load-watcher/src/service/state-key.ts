/**
 * What stays the same of a failure while it lasts: its subject and its code. The rest of such a sentence may differ
 * each time: durations, ages, ids of requests, the beginning of a body.
 *
 * @param failure `subject: what happened`.
 */
export function failureKey(failure: string): string {
  return `${subjectOf(failure)} ${codeOf(failure)}`.trim();
}

/** Up to the first colon that ends a word, or what is quoted; amounts left out. */
export function subjectOf(sentence: string): string {
  return (sentence.split(/: |"/, 1)[0] ?? '').replaceAll(/\d+(?:\.\d+)?(?=\s)/g, '#');
}

/** The HTTP status, or a code such as ECONNREFUSED. */
function codeOf(text: string): string {
  const match = /\bHTTP (\d{3})\b|\b(E[A-Z]{4,}|[A-Z]+(?:_[A-Z]+)+)\b|\b(no answer within)\b/.exec(text);
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? '';
}
