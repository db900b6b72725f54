import { readFileSync } from 'node:fs';
import { UsageError } from '@catamaran/platform';
import { expect } from 'chai';
import type { ProviderSpec } from '../providers/create-provider.js';
import { libraryProviderSpec } from './library-spec.js';
import { loadWatcherOptions } from './options.js';
import { PROVIDER_OPTIONS } from './provider-options.js';
import { readConfig } from './read-config.js';

type Env = Readonly<Record<string, string>>;
type Hosted = Extract<ProviderSpec, { readonly name: 'SignalFx' | 'Datadog' }>;

const SIGNALFX: Env = { METRICS_PROVIDER_NAME: 'SignalFx', METRICS_PROVIDER_TOKEN: 'sesame' };
const DATADOG: Env = {
  METRICS_PROVIDER_NAME: 'Datadog',
  METRICS_PROVIDER_TOKEN: 'sesame',
  METRICS_PROVIDER_APP_KEY: 'open',
};

function read(env: Env, argv: readonly string[] = []) {
  const config = readConfig({ argv, env });
  if (config === 'help') throw new Error('asked for help');
  return config;
}

function hosted(env: Env, argv: readonly string[] = []): Hosted {
  const { provider } = read(env, argv);
  if (provider.name !== 'SignalFx' && provider.name !== 'Datadog') throw new Error(provider.name);
  return provider;
}

function problems(env: Env, argv: readonly string[] = []): readonly string[] {
  try {
    read(env, argv);
  } catch (error) {
    if (error instanceof UsageError) return error.problems;
    throw error;
  }
  return [];
}

