import { expect } from 'chai';
import { readNodeSignalsArgs } from './args.js';

const prometheus = { address: 'http://prometheus:9090' };
const GPU = { name: 'gpu', promQL: 'avg by (Hostname) (gpu)', unit: 'percent', direction: 'spread' };

function problems(raw: unknown): readonly string[] {
  const outcome = readNodeSignalsArgs(raw);
  return outcome.ok ? [] : outcome.problems.map(({ path, text }) => `${path}: ${text}`);
}

/** Sentence, arguments, problems in any order. */
const REFUSED: readonly (readonly [string, unknown, readonly string[]])[] = [
  [
    'nothing',
    undefined,
    [
      'prometheus.address: is missing: give the URL of a Prometheus, such as http://prometheus:9090',
      'signals: there is none: give at least one, with name, promQL, unit and direction',
    ],
  ],
  [
    'an empty signal',
    { prometheus, signals: [{}] },
    [
      'signals[0].name: is missing: give one such as "gpu"; explanations and metrics show it',
      'signals[0].promQL: is missing: give an expression whose series are one a node',
      'signals[0].unit: is missing: give percent, ratio or relative; or a capacity, for amounts',
      'signals[0].direction: is missing: give one of spread, pack, avoid',
    ],
  ],
  [
    'rules that contradict each other, in two signals at once',
    {
      prometheus,
      signals: [
        { ...GPU, target: 50, capacity: 'x', weight: 0 },
        { ...GPU, direction: 'pack', ceiling: 120, maxAge: 'soon' },
      ],
    },
    [
      'signals[0].target: goes with direction pack only: remove it, or set direction: pack',
      'signals[0].unit: percent is given beside a capacity: remove one of the two',
      'signals[0].weight: 0 is not above 0: remove the signal, or give it a weight such as 1',
      'signals[1].ceiling: 120 is not above 0 and up to 100: it is a percentage',
      'signals[1].target: is missing: pack needs a percentage to pack to, such as 70',
      'signals[1].name: "gpu" is taken: give each signal a name of its own',
      'signals[1].maxAge: "soon" is not a duration: give one such as "5m" or "1m30s"',
    ],
  ],
  [
    'a ceiling that is missing, or below the target',
    {
      prometheus,
      signals: [
        { ...GPU, direction: 'avoid' },
        { ...GPU, name: 'b', direction: 'pack', target: 80, ceiling: 70 },
      ],
    },
    [
      'signals[0].ceiling: is missing: avoid needs a percentage to stay below, such as 90',
      'signals[1].ceiling: 70 is below the target, 80: give as much or more',
    ],
  ],
  [
    'names, queries and capacities that are none',
    {
      prometheus: { address: 'prometheus' },
      signals: [{ ...GPU, name: 'GPU!', promQL: ' ', unit: undefined, capacity: 0, promql: 'x' }, 3],
    },
    [
      'prometheus.address: "prometheus" is not a URL: it must begin with http:// or https:// and a host',
      'signals[0].promql: unknown field "promql": did you mean "promQL"?',
      'signals[0].name: "GPU!" is no name: small letters, digits and hyphens',
      'signals[0].promQL: it is empty: give an expression whose series are one a node',
      'signals[0].capacity: 0 is not above 0: give what 100 % is, in the unit of promQL',
      'signals[1]: expected a map, got 3',
    ],
  ],
  [
    'credentials that can not be used',
    {
      prometheus: {
        ...prometheus,
        certFile: '/c',
        headers: { A: 1 },
        proxyURL: 'proxy:3128',
        clientKey: 'x',
      },
      signals: [GPU],
    },
    [
      'prometheus.clientKey: unknown field "clientKey": the fields are address, token, tokenFile, headers, caFile, certFile, keyFile, proxyURL, insecureSkipVerify',
      'prometheus.keyFile: is missing: certFile needs the key of its certificate',
      'prometheus.headers.A: expected a string, got 1: quote it',
      'prometheus.proxyURL: "proxy:3128" is not a URL: it must begin with http:// or https:// and a host',
    ],
  ],
];

describe('arguments of NodeSignals', () => {
  for (const [sentence, raw, expected] of REFUSED) {
    it(`refuses ${sentence}, all at once`, () => {
      expect(problems(raw)).to.include.members([...expected]);
    });
  }

  it('takes headers, a client certificate and a proxy', () => {
    const access = {
      headers: { 'X-Scope-OrgID': 'a' },
      certFile: '/c',
      keyFile: '/k',
      proxyURL: 'http://p:1',
    };
    const outcome = readNodeSignalsArgs({ prometheus: { ...prometheus, ...access }, signals: [GPU] });
    expect(outcome.ok && outcome.value).to.deep.include({ prometheus: { ...prometheus, ...access } });
  });

  it('fills in what is left out', () => {
    const outcome = readNodeSignalsArgs({ prometheus, signals: [GPU] });
    expect(outcome.ok && outcome.value).to.deep.equal({
      prometheus,
      signals: [{ ...GPU, weight: 1, missing: 'zeroScore', maxAge: '5m' }],
    });
  });
});
