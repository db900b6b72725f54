import { expect } from 'chai';
import { tableLines, wrapped } from './text-layout.js';

const LONG = 'ip-10-0-0-7.eu-west-1.compute.internal';

describe('tableLines', () => {
  const columns = [
    { title: 'node', align: 'left' },
    { title: 'NodeResourcesBalancedAllocation', align: 'right' },
    { title: 'not yet measured', align: 'left' },
  ] as const;

  it('breaks titles before capitals and at spaces', () => {
    expect(tableLines({ columns, rows: [['a', '7', '1 pod']] }, 80)).to.deep.equal([
      '            Node',
      '       Resources',
      '        Balanced  not yet',
      'node  Allocation  measured',
      'a              7  1 pod',
    ]);
  });

  it('gives a row two lines where one is too narrow, and cuts nothing', () => {
    expect(tableLines({ columns, rows: [[LONG, '7', '1 pod']] }, 50)).to.deep.equal([
      '          Node',
      '     Resources',
      '      Balanced  not yet',
      '    Allocation  measured',
      LONG,
      '             7  1 pod',
    ]);
  });
});

describe('wrapped', () => {
  it('breaks at spaces, indents each line, and leaves a longer word whole', () => {
    expect(wrapped(`one two ${LONG} three`, 12, '  ')).to.deep.equal(['  one two', `  ${LONG}`, '  three']);
  });
});
