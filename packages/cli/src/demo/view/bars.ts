const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;

/** A bar of `width` cells, filled to `percent` (cut to 0..100) in eighths of a cell. */
export function bar(percent: number, width: number): string {
  const eighths = Math.round((Math.min(100, Math.max(0, percent)) / 100) * width * 8);
  const full = Math.floor(eighths / 8);
  const text = '█'.repeat(full) + (EIGHTHS[eighths % 8] ?? '');
  return text + '░'.repeat(width - full - (eighths % 8 === 0 ? 0 : 1));
}

/** `1:05:30` of a simulated time. */
export function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** `0.5 CPU` of 500 milli-CPU. */
export function cpuText(cpuMilli: number): string {
  return `${Number((cpuMilli / 1000).toFixed(2))} CPU`;
}
