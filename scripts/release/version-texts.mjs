// What a new version changes in which file; pure.

/** Semantic version: three numbers, perhaps with a pre-release. */
export const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

/** A package.json with another version; nothing else of it changes. */
export function packageText(text, version) {
  return replacedOnce(text, /(?<="version": ")[^"]+/, version);
}

export function chartText(text, version) {
  return replacedOnce(replacedOnce(text, /(?<=^version: ).+$/m, version), /(?<=^appVersion: ).+$/m, version);
}

/** Both images of the kustomize base. */
export function kustomizationText(text, version) {
  const pattern = /(?<=newTag: ).+$/gm;
  if (text.match(pattern)?.length !== 2) {
    throw new Error('the kustomization does not have two newTag lines');
  }
  return text.replace(pattern, version);
}

/**
 * A changelog in which what was unreleased has become a version of that day.
 * @throws Error when nothing is unreleased, or the version is there already.
 */
export function changelogText(text, version, day) {
  if (text.includes(`\n## [${version}]`)) {
    throw new Error(`CHANGELOG.md has ${version} already`);
  }
  const [, unreleased = ''] = /\n## \[Unreleased\]\n([\s\S]*?)(?=\n## \[|$)/.exec(text) ?? [];
  if (!/^- /m.test(unreleased)) {
    throw new Error('CHANGELOG.md has nothing under [Unreleased]: there is nothing to release');
  }
  return text.replace('\n## [Unreleased]\n', `\n## [Unreleased]\n\n## [${version}] - ${day}\n`);
}

/** What the changelog says of a version, for the release's page. */
export function notesOf(text, version) {
  const from = text.indexOf(`\n## [${version}]`);
  if (from < 0) {
    throw new Error(`CHANGELOG.md has nothing about ${version}`);
  }
  const rest = text.slice(text.indexOf('\n', from + 1) + 1);
  const end = rest.search(/^## \[/m);
  return `${(end < 0 ? rest : rest.slice(0, end)).trim()}\n`;
}

function replacedOnce(text, pattern, by) {
  if (!pattern.test(text)) {
    throw new Error(`nothing there that ${pattern} matches`);
  }
  return text.replace(pattern, () => by);
}
