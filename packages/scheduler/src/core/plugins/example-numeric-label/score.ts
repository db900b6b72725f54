const MAX_NODE_SCORE = 100;

/** 0 for no number, 100 from `best` on, in proportion in between; whole, rounded down. */
export function numericLabelScore(text: string | undefined, best: number): number {
  const value = text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return Math.min(MAX_NODE_SCORE, Math.floor((MAX_NODE_SCORE * value) / best));
}
