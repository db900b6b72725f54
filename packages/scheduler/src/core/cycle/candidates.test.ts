import { expect } from 'chai';
import { feasibleNodesToFind } from './candidates.js';

describe('feasibleNodesToFind', () => {
  /** Sentence, nodes, percentage, enough. */
  const rows: readonly (readonly [string, number, number | undefined, number])[] = [
    ['unset: all', 5000, undefined, 5000],
    ['100: all', 5000, 100, 5000],
    ['above 100: all', 5000, 130, 5000],
    ['fewer than 100 nodes: all of them', 99, 10, 99],
    ['a share', 5000, 30, 1500],
    ['never fewer than 100', 1000, 5, 100],
    ['a share is rounded down', 1001, 50, 500],
    ['0 is adaptive: 100 nodes', 100, 0, 100],
    ['0 is adaptive: 1,000 nodes', 1000, 0, 420],
    ['0 is adaptive: 2,500 nodes', 2500, 0, 750],
    ['0 is adaptive: 5,000 nodes', 5000, 0, 500],
    ['0 is adaptive: 10,000 nodes', 10_000, 0, 500],
  ];
  for (const [sentence, nodes, percentage, enough] of rows) {
    it(sentence, () => {
      expect(feasibleNodesToFind(nodes, percentage)).to.equal(enough);
    });
  }
});
