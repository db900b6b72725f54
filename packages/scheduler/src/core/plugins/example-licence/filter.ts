/** Licences that are not held; below 0 where the label was lowered after they were taken. No number means none. */
export function freeLicences(text: string | undefined, held: number): number {
  const all = text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : 0;
  return all - held;
}
