import type { Metric, Pod } from '@catamaran/model';
import { expect } from 'chai';
import fc from 'fast-check';
import { podInfo } from '../state/pod-info.js';
import { podLimits } from './pod-limits.js';
import {
  firstCpuPercent,
  hasOtherFigures,
  lastCpuPercent,
  type ResourceFigures,
  resourceFigures,
} from './resource-figures.js';
import { mebibytes, resourceUse, sharesWith } from './resource-use.js';

function metrics(...entries: readonly (readonly [string, string, number])[]): readonly Metric[] {
  return entries.map(([type, operator, value]) => ({ name: '', rollup: '15m', type, operator, value }));
}

/** Sentence, entries, figures of CPU. */
const FIGURES: readonly (readonly [string, readonly Metric[], ResourceFigures | undefined])[] = [
  ['an average', metrics(['CPU', 'AVG', 40]), { averagePercent: 40, deviationPercent: 0 }],
  ['a latest value', metrics(['CPU', 'Latest', 40]), { averagePercent: 40, deviationPercent: 0 }],
  ['an unnamed operator', metrics(['CPU', '', 40]), { averagePercent: 40, deviationPercent: 0 }],
  [
    'an average beats a latest value after it',
    metrics(['CPU', 'AVG', 20], ['CPU', 'Latest', 60]),
    { averagePercent: 20, deviationPercent: 0 },
  ],
  [
    'an average beats a latest value before it',
    metrics(['CPU', 'Latest', 60], ['CPU', 'AVG', 20]),
    { averagePercent: 20, deviationPercent: 0 },
  ],
  [
    'the last of latest and unnamed values counts',
    metrics(['CPU', 'Latest', 60], ['CPU', '', 10]),
    { averagePercent: 10, deviationPercent: 0 },
  ],
  [
    'the last average and the last deviation count',
    metrics(['CPU', 'AVG', 20], ['CPU', 'STD', 5], ['CPU', 'AVG', 30], ['CPU', 'STD', 9]),
    { averagePercent: 30, deviationPercent: 9 },
  ],
  ['0 is a figure', metrics(['CPU', 'AVG', 0]), { averagePercent: 0, deviationPercent: 0 }],
  ['a deviation alone measures nothing', metrics(['CPU', 'STD', 30]), undefined],
  ['an unknown operator measures nothing', metrics(['CPU', 'Unknown', 77]), undefined],
  ['memory says nothing about CPU', metrics(['Memory', 'AVG', 77]), undefined],
  ['types are case-sensitive', metrics(['cpu', 'AVG', 77]), undefined],
  ['a negative average is dropped', metrics(['CPU', 'AVG', -40], ['CPU', 'STD', 20]), undefined],
  [
    'a dropped average leaves the latest value',
    metrics(['CPU', 'Latest', 12], ['CPU', 'AVG', Number.NaN]),
    { averagePercent: 12, deviationPercent: 0 },
  ],
  [
    'a negative deviation is dropped',
    metrics(['CPU', 'AVG', 20], ['CPU', 'STD', -20]),
    { averagePercent: 20, deviationPercent: 0 },
  ],
  [
    'above 100 % is possible',
    metrics(['CPU', 'AVG', 140], ['CPU', 'STD', 120]),
    { averagePercent: 140, deviationPercent: 120 },
  ],
  ['nothing', [], undefined],
];

/** Capacity, used, deviation, added; mean and deviation as shares. Trimaran's own unit test asserts these. */
const SHARES: readonly (readonly [number, number, number, number, number, number])[] = [
  [1000, 400, 360, 100, 0.5, 0.36],
  [0, 0, 0, 0, 0, 0],
  [1000, 1400, 300, 100, 1, 0.3],
  [1000, 400, 1600, 100, 0.5, 1],
  [1000, 1400, 1600, 0, 1, 1],
  [1000, -100, 200, 0, 0, 0.2],
  [1000, 0, -200, 400, 0.4, 0],
];

type Amounts = readonly [cpuMilli: number, memoryBytes: number];

function container([cpuMilli, memoryBytes]: Amounts, restartPolicy?: string): Record<string, unknown> {
  const limits = { cpu: `${cpuMilli}m`, memory: String(memoryBytes) };
  return { name: 'c', resources: { limits }, ...(restartPolicy === undefined ? {} : { restartPolicy }) };
}

function pod(spec: Record<string, unknown>): Pod {
  return { metadata: { name: 'p' }, spec: { containers: [], ...spec } } as Pod;
}

