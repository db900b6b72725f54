import { expect } from 'chai';
import fc from 'fast-check';
import { LoadModel, type NodeLoadSpec, type PodLoad } from './load-model.js';
import { SAMPLE_MS, steadyCurve } from './usage-curve.js';

const START_MS = 1_800_000_000_000;
const NODE: NodeLoadSpec = {
  name: 'n1',
  cpuCapacityMilli: 4000,
  memoryCapacityBytes: 1000,
  idleCpuMilli: 100,
  idleMemoryBytes: 50,
};

function pod(samples: readonly number[], cpuRequestMilli = 1000): PodLoad {
  return {
    cpuRequestMilli,
    memoryRequestBytes: 400,
    cpuCurve: { samples, firstSample: 0 },
    memoryCurve: steadyCurve(0.5),
  };
}

describe('LoadModel', () => {
  it('adds the idle load of the node to the share of the request that each pod uses', () => {
    const model = new LoadModel([NODE], START_MS);
    model.place({ uid: 'a', nodeName: 'n1', load: pod([0.3]) }, START_MS);
    model.place({ uid: 'b', nodeName: 'n1', load: pod([1.5], 2000) }, START_MS);
    expect(model.usage('n1', START_MS)).to.deep.equal({ cpuMilli: 3400, memoryBytes: 450 });
  });

  it('caps what a meter sees at capacity and keeps the demand above it', () => {
    const model = new LoadModel([NODE], START_MS);
    model.place({ uid: 'a', nodeName: 'n1', load: pod([2], 3000) }, START_MS);
    for (const uid of ['b', 'c']) model.place({ uid, nodeName: 'n1', load: pod([0], 1) }, START_MS);
    for (const uid of ['d', 'e', 'f']) model.place({ uid, nodeName: 'n1', load: pod([0], 1) }, START_MS);
    expect(model.usage('n1', START_MS)).to.deep.equal({ cpuMilli: 4000, memoryBytes: 1000 });
    expect(model.demand('n1', START_MS)).to.deep.equal({ cpuMilli: 6100, memoryBytes: 1250 });
  });

  it('holds a sample for its five minutes and takes the next one on the boundary', () => {
    const model = new LoadModel([{ ...NODE, idleCpuMilli: 0 }], START_MS);
    model.place({ uid: 'a', nodeName: 'n1', load: pod([0.1, 0.9]) }, START_MS);
    const cpuAt = (ms: number): number | undefined => model.usage('n1', START_MS + ms)?.cpuMilli;
    expect([0, SAMPLE_MS - 1, SAMPLE_MS, 2 * SAMPLE_MS].map(cpuAt)).to.deep.equal([100, 100, 900, 100]);
  });

  it('counts a pod from the instant it was placed until it was removed, and not twice', () => {
    const model = new LoadModel([{ ...NODE, idleCpuMilli: 0 }], START_MS);
    model.place({ uid: 'a', nodeName: 'n1', load: pod([1]) }, START_MS + 10_000);
    model.place({ uid: 'a', nodeName: 'n1', load: pod([1]) }, START_MS + 15_000);
    model.remove('a', START_MS + 40_000);
    model.remove('a', START_MS + 50_000);
    expect(model.cpuTotals('n1', START_MS + 60_000)).to.deep.equal({
      usedMilliMs: 1000 * 30_000,
      demandMilliMs: 1000 * 30_000,
    });
  });

  it('sums used time below capacity and demand above it over a step boundary', () => {
    const model = new LoadModel([NODE], START_MS);
    model.place({ uid: 'a', nodeName: 'n1', load: pod([0.5, 8]) }, START_MS);
    const totals = model.cpuTotals('n1', START_MS + SAMPLE_MS + 60_000);
    expect(totals).to.deep.equal({
      usedMilliMs: 600 * SAMPLE_MS + 4000 * 60_000,
      demandMilliMs: 600 * SAMPLE_MS + 8100 * 60_000,
    });
  });

  it('knows nothing of a node it was not given, which is not zero', () => {
    const model = new LoadModel([NODE], START_MS);
    model.place({ uid: 'a', nodeName: 'n2', load: pod([1]) }, START_MS);
    expect(model.usage('n2', START_MS)).to.equal(undefined);
    expect(model.demand('n2', START_MS)).to.equal(undefined);
    expect(model.cpuTotals('n2', START_MS)).to.equal(undefined);
  });

  it('sums what goes over the network and to disk while a pod is there', () => {
    const model = new LoadModel([NODE], START_MS);
    const io = { receive: 1000, transmit: 10, read: 5, write: 2 };
    model.place({ uid: 'a', nodeName: 'n1', load: { ...pod([0]), io } }, START_MS);
    model.place({ uid: 'b', nodeName: 'n1', load: pod([0]) }, START_MS);
    model.place({ uid: 'c', nodeName: 'n1', load: { ...pod([0]), io } }, START_MS + 10_000);
    model.remove('a', START_MS + 30_000);
    expect(model.ioTotals('n1', START_MS + 40_000)).to.deep.equal({
      receive: 60_000,
      transmit: 600,
      read: 300,
      write: 120,
    });
    expect(model.ioTotals('n2', START_MS)).to.equal(undefined);
  });

  it('refuses to go back in time', () => {
    const model = new LoadModel([NODE], START_MS);
    model.cpuTotals('n1', START_MS + 5000);
    expect(() => model.cpuTotals('n1', START_MS + 4000)).to.throw(
      RangeError,
      `node n1 is accounted until ${START_MS + 5000} ms, ${START_MS + 4000} ms is earlier`,
    );
  });

  it('gives the same integral however often it is asked on the way', () => {
    const readings = fc.array(fc.integer({ min: 0, max: 3_000_000 }), { maxLength: 20 });
    const samples = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(readings, samples, (offsets, shares) => {
        const [asked, once] = [new LoadModel([NODE], START_MS), new LoadModel([NODE], START_MS)];
        for (const model of [asked, once])
          model.place({ uid: 'a', nodeName: 'n1', load: pod(shares) }, START_MS);
        for (const offset of offsets.sort((a, b) => a - b)) asked.cpuTotals('n1', START_MS + offset);
        const endMs = START_MS + 3_000_000;
        expect(asked.cpuTotals('n1', endMs)).to.deep.equal(once.cpuTotals('n1', endMs));
      }),
    );
  });
});
