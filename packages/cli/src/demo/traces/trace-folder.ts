import { join } from 'node:path';
import { type CsvRow, CsvTable, readCsvRows } from './csv-file.js';
import { TraceError } from './trace-error.js';

export interface TraceNode {
  readonly name: string;
  readonly cpuMilli: number;
  readonly memoryMib: number;
  readonly gpus: number;
}

export interface TracePod {
  readonly name: string;
  readonly cpuMilli: number;
  readonly memoryMib: number;
  /** Thousandths of a GPU, over all GPUs asked for. */
  readonly gpuMilli: number;
  readonly creationTime: number;
}

/** Percent of a workload's own CPU or memory, one row a workload, one figure per five minutes. */
export type PercentRows = readonly (readonly number[])[];

export interface TraceFolder {
  readonly nodes: readonly TraceNode[];
  /** In order of creation; pods of equal time keep the order of the file. */
  readonly pods: readonly TracePod[];
  readonly cpuPercent: PercentRows;
  readonly memoryPercent: PercentRows;
}

const NODE_COLUMNS = ['sn', 'cpu_milli', 'memory_mib', 'gpu'] as const;
const POD_COLUMNS = ['name', 'cpu_milli', 'memory_mib', 'num_gpu', 'gpu_milli', 'creation_time'] as const;

/**
 * Reads the four files of a trace folder.
 * @throws TraceError naming path, line, column, value and remedy, for all files at once.
 */
export async function readTraceFolder(folder: string): Promise<TraceFolder> {
  const [nodes, pods, cpuPercent, memoryPercent] = await Promise.allSettled([
    readNodes(join(folder, 'openb-nodes.csv')),
    readPods(join(folder, 'openb-pods.csv')),
    readPercentRows(join(folder, 'vm-cpu-percent.csv')),
    readPercentRows(join(folder, 'vm-memory-percent.csv')),
  ]);
  const failures = [nodes, pods, cpuPercent, memoryPercent].filter((read) => read.status === 'rejected');
  const unexpected = failures.find(({ reason }) => !(reason instanceof TraceError));
  if (unexpected !== undefined) throw unexpected.reason as Error;
  if (
    nodes.status === 'rejected' ||
    pods.status === 'rejected' ||
    cpuPercent.status === 'rejected' ||
    memoryPercent.status === 'rejected'
  ) {
    throw new TraceError(failures.flatMap(({ reason }) => (reason as TraceError).problems));
  }
  return {
    nodes: nodes.value,
    pods: pods.value,
    cpuPercent: cpuPercent.value,
    memoryPercent: memoryPercent.value,
  };
}

async function readNodes(path: string): Promise<TraceNode[]> {
  const table = new CsvTable(await readCsvRows(path), NODE_COLUMNS);
  const nodes = table.rows.map((row) => ({
    name: table.text(row, 'sn'),
    cpuMilli: table.count(row, 'cpu_milli', 1),
    memoryMib: table.count(row, 'memory_mib', 1),
    gpus: table.count(row, 'gpu'),
  }));
  return withoutProblems(nodes, table);
}

async function readPods(path: string): Promise<TracePod[]> {
  const table = new CsvTable(await readCsvRows(path), POD_COLUMNS);
  const pods = table.rows.map((row) => {
    const gpus = table.count(row, 'num_gpu');
    return {
      name: table.text(row, 'name'),
      cpuMilli: table.count(row, 'cpu_milli'),
      memoryMib: table.count(row, 'memory_mib'),
      gpuMilli: gpus === 0 ? 0 : gpus * table.count(row, 'gpu_milli'),
      creationTime: table.count(row, 'creation_time'),
    };
  });
  return withoutProblems(pods, table).sort((a, b) => a.creationTime - b.creationTime);
}

function withoutProblems<T>(values: T, table: CsvTable): T {
  if (table.problems.length > 0) throw new TraceError(table.problems);
  return values;
}

async function readPercentRows(path: string): Promise<PercentRows> {
  const problems: string[] = [];
  const rows = (await readCsvRows(path)).map((row) => percentRow(row, problems));
  if (problems.length > 0) throw new TraceError(problems);
  return rows;
}

function percentRow(row: CsvRow, problems: string[]): number[] {
  const samples = row.cells.slice(1);
  if (samples.length === 0) {
    problems.push(
      `${row.path} line ${row.line}: no samples; expected an id, then one percentage per five minutes`,
    );
  }
  return samples.map((text, index) => {
    const value = Number(text);
    if (text !== '' && Number.isFinite(value) && value >= 0) return value;
    problems.push(
      `${row.path} line ${row.line}: sample ${index + 1} is ${JSON.stringify(text)}; expected a percentage of at least 0`,
    );
    return 0;
  });
}
