import type { Taint, Toleration } from '@catamaran/model';

/** Whether one toleration covers a taint. An empty key with `Exists` covers any key, an empty effect any effect. */
function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { key = '', operator = '', value = '', effect } = toleration;
  if (effect !== undefined && (effect as string) !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (operator === '' || operator === 'Equal') && key !== '' && value === (taint.value ?? '');
}

export function isTolerated(taint: Taint, tolerations: readonly Toleration[]): boolean {
  return tolerations.some((toleration) => tolerates(toleration, taint));
}
