import { parseBaseUrl } from '@catamaran/load-watcher';
import { expect } from 'chai';
import fc from 'fast-check';
import type { ArgsOutcome } from '../config/args-validator.js';
import { ArgsReader } from '../framework/args-reader.js';
import { readLoadCeilingArgs } from '../plugins/load-ceiling/args.js';
import { readLoadVariationRiskBalancingArgs } from '../plugins/load-variation-risk-balancing/args.js';
import { readLowRiskOverCommitmentArgs } from '../plugins/low-risk-over-commitment/args.js';
import { readPeaksArgs } from '../plugins/peaks/args.js';
import { readTargetLoadPackingArgs } from '../plugins/target-load-packing/args.js';
import { readAddress } from './load-source-args.js';

const SECURE = {
  watcherAddress: 'https://watcher.monitoring:2020',
  watcherTokenFile: '/token',
  watcherCaFile: '/ca.crt',
};

const READERS: readonly (readonly [plugin: string, read: (raw: object) => ArgsOutcome])[] = [
  ['TargetLoadPacking', readTargetLoadPackingArgs],
  ['LoadVariationRiskBalancing', readLoadVariationRiskBalancingArgs],
  ['LowRiskOverCommitment', readLowRiskOverCommitmentArgs],
  ['Peaks', (raw) => readPeaksArgs({ nodePowerModel: { n: { k0: 1, k1: -1, k2: -1 } }, ...raw })],
  ['LoadCeiling', (raw) => readLoadCeilingArgs({ ceilings: { cpu: 80 }, ...raw })],
];

describe('arguments of a load-watcher', () => {
  for (const [plugin, read] of READERS) {
    it(`${plugin} takes its address with token and authority`, () => {
      const outcome = read(SECURE);
      expect(outcome.ok && outcome.value).to.include(SECURE);
      expect(outcome.warnings).to.deep.equal([]);
    });
  }

  it('Peaks takes them beside the other spelling of the address', () => {
    const { watcherAddress: WatcherAddress, ...files } = SECURE;
    const outcome = readPeaksArgs({
      nodePowerModel: { n: { k0: 1, k1: -1, k2: -1 } },
      WatcherAddress,
      ...files,
    });
    expect(outcome.ok && outcome.value).to.include(SECURE);
  });

  const said = (raw: object): readonly string[] => {
    const outcome = readTargetLoadPackingArgs(raw);
    const notes = outcome.ok ? outcome.warnings : outcome.problems;
    return [outcome.ok ? 'fine' : 'refused', ...notes.map(({ path, text }) => `${path}: ${text}`)];
  };

  for (const [sentence, raw, expected] of [
    [
      'a token without an address is refused',
      { watcherTokenFile: '/token' },
      [
        'refused',
        'watcherTokenFile: is given without watcherAddress: give the address of that load-watcher too',
      ],
    ],
    [
      'an authority without an address is refused',
      { watcherCaFile: '/ca.crt', metricProvider: { type: 'Prometheus', address: 'https://p' } },
      [
        'refused',
        'watcherCaFile: is given without watcherAddress: give the address of that load-watcher too',
      ],
    ],
    [
      'an address that is none is told alone',
      { ...SECURE, watcherAddress: 'watcher:2020' },
      [
        'refused',
        'watcherAddress: "watcher:2020" is not a URL: it must begin with http:// or https:// and a host',
      ],
    ],
    [
      'a misspelt address is told alone',
      { watcherAdress: 'https://w', watcherTokenFile: '/token' },
      ['refused', 'watcherAdress: unknown field "watcherAdress": did you mean "watcherAddress"?'],
    ],
    [
      'an authority for plain HTTP is refused',
      { ...SECURE, watcherAddress: 'http://watcher:2020' },
      ['refused', 'watcherCaFile: is given for an address of http://: write https:// in watcherAddress'],
    ],
    [
      'empty paths are refused',
      { ...SECURE, watcherTokenFile: '', watcherCaFile: '' },
      [
        'refused',
        'watcherTokenFile: it is empty: give the path of a file, or leave it out',
        'watcherCaFile: it is empty: give the path of a file, or leave it out',
      ],
    ],
    [
      'a number is no path',
      { ...SECURE, watcherTokenFile: 5 },
      ['refused', 'watcherTokenFile: expected a string, got 5: quote it'],
    ],
    [
      'a token over plain HTTP gives a warning',
      { watcherAddress: 'http://watcher:2020', watcherTokenFile: '/token' },
      ['fine', 'watcherTokenFile: its token crosses the network unencrypted: use https:// in watcherAddress'],
    ],
    [
      'a token over plain HTTP to a name that only begins like this machine gives one too',
      { watcherAddress: 'http://localhost.example', watcherTokenFile: '/token' },
      ['fine', 'watcherTokenFile: its token crosses the network unencrypted: use https:// in watcherAddress'],
    ],
    ...['http://127.0.0.1:2020', 'http://localhost', 'http://[::1]:2020/x'].map(
      (watcherAddress) =>
        [
          `a token to ${watcherAddress} leaves no machine`,
          { watcherAddress, watcherTokenFile: '/token' },
          ['fine'],
        ] as const,
    ),
  ] as const) {
    it(sentence, () => expect(said(raw)).to.deep.equal(expected));
  }
});

