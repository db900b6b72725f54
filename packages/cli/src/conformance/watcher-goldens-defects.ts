import type { GoldenAnswer, GoldenExchange, GoldenScenario } from './watcher-goldens-file.js';

interface Shown {
  readonly exchange: GoldenExchange;
  readonly answer: GoldenAnswer;
  readonly scenario: GoldenScenario;
}

/** Whether an answer shows a defect that is not copied. Keys are those of the file's `notReproduced`. */
const SHOWS: Readonly<Record<string, (shown: Shown) => boolean>> = {
  D1: isEmptyFailure,
  D3: ({ answer }) => answer.body.includes('"NodeMetricsMap":{}') || answer.status === 404,
  D4: isEmptyFailure,
  D5: ({ answer }) => /"value":(NaN|[+-]Inf)/.test(answer.body),
  D6: ({ answer }) => /"type":"(?!CPU"|Memory")/.test(answer.body),
  D7: ({ exchange, answer }) => namesInstances(exchange, answer),
  D8: ({ answer }) => answer.status === 200 && !answer.body.includes('"type":"CPU"'),
  D9: ({ answer }) => hosts(answer.body).some(repeatsAFigure),
  D10: isHealth,
  D11: isHealth,
  D22: isEmptyFailure,
  D28: ({ exchange, answer }) => !['GET', 'HEAD'].includes(exchange.method) && answer.status !== 405,
  numbers: ({ answer }) => values(answer.body).some(isOutOfRange),
};

/** Decided for every scenario, beyond the listed defects; docs/compatibility.md has the reasons. */
const DECIDED: Readonly<Record<string, (shown: Shown) => boolean>> = {
  'negative samples': ({ answer }) => values(answer.body).some((text) => Number(text) < 0),
  'added routes': ({ exchange, answer }) => ADDED_ROUTES.test(exchange.target) && answer.status === 404,
};
const ADDED_ROUTES = /^\/(livez|readyz|metrics|configz|openapi\.json|debug\/nodes)(\?|$)/;

/** The listed defects, and what is decided otherwise, that the answer shows. */
export function defectsShown(
  scenario: GoldenScenario,
  exchange: GoldenExchange,
  answer: GoldenAnswer,
): readonly string[] {
  const shown = { exchange, answer, scenario };
  return [
    ...scenario.defects.filter((key) => SHOWS[key]?.(shown) === true),
    ...Object.keys(DECIDED).filter((key) => DECIDED[key]?.(shown) === true),
  ];
}

function isEmptyFailure({ answer }: Shown): boolean {
  return answer.status === 500 && answer.body === '';
}

function isHealth({ exchange }: Shown): boolean {
  return exchange.target.startsWith('/watcher/health');
}

/** A key that is an instance label rather than a node's name: with a port, in brackets, or empty. */
function namesInstances(exchange: GoldenExchange, answer: GoldenAnswer): boolean {
  const asked = /[?&]host=([^&]*)/.exec(exchange.target)?.[1] ?? '';
  return (
    hosts(answer.body).some(({ name }) => name === '' || /:\d+$/.test(name)) ||
    (answer.status === 404 && asked !== '') ||
    /%3a|:\d+$/i.test(asked)
  );
}

function repeatsAFigure({ metrics }: Host): boolean {
  const kinds = [...metrics.matchAll(/"type":"([^"]*)","operator":"([^"]*)"/g)].map(
    ([, type, operator]) => `${type} ${operator}`,
  );
  return new Set(kinds).size < kinds.length;
}

function values(body: string): readonly string[] {
  return [...body.matchAll(/"value":([^},]+)/g)].map(([, text]) => text ?? '');
}

/** More than 16 decimals below 1e-6, or more than ten times a node's capacity. */
function isOutOfRange(text: string): boolean {
  const value = Math.abs(Number(text));
  return value > 1000 || (value < 1e-6 && text.replace(/^-?\d+\.?/, '').length > 16);
}

export interface Host {
  readonly name: string;
  /** As encoded, name included. */
  readonly text: string;
  readonly metrics: string;
}

const HOST = /("(?:[^"\\]|\\.)*"):\{"metrics":\[(.*?)\],"tags":\{\},"metadata":\{"dataCenter":""\}\}/g;

/** The hosts of an encoded document, in its order; none where the body is something else. */
export function hosts(body: string): readonly Host[] {
  const marker = '"NodeMetricsMap":{';
  const at = body.indexOf(marker);
  if (at < 0) return [];
  return [...body.slice(at + marker.length).matchAll(HOST)].map(([text, name = '""', metrics = '']) => ({
    name: JSON.parse(name) as string,
    text,
    metrics,
  }));
}