/** Sentence, pod, CPU and memory limits. The first three are asserted by Trimaran's own unit test. */
const LIMITS: readonly (readonly [string, Pod, Amounts])[] = [
  [
    'an init container larger than the containers',
    pod({
      containers: [container([1000, 2048]), container([500, 1024])],
      initContainers: [container([2000, 4096])],
      overhead: { cpu: '10m' },
    }),
    [2010, 4096],
  ],
  [
    'containers larger than the init container',
    pod({
      containers: [container([1000, 4096]), container([2500, 2048])],
      initContainers: [container([2000, 4096])],
      overhead: { cpu: '10m' },
    }),
    [3510, 6144],
  ],
  [
    'containers without limits for a resource',
    pod({
      containers: [container([0, 0]), container([0, 2048]), container([1000, 0])],
      initContainers: [container([2000, 4096])],
      overhead: { cpu: '0' },
    }),
    [2000, 4096],
  ],
  [
    'a sidecar runs beside the containers and beside later init containers',
    pod({
      containers: [container([300, 100])],
      initContainers: [container([400, 50], 'Always'), container([350, 10])],
    }),
    [750, 150],
  ],
  [
    'pod-level limits replace those of the containers, each for its resource',
    pod({
      containers: [container([300, 100])],
      resources: { limits: { cpu: '2' } },
      overhead: { memory: '7' },
    }),
    [2000, 107],
  ],
  [
    'limits below the requests are raised to them',
    pod({
      containers: [{ name: 'c', resources: { requests: { cpu: '2', memory: '99' }, limits: { cpu: '1' } } }],
    }),
    [2000, 99],
  ],
  ['best effort', pod({ containers: [{ name: 'c' }] }), [0, 0]],
];

describe('node statistics', () => {
  for (const [sentence, entries, figures] of FIGURES) {
    it(`figures: ${sentence}`, () => {
      expect(resourceFigures(entries, 'CPU')).to.deep.equal(figures);
      const memory = entries.map((entry) =>
        entry.type === 'CPU' ? { ...entry, type: 'Memory' } : { ...entry, type: 'x' },
      );
      expect(resourceFigures(memory, 'Memory')).to.deep.equal(figures);
    });
  }

  it('TargetLoadPacking takes the last CPU figure, Peaks the first; both skip what is no figure', () => {
    const entries = metrics(['CPU', 'AVG', -1], ['CPU', 'STD', 2], ['CPU', 'Latest', 3], ['CPU', 'AVG', 4]);
    expect([firstCpuPercent(entries), lastCpuPercent(entries)]).to.deep.equal([3, 4]);
    expect([firstCpuPercent(metrics(['CPU', '', 9])), lastCpuPercent([])]).to.deep.equal([
      undefined,
      undefined,
    ]);
  });

  it('figures of other resources are known to be there', () => {
    expect(hasOtherFigures(metrics(['CPU', 'AVG', 1], ['Bandwidth', 'AVG', 5]))).to.equal(true);
    expect(hasOtherFigures(metrics(['CPU', 'AVG', 1], ['Bandwidth', 'AVG', -5]))).to.equal(false);
  });

  for (const [capacity, used, deviation, added, mean, share] of SHARES) {
    it(`shares: ${used} ± ${deviation} and ${added} of ${capacity}`, () => {
      expect(sharesWith({ capacity, used, deviation }, added)).to.deep.equal({ mean, deviation: share });
    });
  }

  it('percentages apply to the capacity, memory in MiB', () => {
    const figures = { averagePercent: 20, deviationPercent: 10 };
    expect(resourceUse(figures, mebibytes(2 ** 30))).to.deep.equal({
      capacity: 1024,
      used: 204.8,
      deviation: 102.4,
    });
  });

  it('shares are always 0 to 1', () => {
    const any = fc.double({ min: -1e18, max: 1e18, noNaN: true });
    fc.assert(
      fc.property(any, any, any, any, (capacity, used, deviation, added) => {
        const shares = sharesWith({ capacity, used, deviation }, added);
        expect(shares.mean).to.be.within(0, 1);
        expect(shares.deviation).to.be.within(0, 1);
      }),
    );
  });

  for (const [sentence, subject, [cpuMilli, memoryBytes]] of LIMITS) {
    it(`limits of a pod: ${sentence}`, () => {
      expect(podLimits(podInfo(subject))).to.deep.equal({ cpuMilli, memoryBytes });
    });
  }
});
