import type { InfoTables, Labels } from '../../core/mapping/resolve-node.js';
import { infoQueries, type QueryOptions } from './query.js';
import type { Ask, ResourceReading } from './source-reader.js';

interface TableSpec {
  /** Empty where a series has no key. */
  readonly key: (labels: Labels) => string;
  readonly value: string;
}

const BY_POD: TableSpec = {
  key: ({ namespace = '', pod = '' }) => (pod === '' ? '' : `${namespace}/${pod}`),
  value: 'node',
};
const BY_IP: TableSpec = { key: ({ internal_ip: ip = '' }) => ip, value: 'node' };
const BY_INSTANCE: TableSpec = { key: ({ instance = '' }) => instance, value: 'nodename' };

export interface InfoSource {
  readonly ask: Ask;
  readonly labelsOf: (series: number) => Labels;
  /** Takes a sentence for each query that failed. */
  readonly failures: string[];
}

/** Asks the info metrics that can tell the nodes of these readings' series, in three queries: a table for each answer. */
export async function askInfoMetrics(
  readings: readonly ResourceReading[],
  options: QueryOptions,
  source: InfoSource,
): Promise<Partial<InfoTables>> {
  const reading = readings.find(hasSeries);
  if (reading === undefined) return {};
  return await infoTables(reading.source.average('5m'), options, source);
}

/** The same for the series that an expression gives. */
export async function infoTables(
  series: string,
  options: QueryOptions,
  source: InfoSource,
): Promise<Partial<InfoTables>> {
  const queries = infoQueries(series, options);
  const table = async (name: keyof InfoTables, promql: string, spec: TableSpec) => {
    const answer = await source.ask(promql);
    if (!answer.ok) {
      source.failures.push(`mapping query ${promql}: ${answer.problem}`);
      return {};
    }
    return { [name]: tableOf(Array.from(answer.value.series, source.labelsOf), spec) };
  };
  const tables = await Promise.all([
    table('nodesByPod', queries.pod, BY_POD),
    table('nodesByIp', queries.ip, BY_IP),
    table('hostnamesByInstance', queries.hostname, BY_INSTANCE),
  ]);
  return Object.assign({}, ...tables) as Partial<InfoTables>;
}

function hasSeries({ averages }: ResourceReading): boolean {
  return [...averages.values()].some((answer) => answer.ok && answer.value.series.length > 0);
}

function tableOf(labelSets: readonly Labels[], { key, value }: TableSpec): Map<string, Set<string>> {
  const table = new Map<string, Set<string>>();
  for (const labels of labelSets) {
    const [id, name] = [key(labels), labels[value] ?? ''];
    if (id === '' || name === '') continue;
    table.set(id, (table.get(id) ?? new Set()).add(name));
  }
  return table;
}
