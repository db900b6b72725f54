import { UsageError } from '@catamaran/platform';
import { expect } from 'chai';
import { loadWatcherOptions } from './options.js';
import { type LoadWatcherConfig, readConfig } from './read-config.js';

type Env = Readonly<Record<string, string>>;

function read(argv: readonly string[] = [], env: Env = {}): LoadWatcherConfig {
  const config = readConfig({ argv, env });
  if (config === 'help') throw new Error('asked for help');
  return config;
}

function problems(argv: readonly string[], env: Env = {}): readonly string[] {
  try {
    readConfig({ argv, env });
  } catch (error) {
    if (error instanceof UsageError) return error.problems;
    throw error;
  }
  return [];
}

describe('options of the load-watcher', () => {
  it('without any: the Metrics Server on port 2020, all interfaces, every minute, five minutes good', () => {
    const config = read();
    expect(config).to.deep.include({
      serving: { host: '', port: 2020, pair: undefined },
      watcherTokenFile: undefined,
      readsCluster: true,
      provider: { name: 'KubernetesMetricsServer' },
      watcher: { refreshIntervalMs: 60_000, maxAgeMs: 300_000, jitterRatio: 0 },
      timing: { refreshIntervalMs: 60_000, callTimeoutMs: 10_000 },
    });
  });

  it("reads the Go service's variables", () => {
    const { provider } = read([], {
      METRICS_PROVIDER_NAME: 'Prometheus',
      METRICS_PROVIDER_ADDRESS: 'http://prom.example:9090/prefix/',
      METRICS_PROVIDER_TOKEN: 'abc',
      INSECURE_SKIP_VERIFY: 'TRUE',
      LOG_LEVEL: 'warning',
    });
    expect(provider).to.have.property('name', 'Prometheus');
    if (provider.name !== 'Prometheus') return;
    expect(provider.baseUrl.href).to.equal('http://prom.example:9090/prefix/');
    expect(provider.connection).to.deep.include({ token: 'abc', skipTlsVerify: true });
  });

  it('Prometheus without an address is where kube-prometheus has it', () => {
    const { provider } = read(['--metrics-provider-name=Prometheus']);
    expect(provider.name === 'Prometheus' && provider.baseUrl.origin).to.equal('http://prometheus-k8s:9090');
  });

  it('a flag beats the variable', () => {
    const { provider } = read(['--metrics-provider-name', 'KubernetesMetricsServer'], {
      METRICS_PROVIDER_NAME: 'Prometheus',
    });
    expect(provider.name).to.equal('KubernetesMetricsServer');
  });

  const openshift: [value: string | undefined, on: boolean][] = [
    ['true', true],
    ['1', true],
    ['True', true],
    ['false', false],
    ['0', false],
    ['', false],
    [undefined, false],
  ];
  for (const [value, on] of openshift) {
    it(`ENABLE_OPENSHIFT_AUTH ${value === undefined ? 'unset' : JSON.stringify(value)} is ${on ? 'on' : 'off'} (C55)`, () => {
      const { provider } = read(
        ['--metrics-provider-name=Prometheus'],
        value === undefined ? {} : { ENABLE_OPENSHIFT_AUTH: value },
      );
      const connection = provider.name === 'Prometheus' ? provider.connection : undefined;
      expect(connection?.caFile).to.equal(
        on ? '/var/run/secrets/kubernetes.io/serviceaccount/service-ca.crt' : undefined,
      );
      expect(connection?.tokenFile).to.equal(
        on ? '/var/run/secrets/kubernetes.io/serviceaccount/token' : undefined,
      );
    });
  }

  it('a variable in another style is pointed out (C55)', () => {
    expect(read([], { EnableOpenShiftAuth: 'True' }).notes).to.deep.equal([
      'environment variable EnableOpenShiftAuth is not read; did you mean ENABLE_OPENSHIFT_AUTH?',
    ]);
  });

  it('near misses of every variable are refused or pointed out, wherever the letter is missing', () => {
    const names: readonly string[] = Object.values(loadWatcherOptions).flatMap((spec) =>
      'env' in spec ? [spec.env] : [],
    );
    for (const name of names) {
      const separator = name.indexOf('_');
      const misses = Array.from(name, (_letter, at) => name.slice(0, at) + name.slice(at + 1));
      for (const [at, miss] of misses.entries()) {
        if (at === separator || names.includes(miss) || miss === 'KUBECONFIG') continue;
        const refused = problems([], { [miss]: 'x' });
        const told = refused.length > 0 ? refused : read([], { [miss]: 'x' }).notes;
        expect(told, miss).to.have.length(1);
        expect(told[0]).to.match(
          new RegExp(`^(environment variable )?${miss}(: unknown variable| is not read); did you mean `),
        );
      }
    }
  });

  const unknown: [name: string, value: string, problem: string | undefined][] = [
    ['METRICS_PROVIDER_ADRESS', 'http://x', 'did you mean METRICS_PROVIDER_ADDRESS?'],
    ['METRICS_PROVIDER_COLOUR', 'red', 'known: METRICS_PROVIDER_NAME, '],
    ['SIGNALFX_CLUSTERNAME', 'blue', 'did you mean SIGNALFX_CLUSTER_NAME?'],
    ['ENABLE_OPENSHIFT_AUTHN', 'true', 'did you mean ENABLE_OPENSHIFT_AUTH?'],
    ['INSECURE_SKIP_VERFIY', 'true', 'did you mean INSECURE_SKIP_VERIFY?'],
    ['DATADOG_API_KEY', "another program's", undefined],
    ['METRICS_PROVIDER_SERVICE_HOST', '10.0.0.1', undefined],
    ['METRICS_PROVIDER_PORT', 'tcp://10.0.0.1:80', undefined],
    ['DATADOG_PORT_8126_TCP_ADDR', '10.0.0.1', undefined],
  ];
  for (const [name, value, problem] of unknown) {
    it(`${name}=${value} is ${problem === undefined ? 'none of our business' : 'refused'}`, () => {
      if (problem === undefined) expect(read([], { [name]: value }).notes).to.deep.equal([]);
      else expect(problems([], { [name]: value }).join()).to.contain(`${name}: unknown variable; ${problem}`);
    });
  }

  it('address and token are ignored with a note for the Metrics Server (C56)', () => {
    const { notes } = read([], { METRICS_PROVIDER_ADDRESS: 'http://x', METRICS_PROVIDER_TOKEN: 'abc' });
    expect(notes).to.deep.equal([
      '--metrics-provider-address has no effect with KubernetesMetricsServer',
      '--metrics-provider-token has no effect with KubernetesMetricsServer',
    ]);
  });

  const nodes: [sentence: string, argv: string[], env: Env, reads: boolean][] = [
    ['in a pod nodes are listed', [], { KUBERNETES_SERVICE_HOST: '10.0.0.1' }, true],
    ['with a kubeconfig too', ['--kubeconfig=/x'], {}, true],
    ['with KUBECONFIG too', [], { KUBECONFIG: '/x' }, true],
    ['elsewhere names come from labels', [], {}, false],
    ['cluster wants them listed', ['--node-names=cluster'], {}, true],
    [
      'labels does not, even in a pod',
      ['--node-names=labels'],
      { KUBERNETES_SERVICE_HOST: '10.0.0.1' },
      false,
    ],
  ];
  for (const [sentence, argv, env, reads] of nodes) {
    it(`with Prometheus, ${sentence}`, () => {
      expect(read(['--metrics-provider-name=Prometheus', ...argv], env).readsCluster).to.equal(reads);
    });
  }

  const refused: [sentence: string, argv: string[], env: Env, parts: string[]][] = [
    [
      'an unknown provider, with the nearest (D24)',
      [],
      { METRICS_PROVIDER_NAME: 'prometheus' },
      [
        'METRICS_PROVIDER_NAME',
        '"prometheus" is not one of KubernetesMetricsServer, Prometheus',
        'did you mean',
        'Prometheus',
      ],
    ],
    ['an unknown flag, with the nearest', ['--prot=1'], {}, ['--prot', '--port']],
    ['a port beyond 65535', ['--port=70000'], {}, ['--port', '70000', '65535']],
    [
      'an address without a scheme',
      ['--metrics-provider-name=Prometheus', '--metrics-provider-address=prom:9090'],
      {},
      ['"prom:9090" has no scheme http or https; write it as http://prom:9090'],
    ],
    [
      'an IP address without a scheme',
      ['--metrics-provider-name=Prometheus', '--metrics-provider-address=10.0.0.1:9090'],
      {},
      ['"10.0.0.1:9090" is not a URL; write it as http://host:9090'],
    ],
    [
      'a variable that was not expanded (C39)',
      ['--metrics-provider-name=Prometheus', `--metrics-provider-address=${'$'}{PROM_URL}`],
      {},
      ['is not a URL: is a variable in it not expanded?'],
    ],
    [
      'an address with a query',
      ['--metrics-provider-name=Prometheus', '--metrics-provider-address=http://x/?a=1'],
      {},
      ['has a query or fragment'],
    ],
    [
      'a query without its unit',
      ['--prometheus-cpu-query=x'],
      {},
      ['--prometheus-cpu-unit: say whether --prometheus-cpu-query gives a ratio or percent'],
    ],
    [
      'a unit without its query',
      ['--prometheus-memory-unit=ratio'],
      {},
      ['--prometheus-memory-unit: there is no --prometheus-memory-query'],
    ],
    [
      'a query that can be none',
      ['--prometheus-cpu-query=rate(x[5m]', '--prometheus-cpu-unit=ratio'],
      {},
      ['--prometheus-cpu-query: a ) is missing'],
    ],
    ['a matcher that is none', ['--prometheus-matcher=blue'], {}, ['--prometheus-matcher', 'cluster="blue"']],
    ['a certificate without its key', ['--metrics-provider-cert-file=/x'], {}, ['give both or none']],
    [
      'a log level that is none',
      ['--log-level=loud'],
      {},
      ['--log-level: "loud" is not one of debug, info, warn, error'],
    ],
    ['a duration without a unit', ['--max-age=300'], {}, ['--max-age', '300']],
  ];
  for (const [sentence, argv, env, parts] of refused) {
    it(`refuses ${sentence}`, () => {
      const text = problems(argv, env).join('\n');
      for (const part of parts) expect(text).to.contain(part);
    });
  }

  it('tells all problems at once', () => {
    expect(
      problems(['--prot=1', '--port=x', '--max-age=-1s'], { METRICS_PROVIDER_NAME: 'Promtheus' }),
    ).to.have.length(4);
    expect(
      problems(['--metrics-provider-name=Promtheus', '--prometheus-cpu-query=(', '--log-level=x']),
    ).to.have.length(4);
  });

  it('refuses headers and tokens that no request can carry, without showing them', () => {
    const found = problems(
      [
        '--metrics-provider-name=Prometheus',
        '--metrics-provider-headers=X-A=S3cr\net,S3 cret=v,Host=S3cret,X-B=fine',
      ],
      { METRICS_PROVIDER_TOKEN: 'S3cr\net' },
    );
    expect(found).to.deep.equal([
      '--metrics-provider-token (METRICS_PROVIDER_TOKEN): it has a line break inside',
      '--metrics-provider-headers (METRICS_PROVIDER_HEADERS): X-A: the value has a line break (not shown)',
      '--metrics-provider-headers (METRICS_PROVIDER_HEADERS): a name is not one of an HTTP header (not shown)',
      '--metrics-provider-headers (METRICS_PROVIDER_HEADERS): Host is set by the HTTP client itself',
    ]);
    expect(problems(['--metrics-provider-name=Prometheus', '--metrics-provider-token=abc\n'])).to.deep.equal(
      [],
    );
  });

  it('never shows a token', () => {
    expect(problems(['--metrics-provider-headers=secret'], {}).join()).to.not.contain('secret');
  });

  it('--help asks for help, whatever else is said', () => {
    expect(readConfig({ argv: ['--help', '--prot'], env: {} })).to.equal('help');
  });
});
