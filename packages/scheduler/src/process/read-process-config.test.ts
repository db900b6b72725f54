import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OperatorError, UsageError } from '@catamaran/platform';
import { expect } from 'chai';
import { type ProcessConfig, readProcessConfig } from './read-process-config.js';

const HEAD = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
const ELECTION =
  'leader election is not built yet: it runs unelected, so only one replica is allowed (--leader-elect=false says so)';

describe('readProcessConfig', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'scheduler-config-'));
  });

  after(() => rmSync(folder, { recursive: true }));

  function file(body: string): string {
    const path = join(folder, 'config.yaml');
    writeFileSync(path, HEAD + body);
    return path;
  }

  function read(...argv: string[]): ProcessConfig {
    const result = readProcessConfig({ argv, env: {} });
    if (typeof result === 'string') throw new Error(`asked for: ${result}`);
    return result;
  }

  it('takes the command line of an upstream Trimaran deployment', () => {
    const { config, plainPort, logLevel, notes } = read(
      '--address=0.0.0.0',
      '--leader-elect=false',
      `--config=${file('profiles: [{schedulerName: trimaran}]')}`,
      '--scheduler-name=trimaran',
      '-v=6',
      '--logtostderr=true',
      '--stderrthreshold=INFO',
    );
    expect(config.profiles.map(({ schedulerName }) => schedulerName)).to.deep.equal(['trimaran']);
    expect(plainPort).to.deep.equal({ host: '0.0.0.0', port: 10_251 });
    expect(logLevel).to.equal('debug');
    expect(notes).to.deep.equal([
      '--address is deprecated: --bind-address and the secure port',
      '--scheduler-name is deprecated: schedulerName of a profile in the config file',
      '--logtostderr is accepted but has no effect: logs are JSON lines on stderr',
      '--stderrthreshold is accepted but has no effect: logs are JSON lines on stderr',
    ]);
  });

  it('takes the published Trimaran deployment as it is: v1beta1, flags and all', () => {
    const path = fileURLToPath(new URL('../config/testdata/trimaran-v1beta1.yaml', import.meta.url));
    const { config, plainPort, notes } = read(
      '--address=0.0.0.0',
      '--leader-elect=false',
      '--scheduler-name=trimaran',
      `--config=${path}`,
      '-v=6',
    );
    expect(config.profiles.map(({ schedulerName }) => schedulerName)).to.deep.equal(['trimaran']);
    expect(config.leaderElection.leaderElect).to.equal(false);
    expect(plainPort).to.deep.equal({ host: '0.0.0.0', port: 10_251 });
    expect(notes.map((note) => note.split(' is ')[0])).to.deep.equal([
      '--address',
      '--scheduler-name',
      'apiVersion: kubescheduler.config.k8s.io/v1beta1',
    ]);
  });

  describe('who may read the secure port from this machine without credentials', () => {
    const RULES: readonly (readonly [sentence: string, argv: readonly string[], allowed: boolean])[] = [
      ['everybody by default', [], true],
      ['nobody once reviews are set up', ['--authentication-kubeconfig=k'], false],
      ['nobody once access is set up', ['--authorization-kubeconfig=k'], false],
      ['nobody once client certificates are', ['--client-ca-file=c'], false],
      ['everybody where it is said', ['--client-ca-file=c', '--allow-local-requests'], true],
      ['nobody where it is said', ['--allow-local-requests=false'], false],
    ];
    for (const [sentence, argv, allowed] of RULES) {
      it(sentence, () => {
        expect(read(...argv).allowLocalRequests).to.equal(allowed);
      });
    }
  });

  describe('--kube-api-qps and --kube-api-burst', () => {
    const LIMITS: readonly (readonly [
      sentence: string,
      argv: readonly string[],
      qps: number,
      burst: number,
    ])[] = [
      ['are those of the file by default', [], 7, 9],
      ['of 0 are those of client-go', ['--kube-api-qps=0', '--kube-api-burst=0'], 5, 10],
      ['below 0 lift the limit', ['--kube-api-qps=-1'], -1, 9],
      ['beat the file', ['--kube-api-qps=2.5', '--kube-api-burst=3'], 2.5, 3],
    ];
    for (const [sentence, argv, qps, burst] of LIMITS) {
      it(sentence, () => {
        const { clientConnection } = read(
          '--config',
          file('clientConnection: {qps: 7, burst: 9}'),
          ...argv,
        ).config;
        expect([clientConnection.qps, clientConnection.burst]).to.deep.equal([qps, burst]);
      });
    }
  });

  /** Of kube-scheduler 1.37.2, with the type of value that it takes. */
  const KUBE_SCHEDULER_FLAGS = [
    '--allow-metric-labels=x',
    '--allow-metric-labels-manifest=x',
    '--authentication-kubeconfig=x',
    '--authentication-skip-lookup=false',
    '--authentication-token-webhook-cache-ttl=10s',
    '--authentication-tolerate-lookup-failure=false',
    '--authorization-always-allow-paths=x',
    '--authorization-kubeconfig=x',
    '--authorization-webhook-cache-authorized-ttl=10s',
    '--authorization-webhook-cache-unauthorized-ttl=10s',
    '--bind-address=127.0.0.1',
    '--cert-dir=x',
    '--client-ca-file=x',
    '--contention-profiling=false',
    '--disable-http2-serving=false',
    '--disabled-metrics=x',
    '--emulated-version=x',
    '--feature-gates=x',
    '--http2-max-streams-per-connection=x',
    '--kube-api-burst=100',
    '--kube-api-content-type=x',
    '--kube-api-qps=50',
    '--kubeconfig=x',
    '--leader-elect=false',
    '--leader-elect-lease-duration=10s',
    '--leader-elect-renew-deadline=10s',
    '--leader-elect-resource-lock=x',
    '--leader-elect-resource-name=x',
    '--leader-elect-resource-namespace=x',
    '--leader-elect-retry-period=10s',
    '--log-flush-frequency=10s',
    '--log-json-info-buffer-size=x',
    '--log-json-split-stream=false',
    '--log-text-info-buffer-size=x',
    '--log-text-split-stream=false',
    '--logging-format=x',
    '--master=x',
    '--min-compatibility-version=x',
    '--permit-address-sharing=false',
    '--permit-port-sharing=false',
    '--pod-max-in-unschedulable-pods-duration=10s',
    '--profiling=false',
    '--requestheader-allowed-names=x',
    '--requestheader-client-ca-file=x',
    '--requestheader-extra-headers-prefix=x',
    '--requestheader-group-headers=x',
    '--requestheader-uid-headers=x',
    '--requestheader-username-headers=x',
    '--secure-port=10259',
    '--show-hidden-metrics-for-version=x',
    '--tls-cipher-suites=x',
    '--tls-curve-preferences=x',
    '--tls-min-version=VersionTLS13',
    '--tls-sni-cert-key=x',
    '--v=2',
    '--version=false',
    '--vmodule=x',
    '--write-config-to=x',
    '--tls-cert-file=c',
    '--tls-private-key-file=k',
  ];

  it('takes every flag of kube-scheduler, in its spelling; those without meaning here with one line each', () => {
    const { notes, values } = read(...KUBE_SCHEDULER_FLAGS);
    expect(values).to.include({ securePort: 10_259, tlsMinVersion: 'VersionTLS13', verbosity: 2 });
    const named = notes.map((note) => /^(--[a-z0-9-]+) is accepted but has no effect: ./.exec(note)?.[1]);
    expect(named).to.not.include(undefined);
    expect(new Set(named).size).to.equal(named.length);
    expect(named).to.include.members(['--feature-gates', '--profiling', '--tls-cipher-suites', '--master']);
  });

  it('runs the defaults without a file, and says that it is not elected', () => {
    const { config, notes, plainPort, logLevel } = read();
    expect(config.profiles[0]?.schedulerName).to.equal('default-scheduler');
    expect([notes, plainPort, logLevel]).to.deep.equal([[ELECTION], undefined, 'info']);
  });

  it('lets a flag beat the file', () => {
    const path = file(
      'clientConnection: {kubeconfig: /from/file, qps: 7, burst: 9}\nleaderElection: {leaderElect: true}',
    );
    const { config, notes } = read(
      '--config',
      path,
      '--kubeconfig=/from/flag',
      '--kube-api-qps=-1',
      '--leader-elect=false',
    );
    expect(config.clientConnection).to.include({ kubeconfig: '/from/flag', qps: -1, burst: 9 });
    expect([config.leaderElection.leaderElect, notes]).to.deep.equal([false, []]);
  });

  it('lets the file speak where no flag is given', () => {
    const path = file('leaderElection: {leaderElect: false}\nclientConnection: {kubeconfig: /from/file}');
    const { config, notes } = read('--config', path);
    expect([config.clientConnection.kubeconfig, notes]).to.deep.equal(['/from/file', []]);
  });

  it('lets --leader-elect turn on what the file turned off', () => {
    const { notes } = read('--config', file('leaderElection: {leaderElect: false}'), '--leader-elect');
    expect(notes).to.deep.equal([ELECTION]);
  });

  it('opens no plain port for --address with --port=0', () => {
    expect(read('--address=0.0.0.0', '--port=0').plainPort).to.equal(undefined);
  });

  it('passes on what the file warns of', () => {
    const { notes } = read(
      '--leader-elect=false',
      '--config',
      file('clientConnection: {contentType: application/x}'),
    );
    expect(notes).to.have.length(1);
    expect(notes[0]).to.match(
      /clientConnection: contentType application\/x has no effect.*config\.yaml, line 3/,
    );
  });

  const WRONG: readonly (readonly [sentence: string, argv: readonly string[], text: string])[] = [
    ['extender mode, by name', ['--mode=extender'], '--mode: extender is not built yet: use standalone'],
    ['shadow mode, by name', ['--mode', 'shadow'], '--mode: shadow is not built yet: use standalone'],
    ['a mode that never was', ['--mode=alone'], '--mode: "alone" is not one of standalone, extender, shadow'],
    ['a flag that is misspelt', ['--kubeconfg=x'], '--kubeconfg: unknown flag; did you mean --kubeconfig?'],
    ['a burst below 0', ['--kube-api-burst=-1'], '--kube-api-burst: -1 is below'],
    [
      'a TLS version that is none',
      ['--tls-min-version=1.3'],
      '--tls-min-version: "1.3" is not one of VersionTLS10, VersionTLS11, VersionTLS12, VersionTLS13',
    ],
    ['a version to claim', ['--version=v1.30.0'], '--version: "v1.30.0" is not one of true, raw, false'],
    ['a port that is none', ['--secure-port=70000'], '--secure-port: '],
    [
      'half a certificate',
      ['--tls-cert-file=c.pem'],
      '--tls-cert-file, --tls-private-key-file: give both or none',
    ],
  ];
  for (const [sentence, argv, text] of WRONG) {
    it(`refuses ${sentence}`, () => {
      expect(() => read(...argv)).to.throw(UsageError, text);
    });
  }

  it('refuses --scheduler-name beside several profiles', () => {
    const path = file('profiles: [{schedulerName: a}, {schedulerName: b}]');
    expect(() => read('--config', path, '--scheduler-name=c')).to.throw(UsageError, 'has 2 profiles');
  });

  it('names a file that is not there', () => {
    expect(() => read('--config=/no/such.yaml')).to.throw(
      OperatorError,
      "--config: /no/such.yaml can't be read",
    );
  });

  it('lists everything that is wrong with the file', () => {
    const path = file('parallelism: none\nprofiles: {}');
    expect(() => read('--config', path)).to.throw(
      OperatorError,
      /^2 problems in .*config.yaml:\n {2}parallelism: .* line 3\)\n {2}profiles: .* line 4\)$/,
    );
  });

  describe('the file of NODE_POWER_MODEL', () => {
    const PEAKS = `profiles:
- plugins: {score: {enabled: [{name: Peaks}]}}
  pluginConfig: [{name: Peaks, args: {WatcherAddress: 'http://127.0.0.1:2020'}}]
`;
    const modelsOf = (argv: readonly string[], env: Readonly<Record<string, string>>): unknown => {
      const result = readProcessConfig({ argv, env });
      const [profile] = typeof result === 'string' ? [] : result.config.profiles;
      return (profile?.pluginArgs.Peaks as { readonly nodePowerModel: unknown } | undefined)?.nodePowerModel;
    };

    it('gives Peaks its models, by variable or flag', () => {
      const models = { 'node-1': { k0: 471.7, k1: -91.5, k2: -0.07 } };
      const path = join(folder, 'models.json');
      writeFileSync(path, JSON.stringify(models));
      const config = `--config=${file(PEAKS)}`;
      expect(modelsOf([config], { NODE_POWER_MODEL: path })).to.deep.equal(models);
      expect(modelsOf([config, `--node-power-model=${path}`], {})).to.deep.equal(models);
    });

    it('is needed where the arguments hold no model, and named when it is not there', () => {
      const config = `--config=${file(PEAKS)}`;
      expect(() => modelsOf([config], {})).to.throw(OperatorError, 'there is no power model of any node');
      expect(() => modelsOf([config], { NODE_POWER_MODEL: '/no/such.json' })).to.throw(
        OperatorError,
        "the file of NODE_POWER_MODEL, /no/such.json, can't be read: ENOENT",
      );
      expect(modelsOf([`--config=${file('')}`], { NODE_POWER_MODEL: '/no/such.json' })).to.equal(undefined);
    });
  });

  it('answers --help', () => {
    expect(readProcessConfig({ argv: ['--help'], env: {} })).to.equal('help');
  });

  it('answers --version as kube-scheduler does, whatever else is wrong', () => {
    expect(readProcessConfig({ argv: ['--version', '--config=/no/such'], env: {} })).to.equal('version');
    expect(readProcessConfig({ argv: ['--version=raw'], env: {} })).to.equal('raw version');
    expect(read('--version=false').notes).to.deep.equal([ELECTION]);
  });
});
