/**
 * The known name that someone who wrote `word` most likely meant, or undefined when none is close: case, dashes and
 * underscores don't count, and one character in three may differ, at most three.
 */
export function nearestName(word: string, known: Iterable<string>): string | undefined {
  const wanted = squeeze(word);
  let nearest: string | undefined;
  let nearestDistance = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const candidate = squeeze(name);
    const allowed = Math.min(3, Math.floor(Math.min(wanted.length, candidate.length) / 3));
    const distance = editDistance(wanted, candidate);
    if (distance <= allowed && distance < nearestDistance) {
      nearest = name;
      nearestDistance = distance;
    }
  }
  return nearest;
}

/** `; did you mean X?`, or nothing: the tail of a message about an unknown name. */
export function didYouMean(word: string, known: Iterable<string>, prefix = ''): string {
  const nearest = nearestName(word, known);
  return nearest === undefined ? '' : `; did you mean ${prefix}${nearest}?`;
}

/** Lower case, without the separators between words. */
export function squeeze(name: string): string {
  return name.toLowerCase().replace(/[-_.\s]/g, '');
}

/** Insertions, deletions, substitutions and swaps of neighbours. O(a.length × b.length). */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (beforePrevious[j - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
