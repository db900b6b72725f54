/** Why a file that was read as UTF-8 is no text in it, such as one that an editor has written as UTF-16; or undefined. */
export function encodingProblem(text: string): string | undefined {
  // What a byte-order mark of UTF-16 becomes, and half of each plain letter.
  if (/^\uFFFD{2}/.test(text) || /^(?:.\0|\0.)/s.test(text)) return 'it is UTF-16: save it as UTF-8';
  if (text.includes('\uFFFD')) return 'it is not all UTF-8: save it as UTF-8';
  return text.includes('\0') ? 'it holds bytes of value 0: not a text' : undefined;
}
