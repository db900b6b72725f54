const COMMENT_OR_STRING =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/g;
const FROM = /\b(?:import|export)\b[^;'"`]*?\bfrom\s*(['"])(.+?)\1/g;
const BARE = /\bimport\s*(['"])(.+?)\1/g;
const DYNAMIC = /\bimport\s*\(\s*(['"])(.+?)\1\s*\)/g;

/**
 * What a TypeScript source imports or re-exports.
 * @returns `{ specifier, line, typeOnly }` of each import, in no particular order.
 */
export function importsOf(source) {
  const code = withoutComments(source);
  return [FROM, BARE, DYNAMIC].flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => ({
      specifier: match[2],
      line: code.slice(0, match.index).split('\n').length,
      typeOnly: /^(import|export)\s+type\b/.test(match[0]),
    })),
  );
}

/** Comments and template texts become spaces; line breaks stay, so that line numbers do. */
function withoutComments(source) {
  return source.replace(COMMENT_OR_STRING, (text) => (/^['"]/.test(text) ? text : blank(text)));
}

/** Like `withoutComments`, and the other texts become spaces too. */
export function codeOnly(source) {
  return source.replace(COMMENT_OR_STRING, blank);
}

function blank(text) {
  return text.replace(/[^\n]/g, ' ');
}
