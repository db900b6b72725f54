import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Types that are registries of codes, by the end of their name. */
const CODE_UNION =
  /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*)?export type (\w+(?:ErrorCode|FailureCode|Reason)) =\s*((?:\|?\s*'[^']+'\s*)+);/g;

/** One section for each union of codes in the sources, with what its doc comment says. */
export function errorCodeSections(root) {
  const sections = readdirSync(join(root, 'packages')).flatMap((name) =>
    sourcesOf(join(root, 'packages', name, 'src')).flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(CODE_UNION)].map(([, comment, type, union]) => ({
        type,
        text: section(name, {
          comment,
          type,
          codes: [...union.matchAll(/'([^']+)'/g)].map((match) => match[1]),
        }),
      })),
    ),
  );
  if (sections.length === 0) {
    return undefined;
  }
  return sections
    .sort((a, b) => (a.type < b.type ? -1 : 1))
    .map(({ text }) => text)
    .join('\n\n');
}

function sourcesOf(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(folder, file));
}

function section(packageName, { comment, type, codes }) {
  const about = proseOf(comment ?? '');
  const list = `Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`;
  return [`## ${type}`, `Package \`${packageName}\`.${about === '' ? '' : ` ${about}`}`, list].join('\n\n');
}

/** The text of a doc comment on one line. */
function proseOf(comment) {
  return comment
    .replace(/^\/\*\*|\*\/\s*$/g, '')
    .replace(/^\s*\* ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}
