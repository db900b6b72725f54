import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { builtMain, ObservedProcess } from '../integration/observed-process.js';
import { readConfigOptions } from './options.js';

const HEAD = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
const SAMPLES = fileURLToPath(new URL('../../../../docs/samples/', import.meta.url));

describe('catamaran config check, as a process', function () {
  this.timeout(30_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'config-'));
  });
  after(() => rm(folder, { recursive: true }));

  const file = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };
  const run = async (argv: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const child = ObservedProcess.node([builtMain('cli'), 'config', ...argv], env);
    const { code } = await child.exited;
    return { code, stdout: child.stdout, stderr: child.stderr };
  };

  it('takes every sample of the guide without a warning', async () => {
    const samples = (await readdir(SAMPLES)).filter((name) => name.startsWith('scheduler-'));
    expect(samples).to.have.length.above(1);
    for (const name of samples) {
      const path = join(SAMPLES, name);
      expect(await run(['check', path])).to.deep.equal({ code: 0, stdout: `${path}: good\n`, stderr: '' });
    }
  });

  it('refuses what is no file, and takes a pipe that is open already', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(await run(['check', pipe])).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: `catamaran: ${pipe} can't be read: it is a pipe, not a regular file\n`,
    });
    const path = await file('piped.yaml', HEAD);
    const old = await file('old.yaml', HEAD.replace('/v1', '/v1beta3'));
    const written = await run(['convert', old, '--output-file', pipe, '--force']);
    expect(written.code).to.equal(1);
    expect(written.stderr).to.match(/--output-file: .*pipe can't be written: ENXIO/);
    for (const name of ['-', '/dev/stdin', '/dev/fd/3']) {
      const command = `cat ${path} | ${process.execPath} ${builtMain('cli')} config check ${name} 3<&0`;
      expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' })).to.include(': good\n');
    }
  });

  it('stops at a signal while it waits for stdin', async () => {
    const child = spawn(process.execPath, [builtMain('cli'), 'config', 'check', '-'], { stdio: 'pipe' });
    // More than a pipe holds: once it is gone, the command is reading.
    await new Promise((resolve) => child.stdin.write('# more\n'.repeat(100_000), resolve));
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).to.equal(0);
  });

  it('names all problems and warnings at once', async () => {
    const path = await file(
      'bad.yaml',
      `${HEAD.replace('/v1', '/v1beta3')}paralelism: 16
profiles:
- pluginConfig:
  - {name: TargetLoadPacking, args: {targetUtilization: 150}}
`,
    );
    const { code, stdout, stderr } = await run(['check', path]);
    expect({ code, stderr }).to.deep.equal({ code: 1, stderr: '' });
    const [head, ...lines] = stdout.trimEnd().split('\n');
    expect(head).to.equal(`${path}: 2 problems, 1 warning`);
    expect(lines[0]).to.match(/^ {2}problem: paralelism: .*parallelism.*\(.*bad\.yaml, line 3\)$/);
    expect(lines[1]).to.match(
      /^ {2}problem: profiles\[0\]\.pluginConfig\[0\]\.args\.targetUtilization: 150 /,
    );
    expect(lines[2]).to.match(/^ {2}warning: apiVersion: .*v1beta3 is gone .*line 1\):$/);
    expect(lines[3]).to.equal('    apiVersion: kubescheduler.config.k8s.io/v1');
  });

  it('tells the same as JSON', async () => {
    const path = await file('bad.json', '{"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "Kube"}');
    const { code, stdout } = await run(['check', path, '--output=json']);
    expect(code).to.equal(1);
    const finding = JSON.parse(stdout) as Record<string, unknown>;
    expect(finding).to.deep.include({ file: path, ok: false, warnings: [] });
    expect(finding.problems).to.have.length(1);
    const good = await run(['check', await file('good.yaml', HEAD), '--output=json']);
    expect(JSON.parse(good.stdout)).to.deep.include({ ok: true, problems: [], warnings: [] });
  });

  it("reads Peaks' power models from the file that the scheduler is given", async () => {
    const path = await file(
      'peaks.yaml',
      `${HEAD}profiles: [{plugins: {score: {enabled: [{name: Peaks}]}}, pluginConfig: [{name: Peaks, args: {}}]}]\n`,
    );
    const without = await run(['check', path], { NODE_POWER_MODEL: '' });
    expect(without.code).to.equal(1);
    expect(without.stdout).to.contain('there is no power model of any node');
    const models = await file('models.json', '{"n1": {"k0": 400, "k1": -90, "k2": -0.07}}');
    const withModels = await run(['check', path], { NODE_POWER_MODEL: models });
    expect(withModels).to.deep.include({ code: 0, stderr: '' });
  });

  it('says which file can not be read', async () => {
    const { code, stdout, stderr } = await run(['check', '/no/such.yaml']);
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.match(/^catamaran: \/no\/such\.yaml can't be read: ENOENT/);
  });

  describe('convert', () => {
    const OLD = `${HEAD.replace('/v1', '/v1beta1')}profiles:
- schedulerName: trimaran # ours
  plugins: {score: {disabled: [{name: NodeResourcesLeastAllocated}], enabled: [{name: TargetLoadPacking}]}}
  pluginConfig:
  - name: TargetLoadPacking
    args: {metricProvider: {type: Prometheus, address: 'http://p.example', token: secret-token}}
`;
    const NEW = `${HEAD}profiles:
  - schedulerName: trimaran
    plugins:
      score:
        disabled:
          - name: NodeResourcesFit
        enabled:
          - name: TargetLoadPacking
      multiPoint:
        enabled:
          - name: TaintToleration
            weight: 1
          - name: NodeAffinity
            weight: 1
    pluginConfig:
      - name: TargetLoadPacking
        args:
          metricProvider:
            type: Prometheus
            address: http://p.example
            token: secret-token
`;

    it('writes the v1 file to stdout, whole, and warnings to stderr, without secrets', async () => {
      const path = await file('old.yaml', OLD);
      const { code, stdout, stderr } = await run(['convert', path]);
      expect({ code, stdout }).to.deep.equal({ code: 0, stdout: NEW });
      expect(stderr).to.equal(
        `warning: apiVersion: kubescheduler.config.k8s.io/v1beta1 is gone from kube-scheduler 1.23 on, and read with its own defaults (${path}, line 1)\n`,
      );
      expect(await readFile(path, 'utf8')).to.equal(OLD);
    });

    it('writes what check finds good, and what converting again leaves as it is', async () => {
      const path = await file('new.yaml', NEW);
      expect(await run(['check', path])).to.include({ code: 0, stdout: `${path}: good\n` });
      expect(await run(['convert', path])).to.deep.equal({ code: 0, stdout: NEW, stderr: '' });
    });

    it('writes to a file that only its owner may read, and JSON where asked', async () => {
      const [path, to] = [await file('old.yaml', OLD), join(folder, 'out.json')];
      const { code, stdout } = await run(['convert', path, `--output-file=${to}`, '--output=json']);
      expect({ code, stdout }).to.deep.equal({ code: 0, stdout: '' });
      expect(JSON.parse(await readFile(to, 'utf8'))).to.deep.include({
        apiVersion: 'kubescheduler.config.k8s.io/v1',
      });
      expect((await stat(to)).mode & 0o777).to.equal(0o600);
      const none = await run(['convert', path, '--output-file=/no/such/out.yaml']);
      expect(none.code).to.equal(1);
      expect(none.stderr).to.include("--output-file: /no/such/out.yaml can't be written: ENOENT");
    });

    it('leaves a file that is there as it is, unless it is told to overwrite it', async () => {
      const [path, to] = [await file('old.yaml', OLD), await file('precious.yaml', 'precious\n')];
      await chmod(to, 0o644);
      const refused = await run(['convert', path, `--output-file=${to}`]);
      expect(refused).to.include({ code: 1, stdout: '' });
      expect(refused.stderr).to.include(
        `--output-file: ${to} is there already: give another name, or --force to overwrite it`,
      );
      expect(await readFile(to, 'utf8')).to.equal('precious\n');
      expect(await run(['convert', path, `--output-file=${to}`, '--force'])).to.include({ code: 0 });
      expect(await readFile(to, 'utf8')).to.equal(NEW);
      expect((await stat(to)).mode & 0o777).to.equal(0o600);
    });

    it('leaves out disabled plugins that are gone, so that check has nothing left to say', async () => {
      const path = await file(
        'gone.yaml',
        `${HEAD}profiles: [{plugins: {score: {disabled: [{name: NodeResourcesLeastAllocated}, {name: NodeAffinity}]}}}]\n`,
      );
      const { code, stdout, stderr } = await run(['convert', path]);
      expect(code).to.equal(0);
      expect(stderr).to.match(/^warning: .*"NodeResourcesLeastAllocated" has no effect.*\n$/);
      const converted = await file('kept.yaml', stdout);
      expect(stdout).to.include('- name: NodeAffinity').and.not.include('LeastAllocated');
      expect(await run(['check', converted])).to.include({ code: 0, stdout: `${converted}: good\n` });
    });

    it('writes nothing where the scheduler would not take it, and says why', async () => {
      const path = await file('bad.yaml', `${OLD}parallelism: 0\n`);
      const { code, stdout, stderr } = await run(['convert', path]);
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
      expect(stderr).to.match(/^problem: parallelism: 0 is out of range/m);
      expect(stderr).to.match(/: not converted, 1 problem\n$/);
    });
  });
});

describe('readConfigOptions', () => {
  for (const [sentence, argv, message] of [
    ['nothing', [], 'say what to do: config check FILE'],
    ['a misspelt action', ['chek', 'x'], 'chek: config knows no such action; did you mean check?'],
    ['no file', ['check'], 'no file given'],
    ['two files', ['check', 'a', 'b'], 'b: unexpected; one file at a time'],
    ['a misspelt flag', ['check', 'a', '--ouput=json'], '--ouput: unknown flag; did you mean --output?'],
  ] as const) {
    it(`refuses ${sentence}`, () => {
      expect(() => readConfigOptions(argv, {})).to.throw(message);
    });
  }
});
