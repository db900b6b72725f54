/**
 * A Markdown table of the options that do something, and one of those that are only accepted.
 * @param keyOf key of an option in the program's configuration file; left out where the program reads none.
 */
export function optionTable(specs, defaultText, keyOf) {
  const fileColumn = keyOf === undefined ? [] : ['key in the file'];
  const effective = specs.filter(({ noEffect }) => noEffect === undefined);
  const ignored = specs.filter(({ noEffect }) => noEffect !== undefined);
  const parts = [
    'A flag beats the environment variable, that beats the configuration file, that beats the default.',
    table(
      ['flag', 'variable', ...fileColumn, 'type', 'default', 'meaning'],
      effective.map((spec) => [
        flag(spec),
        spec.env === undefined ? '' : `\`${spec.env}\``,
        ...fileColumn.map(() => keyOf(spec)),
        typeText(spec),
        defaultText(spec) === '' ? '' : `\`${defaultText(spec)}\``,
        meaning(spec),
      ]),
    ),
  ];
  if (ignored.length > 0) {
    parts.push(
      '## Accepted without effect',
      table(
        ['flag', 'why'],
        ignored.map((spec) => [flag(spec), spec.noEffect]),
      ),
    );
  }
  return parts.join('\n\n');
}

/** A Markdown table of the paths of an OpenAPI document, each with what it answers. */
export function httpTable({ paths }) {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary = '', responses = {} }]) => [
      `\`${method.toUpperCase()} ${path}\``,
      summary,
      Object.entries(responses)
        .map(([status, { description = '' }]) => `${status}: ${description}`)
        .join(' '),
    ]),
  );
  return table(['request', 'what', 'answers'], rows);
}

/** Columns in which no row has anything are left out. */
export function table(head, rows) {
  const used = head.map((_, column) => rows.some((row) => row[column] !== ''));
  const line = (cells) => {
    const shown = cells.filter((_, column) => used[column]).map((cell) => cell.replaceAll('|', '\\|'));
    return `| ${shown.join(' | ')} |`;
  };
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function flag({ name, shorthand }) {
  return shorthand === undefined ? `\`--${name}\`` : `\`-${shorthand}\`, \`--${name}\``;
}

function typeText({ type, choices }) {
  return choices === undefined ? type : choices.map((choice) => `\`${choice}\``).join(' ');
}

function meaning({ description, deprecated, secret }) {
  const parts = [description];
  if (secret === true) {
    parts.push('Never printed.');
  }
  if (deprecated !== undefined) {
    parts.push(`Deprecated: ${deprecated}.`);
  }
  return parts.join(' ');
}
