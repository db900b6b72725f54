import { goLog } from './go-log.js';

/** Where the gamma function is least, in two parts with its logarithm there. */
const MINIMUM_X = 1.4616321449683622;
const MINIMUM_HIGH = -0.12148629053584961;
const MINIMUM_LOW = -3.638676997039505e-18;
const TINY = 2 ** -70;
const HUGE = 2 ** 58;

/** Below 2, near 2: even and odd powers of the distance. */
const NEAR_TWO_EVEN = [
  0.07721566490153287, 0.06735230105312927, 0.007385550860814029, 0.0011927076318336207,
  0.00022086279071390839, 0.000025214456545125733,
];
const NEAR_TWO_ODD = [
  0.3224670334241136, 0.020580808432516733, 0.0028905138367341563, 0.0005100697921535113,
  0.00010801156724758394, 0.000044864094961891516,
];
/** Around the minimum: every third power of the distance, from 0, 1 and 2 on. */
const NEAR_MINIMUM = [
  [
    0.48383612272381005, -0.032788541075985965, 0.006100538702462913, -0.0014034646998923284,
    0.00031563207090362595,
  ],
  [
    -0.1475877229945939, 0.01797067508118204, -0.0036845201678113826, 0.000881081882437654,
    -0.00031275416837512086,
  ],
  [
    0.06462494023913339, -0.010314224129834144, 0.0022596478090061247, -0.0005385953053567405,
    0.0003355291926355191,
  ],
] as const;
/** Near 1: a ratio. */
const NEAR_ONE = [
  [
    -0.07721566490153287, 0.6328270640250934, 1.4549225013723477, 0.9777175279633727, 0.22896372806469245,
    0.013381091853678766,
  ],
  [1, 2.4559779371304113, 2.128489763798934, 0.7692851504566728, 0.10422264559336913, 0.003217092422824239],
] as const;
/** From 2 to 3: a ratio. */
const FROM_TWO = [
  [
    -0.07721566490153287, 0.21498241596060885, 0.325778796408931, 0.14635047265246445, 0.02664227030336386,
    0.0018402845140733772, 0.00003194753265841009,
  ],
  [
    1, 1.3920053346762105, 0.7219355475671381, 0.17193386563280308, 0.01864591917156529,
    0.0007779424963818936, 0.000007326684307446256,
  ],
] as const;
/** Stirling's series. */
const STIRLING_CONSTANT = 0.4189385332046727;
const STIRLING = [
  0.08333333333333297, -0.0027777777772877554, 0.0007936505586430196, -0.00059518755745034,
  0.0008363399189962821, -0.0016309293409657527,
];

/**
 * Natural logarithm of the gamma function, bit for bit as Go computes it (`math.Lgamma`; method and coefficients:
 * FreeBSD's e_lgamma_r.c). Absolute error below 2e-16 times the larger of 1 and the result.
 *
 * @param x above 0, or 0 or infinite, both of which give infinity; NaN below 0.
 */
export function logGamma(x: number): number {
  if (Number.isNaN(x) || x < 0) return Number.NaN;
  if (x === 0 || x === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  if (x < TINY) return -goLog(x);
  if (x === 1 || x === 2) return 0;
  if (x < 2) return belowTwo(x);
  if (x < 8) return fromTwoToEight(x);
  return x < HUGE ? (x - 0.5) * (goLog(x) - 1) + stirling(1 / x) : x * (goLog(x) - 1);
}

/** By lgamma(x) = lgamma(x + 1) - ln x where that lies nearer to a point with a good series. */
function belowTwo(x: number): number {
  const shifted = x <= 0.9;
  const start = shifted ? -goLog(x) : 0;
  const base = shifted ? 1 : 2;
  const edge = MINIMUM_X - 2 + base;
  if (x >= edge + 0.27) return start + nearTwo(base - x);
  if (x >= edge - 0.27) return start + nearMinimum(x - edge);
  return start + nearOne(shifted ? x : x - 1);
}

function nearTwo(distance: number): number {
  const square = distance * distance;
  const even = polynomial(NEAR_TWO_EVEN, square);
  const odd = square * polynomial(NEAR_TWO_ODD, square);
  return distance * even + odd - 0.5 * distance;
}

function nearMinimum(distance: number): number {
  const square = distance * distance;
  const cube = square * distance;
  const [first, second, third] = NEAR_MINIMUM;
  const rest = cube * (polynomial(second, cube) + distance * polynomial(third, cube));
  return MINIMUM_HIGH + (square * polynomial(first, cube) - (MINIMUM_LOW - rest));
}

function nearOne(distance: number): number {
  const [above, below] = NEAR_ONE;
  return -0.5 * distance + (distance * polynomial(above, distance)) / polynomial(below, distance);
}

function fromTwoToEight(x: number): number {
  const whole = Math.floor(x);
  const rest = x - whole;
  const [above, below] = FROM_TWO;
  const near = 0.5 * rest + (rest * polynomial(above, rest)) / polynomial(below, rest);
  let product = 1;
  for (let step = whole - 1; step >= 2; step -= 1) product *= rest + step;
  return whole === 2 ? near : near + goLog(product);
}

function stirling(inverse: number): number {
  return STIRLING_CONSTANT + inverse * polynomial(STIRLING, inverse * inverse);
}

/** Horner's rule; coefficients from the lowest power. */
function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (let index = coefficients.length - 1; index >= 0; index -= 1)
    sum = sum * x + (coefficients[index] ?? 0);
  return sum;
}