describe('options of SignalFx and Datadog', () => {
  it("reads the Go service's variables for SignalFx", () => {
    const spec = hosted({
      ...SIGNALFX,
      METRICS_PROVIDER_ADDRESS: 'https://api.eu0.signalfx.com/',
      INSECURE_SKIP_VERIFY: 'true',
      SIGNALFX_HOST_NAME_SUFFIX: '.dc1.example.test',
      SIGNALFX_CLUSTER_NAME: 'blue',
    });
    expect(spec.baseUrl.href).to.equal('https://api.eu0.signalfx.com/');
    expect(spec.connection).to.deep.include({ token: 'sesame', skipTlsVerify: true });
    expect([spec.hostNameSuffix, spec.clusterName]).to.deep.equal(['.dc1.example.test', 'blue']);
  });

  it("reads the Go service's variables for Datadog", () => {
    const spec = hosted({
      ...DATADOG,
      METRICS_PROVIDER_ADDRESS: 'api.datadoghq.eu',
      DATADOG_HOST_NAME_SUFFIX: '-blue',
      DATADOG_CLUSTER_NAME: 'blue',
    });
    expect(spec.baseUrl.href).to.equal('https://api.datadoghq.eu/');
    expect([spec.connection.token, spec.appKey]).to.deep.equal(['sesame', 'open']);
    expect([spec.hostNameSuffix, spec.clusterName]).to.deep.equal(['-blue', 'blue']);
  });

  const addresses: [sentence: string, env: Env, address: string, href: string][] = [
    ['SignalFx without one', SIGNALFX, '', 'https://api.signalfx.com/'],
    ['SignalFx without a scheme', SIGNALFX, 'api.us1.signalfx.com', 'https://api.us1.signalfx.com/'],
    ['SignalFx behind a gateway', SIGNALFX, 'http://gateway:8080/sfx', 'http://gateway:8080/sfx'],
    ['Datadog without one, where the Go service lacks api. (D27)', DATADOG, '', 'https://api.datadoghq.com/'],
    ["Datadog's site alone", DATADOG, 'datadoghq.com', 'https://api.datadoghq.com/'],
    ['a regional site', DATADOG, 'us3.datadoghq.com', 'https://api.us3.datadoghq.com/'],
    ['the address of its web pages', DATADOG, 'https://app.datadoghq.eu/', 'https://api.datadoghq.eu/'],
    ['its API', DATADOG, 'api.us5.datadoghq.com', 'https://api.us5.datadoghq.com/'],
    ['the government site', DATADOG, 'ddog-gov.com', 'https://api.ddog-gov.com/'],
    ['a gateway', DATADOG, 'gateway.example:8443/dd', 'https://gateway.example:8443/dd'],
  ];
  for (const [sentence, env, address, href] of addresses) {
    it(`address: ${sentence} is ${href}`, () => {
      expect(hosted({ ...env, METRICS_PROVIDER_ADDRESS: address }).baseUrl.href).to.equal(href);
    });
  }

  it('token and keys may be files', () => {
    const spec = hosted({ METRICS_PROVIDER_NAME: 'Datadog' }, [
      '--metrics-provider-token-file=/run/api-key',
      '--metrics-provider-app-key-file=/run/app-key',
    ]);
    expect([spec.connection.tokenFile, spec.appKeyFile]).to.deep.equal(['/run/api-key', '/run/app-key']);
  });

  it('a cluster name of * asks for all clusters, as leaving it out does', () => {
    expect(hosted({ ...SIGNALFX, SIGNALFX_CLUSTER_NAME: '*' }).clusterName).to.equal('');
    expect(hosted(SIGNALFX).clusterName).to.equal('');
  });

  it("a pod's own token and CA on OpenShift are nothing for them, and a line says so", () => {
    const env = { ...SIGNALFX, ENABLE_OPENSHIFT_AUTH: 'true', METRICS_PROVIDER_TOKEN: '' };
    expect(problems(env).join()).to.contain('SignalFx wants an access token');
    const config = read({ ...env, METRICS_PROVIDER_TOKEN: 'x' });
    expect(config.notes).to.deep.equal(['--enable-openshift-auth has no effect with SignalFx']);
    expect('connection' in config.provider && config.provider.connection?.caFile).to.equal(undefined);
  });

  it('a proxy is used, and named without its password', () => {
    const { provider, notes } = read({ ...DATADOG, HTTPS_PROXY: 'http://u:hunter2@proxy:3128' });
    expect(provider.name === 'Datadog' && provider.connection.proxyUrl).to.equal(
      'http://u:hunter2@proxy:3128/',
    );
    expect(notes).to.deep.equal(['Datadog is reached through the proxy http://***@proxy:3128/']);
  });

  it('options of another provider are pointed out', () => {
    const { notes } = read({ ...DATADOG, SIGNALFX_CLUSTER_NAME: 'blue' }, ['--signalfx-host-name-suffix=.x']);
    expect(notes).to.deep.equal([
      '--signalfx-host-name-suffix has no effect with Datadog',
      '--signalfx-cluster-name has no effect with Datadog',
    ]);
  });

  const refused: [sentence: string, env: Env, argv: string[], expected: string[]][] = [
    [
      'SignalFx without a token (D19: the Go service ends the process it runs in)',
      { METRICS_PROVIDER_NAME: 'SignalFx' },
      [],
      [
        '--metrics-provider-token (METRICS_PROVIDER_TOKEN): SignalFx wants an access token; give it, or its file with --metrics-provider-token-file',
      ],
    ],
    [
      'Datadog without its keys, both at once',
      { METRICS_PROVIDER_NAME: 'Datadog' },
      [],
      [
        '--metrics-provider-token (METRICS_PROVIDER_TOKEN): Datadog wants an API key; give it, or its file with --metrics-provider-token-file',
        '--metrics-provider-app-key (METRICS_PROVIDER_APP_KEY): Datadog wants an application key; give it, or its file with --metrics-provider-app-key-file',
      ],
    ],
    [
      'an application key that no request can carry, without showing it',
      { ...DATADOG, METRICS_PROVIDER_APP_KEY: 'S3cr\net' },
      [],
      ['--metrics-provider-app-key (METRICS_PROVIDER_APP_KEY): it has a line break inside'],
    ],
    [
      'a suffix that would end the query',
      { ...DATADOG, DATADOG_HOST_NAME_SUFFIX: '} by {x' },
      [],
      ['--datadog-host-name-suffix: "} by {x" is no end of a host name, such as .dc1.example.com'],
    ],
    [
      'a cluster name that would widen the query',
      { ...DATADOG, DATADOG_CLUSTER_NAME: 'blue, host:*' },
      [],
      ['--datadog-cluster-name: "blue, host:*" is no name of a cluster, such as blue'],
    ],
    [
      'a name in another spelling, with the right one',
      { METRICS_PROVIDER_NAME: 'DataDog' },
      [],
      [
        '--metrics-provider-name (METRICS_PROVIDER_NAME): "DataDog" is not one of KubernetesMetricsServer, Prometheus, SignalFx, Datadog; did you mean Datadog?',
      ],
    ],
    [
      'an address with a query',
      { ...SIGNALFX, METRICS_PROVIDER_ADDRESS: 'https://api.signalfx.com/?a=b' },
      [],
      [
        '--metrics-provider-address (METRICS_PROVIDER_ADDRESS): "https://api.signalfx.com/?a=b" has a query or fragment; give only scheme, host, port and path prefix',
      ],
    ],
  ];
  for (const [sentence, env, argv, expected] of refused) {
    it(`refuses ${sentence}`, () => {
      expect(problems(env, argv)).to.deep.equal(expected);
    });
  }
});

