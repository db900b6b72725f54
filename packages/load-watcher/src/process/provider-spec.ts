import { ok, problem, type Result } from '@catamaran/model';
import { didYouMean } from '@catamaran/platform';
import { checkPromql } from '../providers/prometheus/check-promql.js';
import type { QueryOptions, Unit, UserQuery } from '../providers/prometheus/query.js';

export const PROVIDER_NAMES = ['KubernetesMetricsServer', 'Prometheus', 'SignalFx', 'Datadog'] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

/** Where kube-prometheus puts it, seen from its own namespace; the Go service's default. */
export const DEFAULT_PROMETHEUS_ADDRESS = 'http://prometheus-k8s:9090';

/** Exact names; a near miss is named, never turned into the default. */
export function parseProviderName(text: string): Result<ProviderName> {
  const name = PROVIDER_NAMES.find((known) => known === text);
  if (name !== undefined) return ok(name);
  return problem(
    `${JSON.stringify(text)} is not one of ${PROVIDER_NAMES.join(', ')}${didYouMean(text, PROVIDER_NAMES)}`,
  );
}

export interface QueryTexts {
  readonly cpuQuery: string;
  readonly cpuUnit: Unit | undefined;
  readonly memoryQuery: string;
  readonly memoryUnit: Unit | undefined;
  readonly matcher: string;
  readonly nodeLabel: string;
}

/** Checks the operator's own PromQL; all problems at once, each beginning with its flag. */
export function parseQueryOptions(
  texts: QueryTexts,
):
  | { readonly ok: true; readonly value: QueryOptions }
  | { readonly ok: false; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const cpu = userQuery('cpu', texts.cpuQuery, { unit: texts.cpuUnit, problems });
  const memory = userQuery('memory', texts.memoryQuery, { unit: texts.memoryUnit, problems });
  const { matcher, nodeLabel } = texts;
  if (matcher !== '' && !/^\s*[a-zA-Z_]\w*\s*(=|!=|=~|!~)\s*(".*"|'.*')\s*(,.*)?$/.test(matcher)) {
    problems.push(
      `--prometheus-matcher: ${JSON.stringify(matcher)} is not a label matcher such as cluster="blue"`,
    );
  }
  if (nodeLabel !== '' && !/^[a-zA-Z_]\w*$/.test(nodeLabel)) {
    problems.push(`--prometheus-node-label: ${JSON.stringify(nodeLabel)} is not a label name`);
  }
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    value: {
      matcher: matcher.trim(),
      nodeLabel: nodeLabel === '' ? undefined : nodeLabel,
      userQueries: {
        ...(cpu === undefined ? {} : { CPU: cpu }),
        ...(memory === undefined ? {} : { Memory: memory }),
      },
    },
  };
}

function userQuery(
  resource: 'cpu' | 'memory',
  promql: string,
  given: { readonly unit: Unit | undefined; readonly problems: string[] },
): UserQuery | undefined {
  const flag = `--prometheus-${resource}`;
  if (promql === '') {
    if (given.unit !== undefined)
      given.problems.push(`${flag}-unit: there is no ${flag}-query that it could describe`);
    return undefined;
  }
  const checked = checkPromql(promql);
  if (!checked.ok) given.problems.push(`${flag}-query: ${checked.problem}`);
  if (given.unit === undefined)
    given.problems.push(`${flag}-unit: say whether ${flag}-query gives a ratio or percent`);
  return checked.ok && given.unit !== undefined ? { promql: checked.value, unit: given.unit } : undefined;
}
