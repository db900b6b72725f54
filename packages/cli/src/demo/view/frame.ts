import type { DemoState, NodeState, Placement, PlacementPair, WorldState } from '../run/demo-state.js';
import { bar, clockText, cpuText } from './bars.js';

export interface FrameSize {
  readonly columns: number;
  readonly rows: number;
}

const BAR_WIDTH = 9;
const PLACEMENTS_SHOWN = 3;
/** A terminal with fewer rows shows only the newest placement, to leave room for nodes. */
const TALL_ROWS = 40;
/** Above this share of capacity a node is hot. */
const HOT_PERCENT = 80;
const REQUESTS_TITLE = 'requests (re-implemented here)';
const CATAMARAN_TITLE = 'Catamaran, by real load';

/** The live view as lines, none longer or more than the terminal holds. */
export function renderFrame(state: DemoState, size: FrameSize): string[] {
  const head = [...headLines(state), ''];
  const shown = size.rows < TALL_ROWS ? 1 : PLACEMENTS_SHOWN;
  const foot = ['', ...placementLines(state.placements.slice(-shown)), '', ...summaryLines(state)];
  const room = Math.max(1, size.rows - head.length - foot.length - 1);
  return [...head, ...nodeTable(state, room), ...foot]
    .slice(0, size.rows - 1)
    .map((line) => cut(line, size.columns));
}

function headLines(state: DemoState): string[] {
  const share = (100 * state.simulatedMs) / state.totalMs;
  return [
    `Catamaran demo: ${state.nodeCount} nodes, ${state.podCount} pods, seed ${state.seed}`,
    `${bar(share, 20)} ${clockText(state.simulatedMs)} of ${clockText(state.totalMs)}, ${state.arrived} pods arrived, ${state.metricRefreshes} metric refreshes`,
  ];
}

/** One row a node, both worlds side by side; when rows are short, nodes evenly spread over the list stand for all. */
function nodeTable(state: DemoState, room: number): string[] {
  const nameWidth = Math.max(4, ...state.requests.nodes.map((node) => node.name.length));
  const worldWidth = 2 * (BAR_WIDTH + 5) + 2;
  const title = ' '.repeat(nameWidth + 6) + REQUESTS_TITLE.padEnd(worldWidth + 2) + CATAMARAN_TITLE;
  const columns = `${'requested'.padEnd(BAR_WIDTH + 5)}${'real CPU'.padEnd(BAR_WIDTH + 7)}`;
  const header = `${'node'.padEnd(nameWidth)}  cpu  ${columns}  ${columns}`.trimEnd();
  const nodeRow = (index: number): string => {
    const node = state.requests.nodes[index];
    const other = state.catamaran.nodes[index];
    if (node === undefined || other === undefined) return '';
    const cores = String(Math.round(node.cpuCapacityMilli / 1000)).padStart(3);
    return `${node.name.padEnd(nameWidth)}  ${cores} ${nodeCells(node)}  ${nodeCells(other)}`.trimEnd();
  };
  const count = state.requests.nodes.length;
  const most = Math.max(0, room - 2);
  const shown = count <= most ? count : Math.max(0, most - 1);
  const rows = Array.from({ length: shown }, (_, row) => nodeRow(Math.floor((row * count) / shown)));
  return [title, header, ...rows, ...(shown < count ? [`… and ${count - shown} more nodes`] : [])];
}

function nodeCells(node: NodeState): string {
  if (node.podCount === 0) return ' '.repeat(2 * (BAR_WIDTH + 5)).concat('  ');
  const cell = (percent: number): string =>
    `${bar(percent, BAR_WIDTH)} ${String(Math.round(percent)).padStart(3)} `;
  return `${cell(node.requestedPercent)}${cell(node.demandPercent)}${node.demandPercent > HOT_PERCENT ? '! ' : '  '}`;
}

export function placementLines(placements: readonly PlacementPair[]): string[] {
  return placements.flatMap(placementText);
}

function placementText(pair: PlacementPair): string[] {
  return [
    `${clockText(pair.simulatedMs)}  ${pair.pod} asks for ${cpuText(pair.cpuRequestMilli)}`,
    `    requests   ${whyText(pair.requests)}`,
    `    Catamaran  ${whyText(pair.catamaran)}`,
  ];
}

function whyText({ node, score, predictedPercent, secondBest }: Placement): string {
  const use = predictedPercent === undefined ? '' : `, ${predictedPercent.toFixed(0)} % CPU predicted`;
  const next =
    secondBest === undefined ? 'the only node with room' : `next ${secondBest.node} (${secondBest.score})`;
  return `-> ${node}: score ${score}${use}; ${next}`;
}

export function summaryLines(state: DemoState): string[] {
  const row = (title: string, world: WorldState): string =>
    `${title.padEnd(10)} ${String(world.bound).padStart(5)} bound, ${String(world.nodesInUse).padStart(4)} nodes in use, ` +
    `${world.figures.meanUtilizationPercent.toFixed(1).padStart(5)} % mean CPU, ${world.figures.hotNodeMinutes} hot node-minutes`;
  return [row('requests', state.requests), row('Catamaran', state.catamaran)];
}

function cut(line: string, columns: number): string {
  return line.length <= columns ? line : `${line.slice(0, columns - 1)}…`;
}
