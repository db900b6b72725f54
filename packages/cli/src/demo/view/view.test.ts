import { VirtualClock } from '@catamaran/platform';
import { expect } from 'chai';
import type { DemoState, NodeState } from '../run/demo-state.js';
import { bar, clockText, cpuText } from './bars.js';
import { renderFrame } from './frame.js';
import { PlainView } from './plain-view.js';
import { TerminalView } from './terminal-view.js';

function node(name: string, requestedPercent: number, demandPercent: number, podCount = 3): NodeState {
  return { name, cpuCapacityMilli: 16_000, podCount, requestedPercent, demandPercent };
}

function state(simulatedMs: number, nodes = 2): DemoState {
  const figures = { nodesUsed: 2, meanUtilizationPercent: 41.5, hotNodeMinutes: 7 };
  const names = Array.from({ length: nodes }, (_, index) => `node-${index + 1}`);
  return {
    simulatedMs,
    totalMs: 9_000_000,
    seed: 1,
    nodeCount: nodes,
    podCount: 500,
    arrived: 120,
    metricRefreshes: 31,
    requests: { bound: 120, nodesInUse: 2, figures, nodes: names.map((name) => node(name, 50, 96)) },
    catamaran: {
      bound: 119,
      nodesInUse: 1,
      figures: { ...figures, hotNodeMinutes: 0 },
      nodes: names.map((name) => node(name, 25, 41, 0)),
    },
    placements: [
      {
        pod: 'app-007-2',
        simulatedMs: 1_865_000,
        cpuRequestMilli: 500,
        requests: {
          node: 'node-2',
          score: 172,
          predictedPercent: undefined,
          secondBest: { node: 'node-1', score: 171 },
        },
        catamaran: { node: 'node-1', score: 97, predictedPercent: 38.2, secondBest: undefined },
      },
    ],
  };
}

describe('the demo on a screen', () => {
  it('draws bars in eighths of a cell', () => {
    expect(bar(0, 4)).to.equal('░░░░');
    expect(bar(50, 4)).to.equal('██░░');
    expect(bar(53, 4)).to.equal('██▏░');
    expect(bar(100, 4)).to.equal('████');
    expect(bar(130, 4)).to.equal('████');
    expect(clockText(3_930_999)).to.equal('1:05:30');
    expect(cpuText(1250)).to.equal('1.25 CPU');
  });

  it('shows both worlds side by side, where the last pod went and why, and the totals', () => {
    expect(renderFrame(state(1_870_000), { columns: 120, rows: 40 })).to.deep.equal([
      'Catamaran demo: 2 nodes, 500 pods, seed 1',
      '████▏░░░░░░░░░░░░░░░ 0:31:10 of 2:30:00, 120 pods arrived, 31 metric refreshes',
      '',
      '            requests (re-implemented here)  Catamaran, by real load',
      'node    cpu  requested     real CPU          requested     real CPU',
      'node-1   16 ████▌░░░░  50 ████████▋  96 !',
      'node-2   16 ████▌░░░░  50 ████████▋  96 !',
      '',
      '0:31:05  app-007-2 asks for 0.5 CPU',
      '    requests   -> node-2: score 172; next node-1 (171)',
      '    Catamaran  -> node-1: score 97, 38 % CPU predicted; the only node with room',
      '',
      'requests     120 bound,    2 nodes in use,  41.5 % mean CPU, 7 hot node-minutes',
      'Catamaran    119 bound,    1 nodes in use,  41.5 % mean CPU, 0 hot node-minutes',
    ]);
  });

  it('never draws more or longer lines than the terminal has, and counts the nodes left out', () => {
    const lines = renderFrame(state(1_870_000, 60), { columns: 50, rows: 24 });
    expect(lines).to.have.length(23);
    expect(lines.every((line) => line.length <= 50)).to.equal(true);
    expect(lines.some((line) => line === '… and 50 more nodes')).to.equal(true);
    expect(lines.at(-1)).to.match(/^Catamaran/);
  });

  it('redraws over the last frame at most ten times a second and gives the cursor back', () => {
    const clock = new VirtualClock(0);
    const written: string[] = [];
    const sink = { columns: 120, rows: 40, write: (text: string) => written.push(text) };
    const view = new TerminalView(sink, clock);
    let worked = 0;
    const draw = (ms: number): void =>
      view.update(ms, () => {
        worked += 1;
        return state(ms);
      });
    draw(60_000);
    draw(70_000);
    expect(worked).to.equal(1);
    view.close();
    view.close();
    draw(80_000);
    expect(worked).to.equal(2);
    expect(written).to.have.length(3);
    expect(written[0]).to.contain('\u001b[?25l\u001b[JCatamaran demo');
    expect(written[1]).to.contain('\u001b[14A\r\u001b[JCatamaran demo');
    expect(written[2]).to.equal('\u001b[?25h');
  });

  it('writes plain progress every ten simulated minutes, without any escape code', () => {
    const written: string[] = [];
    const view = new PlainView({ write: (text) => written.push(text) });
    for (const minute of [1, 9, 10, 11, 19, 21]) view.update(minute * 60_000, () => state(minute * 60_000));
    view.update(25 * 60_000, () => state(25 * 60_000));
    view.close();
    view.close();
    expect(written.map((text) => text.split(' ', 1)[0])).to.deep.equal(['0:10:00', '0:21:00', '0:25:00']);
    expect(written.join('')).not.to.contain('\u001b');
    expect(written[0]).to.contain('  Catamaran    119 bound');
    expect(written[0]).to.contain('      Catamaran  -> node-1: score 97');
  });
});