describe('metricProvider in the arguments of a plugin', () => {
  const refused: [sentence: string, provider: Parameters<typeof libraryProviderSpec>[0], text: RegExp][] = [
    ['an unknown type', { type: 'DataDog' }, /^type: "DataDog" is not one of .*; or give watcherAddress$/],
    ['Datadog, which wants two keys', { type: 'Datadog', token: 'x' }, /^type: Datadog wants two keys/],
    ['SignalFx without a token', { type: 'SignalFx' }, /^token: SignalFx wants an access token$/],
    ['an address that is none', { type: 'Prometheus', address: 'x:1' }, /^address: "x:1" has no scheme/],
  ];
  for (const [sentence, provider, text] of refused) {
    it(`refuses ${sentence}`, () => {
      const spec = libraryProviderSpec(provider);
      expect(spec.ok ? '' : spec.problem).to.match(text);
    });
  }

  it('SignalFx takes address, token and insecureSkipVerify', () => {
    const spec = libraryProviderSpec({
      type: 'SignalFx',
      address: 'https://api.eu0.signalfx.com',
      token: 'x',
      insecureSkipVerify: true,
    });
    expect(spec.ok && spec.value).to.deep.include({
      name: 'SignalFx',
      connection: { token: 'x', skipTlsVerify: true },
      clusterName: '',
    });
  });
});

describe('options by provider', () => {
  it('each that names a provider belongs to that one alone', () => {
    for (const [key, { name }] of Object.entries(loadWatcherOptions)) {
      const owner = /^(prometheus|signalfx|datadog)-/.exec(name)?.[1];
      if (owner === undefined) continue;
      const owners = Object.entries(PROVIDER_OPTIONS).filter(([, keys]) =>
        (keys as readonly string[]).includes(key),
      );
      expect(
        owners.map(([provider]) => provider.toLowerCase()),
        name,
      ).to.deep.equal([owner]);
    }
  });
});

describe('guide for those who come from the Go load-watcher', () => {
  it('names every variable that is read', () => {
    const page = new URL('../../../../docs/guides/migrate-from-load-watcher.md', import.meta.url);
    const text = readFileSync(page, 'utf8');
    for (const spec of Object.values(loadWatcherOptions)) {
      if ('env' in spec) expect(text).to.contain(`\`${spec.env}\``);
    }
  });
});
