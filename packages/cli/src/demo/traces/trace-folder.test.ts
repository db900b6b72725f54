import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { TraceError } from './trace-error.js';
import { readTraceFolder } from './trace-folder.js';

const GOOD = {
  'openb-nodes.csv': 'sn,cpu_milli,memory_mib,gpu,model\nn0,32000,131072,0,\nn1,96000,393216,8,G2\n',
  'openb-pods.csv':
    'name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n' +
    'late,4000,1024,2,500,,LS,Running,70,,\nearly,500,2048,0,,,LS,Running,10,99,11\n',
  'vm-cpu-percent.csv': 'vm-1,10,20.5,30\nvm-2,5,5,5\n',
  'vm-memory-percent.csv': 'vm-1,40,41,42\r\n',
};

describe('readTraceFolder', () => {
  let folder: string;
  const write = async (files: Partial<Record<string, string | undefined>>): Promise<void> => {
    for (const [name, text] of Object.entries(files)) {
      if (text !== undefined) await writeFile(join(folder, name), text);
    }
  };
  const problemsOf = async (): Promise<readonly string[]> => {
    try {
      await readTraceFolder(folder);
      return [];
    } catch (error) {
      expect(error).to.be.instanceOf(TraceError);
      return (error as TraceError).problems;
    }
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'traces-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('reads nodes, pods in order of creation with their GPU demand, and usage rows', async () => {
    await write(GOOD);
    expect(await readTraceFolder(folder)).to.deep.equal({
      nodes: [
        { name: 'n0', cpuMilli: 32000, memoryMib: 131072, gpus: 0 },
        { name: 'n1', cpuMilli: 96000, memoryMib: 393216, gpus: 8 },
      ],
      pods: [
        { name: 'early', cpuMilli: 500, memoryMib: 2048, gpuMilli: 0, creationTime: 10 },
        { name: 'late', cpuMilli: 4000, memoryMib: 1024, gpuMilli: 1000, creationTime: 70 },
      ],
      cpuPercent: [
        [10, 20.5, 30],
        [5, 5, 5],
      ],
      memoryPercent: [[40, 41, 42]],
    });
  });

  const garbled: [what: string, file: keyof typeof GOOD, text: string, says: string][] = [
    [
      'a word where a number belongs',
      'openb-nodes.csv',
      'sn,cpu_milli,memory_mib,gpu\nn0,much,1,0\n',
      'openb-nodes.csv line 2: cpu_milli is "much"; expected a whole number of at least 1',
    ],
    [
      'a negative request',
      'openb-pods.csv',
      'name,cpu_milli,memory_mib,num_gpu,gpu_milli,creation_time\np,-5,1,0,0,1\n',
      'openb-pods.csv line 2: cpu_milli is "-5"; expected a whole number of at least 0',
    ],
    [
      'a missing cell',
      'openb-pods.csv',
      'name,cpu_milli,memory_mib,num_gpu,gpu_milli,creation_time\np,5,1,1,,1\n',
      'openb-pods.csv line 2: gpu_milli is empty; give a value or remove the row',
    ],
    [
      'a missing column',
      'openb-pods.csv',
      'name,cpu_milli,memory_mib,num_gpu,creation_time\np,5,1,0,1\n',
      'openb-pods.csv line 1: the header lacks gpu_milli; it must name name, cpu_milli, memory_mib, num_gpu, gpu_milli, creation_time',
    ],
    [
      'a sample that is no number',
      'vm-cpu-percent.csv',
      'vm-1,10,NaN,30\n',
      'vm-cpu-percent.csv line 1: sample 2 is "NaN"; expected a percentage of at least 0',
    ],
    [
      'a row without samples',
      'vm-memory-percent.csv',
      'vm-1,1\nvm-2\n',
      'vm-memory-percent.csv line 2: no samples; expected an id, then one percentage per five minutes',
    ],
    ['an empty file', 'vm-cpu-percent.csv', '\n', 'vm-cpu-percent.csv: the file is empty'],
    [
      'a header alone',
      'openb-nodes.csv',
      'sn,cpu_milli,memory_mib,gpu\n',
      'openb-nodes.csv: there is a header but no row',
    ],
    [
      'quotes',
      'openb-nodes.csv',
      'sn,cpu_milli,memory_mib,gpu\n"n0",1,1,0\n',
      'openb-nodes.csv line 2: quoted cells are not supported; write the cells without quotes',
    ],
  ];
  for (const [what, file, text, says] of garbled) {
    it(`points at ${what}`, async () => {
      await write({ ...GOOD, [file]: text });
      expect(await problemsOf()).to.deep.equal([join(folder, says)]);
    });
  }

  it('names all problems of all files at once, and every missing file with what the folder must hold', async () => {
    await write({
      'openb-pods.csv': 'name,cpu_milli,memory_mib,num_gpu,gpu_milli,creation_time\n,x,1,0,0,1\n',
      'vm-cpu-percent.csv': GOOD['vm-cpu-percent.csv'],
      'vm-memory-percent.csv': GOOD['vm-memory-percent.csv'],
    });
    expect(await problemsOf()).to.deep.equal([
      `${folder}/openb-nodes.csv: no such file; --traces takes the folder that holds openb-nodes.csv, openb-pods.csv, vm-cpu-percent.csv and vm-memory-percent.csv`,
      `${folder}/openb-pods.csv line 2: name is empty; give a value or remove the row`,
      `${folder}/openb-pods.csv line 2: cpu_milli is "x"; expected a whole number of at least 0`,
    ]);
  });

  it('shows ten problems and counts the rest', () => {
    const error = new TraceError(Array.from({ length: 13 }, (_, index) => `problem ${index + 1}`));
    expect(error.message.split('\n').slice(-2)).to.deep.equal([
      'problem 10',
      'and 3 more problems of this kind',
    ]);
    expect(error.exitCode).to.equal(1);
  });
});
