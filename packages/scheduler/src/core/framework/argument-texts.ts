/** What each argument of a plugin means, by name: its reader takes these and no others, and its page lists them. */
export type ArgumentTexts = Readonly<Record<string, string>>;

/** The same arguments within a map or list of another. */
export function under(prefix: string, texts: ArgumentTexts): ArgumentTexts {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${prefix}.${name}`, text]));
}
