import { LoadModel, type PodLoad, steadyCurve } from '@catamaran/simulator';
import { expect } from 'chai';
import { nodeLoadSpec } from '../plan/manifests.js';
import type { PlannedNode } from '../plan/world-plan.js';
import { WorldStatistics } from './world-statistics.js';

const NODES: readonly PlannedNode[] = ['a', 'b', 'c'].map((name) => ({
  name,
  cpuCapacityMilli: 10_000,
  memoryCapacityBytes: 1000,
  gpuMilli: 0,
  reservedFor: undefined,
}));

function using(cpuMilli: number): PodLoad {
  return {
    cpuRequestMilli: cpuMilli,
    memoryRequestBytes: 1,
    cpuCurve: steadyCurve(1),
    memoryCurve: steadyCurve(1),
  };
}

describe('WorldStatistics', () => {
  const recorded = (place: (model: LoadModel) => void, minutes = 1) => {
    const model = new LoadModel(NODES.map(nodeLoadSpec), 0);
    const statistics = new WorldStatistics(NODES, model);
    place(model);
    for (let minute = 1; minute <= minutes; minute++) statistics.recordMinute(minute * 60_000);
    return statistics.figures();
  };

  it('counts nodes with pods and takes their mean use, idle load included (1 % of capacity)', () => {
    const figures = recorded((model) => {
      model.place({ uid: 'p', nodeName: 'a', load: using(2000) }, 0);
      model.place({ uid: 'q', nodeName: 'b', load: using(4000) }, 0);
    });
    expect(figures).to.deep.equal({ nodesUsed: 2, meanUtilizationPercent: 31, hotNodeMinutes: 0 });
  });

  it('takes a minute at 80 % as not hot and one above as hot', () => {
    const figures = recorded((model) => {
      model.place({ uid: 'p', nodeName: 'a', load: using(7900) }, 0);
      model.place({ uid: 'q', nodeName: 'b', load: using(7901) }, 0);
    });
    expect(figures.hotNodeMinutes).to.equal(1);
  });

  it('judges demand for heat and use for utilisation: above capacity a node is 100 % used', () => {
    const figures = recorded((model) => model.place({ uid: 'p', nodeName: 'a', load: using(30_000) }, 0), 2);
    expect(figures).to.deep.equal({ nodesUsed: 1, meanUtilizationPercent: 100, hotNodeMinutes: 2 });
  });

  it('averages a minute in which a pod came half-way, and nodes over the minutes', () => {
    const figures = recorded((model) => {
      model.place({ uid: 'p', nodeName: 'a', load: using(9800) }, 30_000);
    }, 2);
    expect(figures).to.deep.equal({ nodesUsed: 1, meanUtilizationPercent: 74.5, hotNodeMinutes: 1 });
  });
});
