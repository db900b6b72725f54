import { expect } from 'chai';
import { trafficArgsReader } from './args.js';
import { TRAFFIC_KINDS } from './plugin.js';

const IP = 'http://172.19.32.140:9090';

function read(plugin: string, raw: unknown) {
  const kind = TRAFFIC_KINDS.find(({ name }) => name === plugin);
  if (kind === undefined) throw new Error(`no ${plugin}`);
  return trafficArgsReader(kind)(raw);
}

const notes = (list: readonly { readonly path: string; readonly text: string }[]): readonly string[] =>
  list.map(({ path, text }) => `${path}: ${text}`);

/** Sentence, plugin, arguments, problems. */
const REFUSED: readonly (readonly [string, string, unknown, readonly string[]])[] = [
  [
    'nothing',
    'CPUTraffic',
    undefined,
    ['ip: is missing: give the URL of a Prometheus, such as http://prometheus:9090'],
  ],
  [
    'a bare address, a negative range and a word that is none',
    'NetworkTraffic',
    { ip: '172.19.32.140:9090', timeRange: -1, missingMetrics: 'never' },
    [
      'ip: "172.19.32.140:9090" is not a URL: it must begin with http:// or https:// and a host',
      'timeRange: -1 is negative: give whole minutes, or 0 for 30',
      'missingMetrics: "never" is not one of zeroScore, skip, error',
    ],
  ],
  [
    'a range that no Prometheus could answer',
    'DiskTraffic',
    { ip: IP, timeRange: 4_000_000_000 },
    ['timeRange: 4000000000 is more than a year, 527040 minutes: give fewer'],
  ],
  [
    'a query, which would be refused at start',
    'DiskTraffic',
    { ip: `${IP}/?apikey=1` },
    [`ip: "${IP}/?***" has a query or fragment: give only scheme, host, port and path prefix`],
  ],
  [
    'a fraction and a text as range',
    'DiskTraffic',
    { ip: IP, timeRange: 1.5, metricsMaxAge: '-1s' },
    [
      'timeRange: expected a whole number, got 1.5',
      'metricsMaxAge: "-1s" would refuse every figure: give more than 0, or 0s for no limit',
    ],
  ],
  [
    'a quoted range',
    'DiskTraffic',
    { ip: IP, timeRange: '60' },
    ['timeRange: expected a whole number, got "60": remove the quotes'],
  ],
  [
    'fields that it does not have',
    'CPUTraffic',
    { IP, mountPoint: '/' },
    [
      'IP: unknown field "IP": did you mean "ip"?',
      'mountPoint: unknown field "mountPoint": the fields are ip, deviceName, timeRange, prometheus, nodeLabel, metricsMaxAge, missingMetrics',
    ],
  ],
  [
    'a device that is no expression, two addresses, two tokens',
    'NetworkTraffic',
    {
      ip: IP,
      deviceName: 'eth[0',
      prometheus: { address: 'http://other:9090', token: 't', tokenFile: '/t' },
    },
    [
      'prometheus.tokenFile: is given beside token: remove one of the two',
      `prometheus.address: is another address than ip, "${IP}": remove one of the two`,
      'deviceName: "eth[0" is neither a device, a comma list of devices nor a regular expression',
    ],
  ],
  [
    'a mount point that is no path',
    'DiskSpaceTraffic',
    { ip: IP, mountPoint: 'data' },
    ['mountPoint: "data" is no absolute path: give one such as "/var/lib"'],
  ],
];

describe('arguments of the traffic plugins', () => {
  for (const [sentence, plugin, raw, problems] of REFUSED) {
    it(`refuses ${sentence}, all at once`, () => {
      const outcome = read(plugin, raw);
      expect(outcome.ok ? [] : [...notes(outcome.problems)].sort()).to.deep.equal([...problems].sort());
    });
  }

  it('takes the published ones as they are, with a word where a device means nothing', () => {
    const published = { ip: IP, deviceName: 'eth0', timeRange: 0 };
    const outcome = read('MemoryTraffic', published);
    expect(notes(outcome.warnings)).to.deep.equal([
      'deviceName: "eth0" has no effect: MemoryTraffic does not measure devices',
    ]);
    expect(outcome.ok && outcome.value).to.deep.equal({
      ip: IP,
      timeRange: 0,
      metricsMaxAge: '5m',
      missingMetrics: 'zeroScore',
    });
    const network = read('NetworkTraffic', { ...published, timeRange: 60 });
    expect(network.warnings).to.deep.equal([]);
    expect(network.ok && network.value).to.deep.include({ deviceName: 'eth0', timeRange: 60 });
  });

  it('says that a minute is too short', () => {
    expect(notes(read('CPUTraffic', { ip: IP, timeRange: 1 }).warnings)).to.deep.equal([
      'timeRange: 1 is taken as 2: a rate needs two samples, and scrapes are a minute apart unless set otherwise',
    ]);
  });

  it('takes address and credentials in a map of their own', () => {
    const prometheus = { address: IP, tokenFile: '/var/run/token', insecureSkipVerify: true };
    const outcome = read('CPUTraffic', { prometheus });
    expect(outcome.ok && outcome.value).to.deep.include({ ip: IP, prometheus });
  });
});
