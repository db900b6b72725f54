/** The more licences are free the better; where there are fewer than are held it is as with none. */
export function licenceScore(freeLicences: number): number {
  return Math.max(0, freeLicences);
}