describe('readAddress', () => {
  const problemOf = (text: string): string | undefined => {
    const reader = new ArgsReader();
    readAddress(reader, text, 'at');
    return reader.problems[0]?.text;
  };

  /** Sentence, address, problem. */
  const REFUSED: readonly (readonly [string, string, string])[] = [
    [
      'a query, without showing what may be a key',
      'http://p:9090/?apikey=hunter2',
      '"http://p:9090/?***" has a query or fragment: give only scheme, host, port and path prefix',
    ],
    [
      'a fragment',
      'http://p:9090/#graph',
      '"http://p:9090/#***" has a query or fragment: give only scheme, host, port and path prefix',
    ],
    ['a port that is none', 'http://p:99999', '"http://p:99999" is not a URL: look at its host and port'],
    ['a host that is none', 'http://[::1', '"http://[::1" is not a URL: look at its host and port'],
    [
      'a variable in a shell',
      'http://$(host):9090',
      '"http://$(host):9090" is not a URL: an unexpanded variable?',
    ],
    [
      'a user part that can not be decoded',
      'http://u:100%@p:9090',
      '"http://***@p:9090": write special characters of user and password percent-encoded, as in p%40ss for p@ss',
    ],
  ];
  for (const [sentence, text, problem] of REFUSED) {
    it(`refuses ${sentence}`, () => expect(problemOf(text)).to.equal(problem));
  }

  for (const text of [
    'http://p:9090',
    'https://u:p%40ss@p/prefix/',
    'HTTP://10.0.0.1',
    'http://[::1]:9090/x',
  ]) {
    it(`takes ${text}`, () => expect(problemOf(text)).to.equal(undefined));
  }

  it('takes nothing that the readers of it would refuse at start', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'http://',
        'https://',
        'p',
        'u:s3',
        '@',
        ':9090',
        '/',
        '?',
        '#',
        '%',
        '%41',
        '[::1]',
        '$(',
      ),
      fc.constantFrom('\\', '.', '1', '256', '{{', ' ', 'xn--', '0x', 'a=b'),
      fc.string({ maxLength: 3 }),
    );
    const text = fc.oneof(
      fc.array(part, { maxLength: 7 }).map((parts) => `http://${parts.join('')}`),
      fc.array(part, { maxLength: 7 }).map((parts) => parts.join('')),
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
    );
    fc.assert(
      fc.property(text, (address) => {
        if (problemOf(address) === undefined) expect(parseBaseUrl(address).ok, address).to.equal(true);
      }),
      { numRuns: 3000 },
    );
  });
});
