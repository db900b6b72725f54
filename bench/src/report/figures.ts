import { type Comparison, timesAsFast } from '../suite.js';

/** A figure with its unit, three digits where it is no whole number. */
export function figureText(value: number, unit: Comparison['unit']): string {
  switch (unit) {
    case 'per second':
      return `${Math.round(value).toLocaleString('en-US')}/s`;
    case 'CPU seconds':
      return `${value.toFixed(3)} s CPU`;
    case 'microseconds':
      return value >= 1000 ? `${(value / 1000).toPrecision(3)} ms` : `${value.toPrecision(3)} µs`;
  }
}

/** How many times as fast as the rival. */
export function ratioText(comparison: Comparison): string {
  const ratio = timesAsFast(comparison);
  return `${ratio >= 100 ? Math.round(ratio) : ratio.toPrecision(2)}×`;
}
