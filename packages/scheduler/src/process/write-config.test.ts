import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { readProcessConfig } from './read-process-config.js';
import { writeConfig } from './write-config.js';

const HEAD = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';

describe('writeConfig', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'write-config-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const read = (...argv: string[]) => {
    const settings = readProcessConfig({ argv, env: {} });
    if (typeof settings === 'string') throw new Error(settings);
    return settings;
  };

  it('writes file and flags together, for its owner alone, so that they can be read again', async () => {
    const [from, to] = [join(folder, 'from.yaml'), join(folder, 'to.yaml')];
    await writeFile(
      from,
      `${HEAD}clientConnection: {qps: 7, burst: 9}
profiles:
- schedulerName: s
  plugins: {score: {enabled: [{name: TargetLoadPacking}]}}
  pluginConfig: [{name: TargetLoadPacking, args: {metricProvider: {type: Prometheus, address: 'http://p', token: t}}}]
`,
    );
    const settings = read(`--config=${from}`, '--kube-api-qps=8', '--leader-elect=false');
    writeConfig(to, settings);
    expect((await stat(to)).mode & 0o777).to.equal(0o600);
    expect(read(`--config=${to}`).config).to.deep.equal(settings.config);
    const document = parse(await readFile(to, 'utf8')) as Readonly<Record<string, unknown>>;
    expect(document).to.have.nested.property('clientConnection.qps', 8);
    expect(document).to.have.nested.property('leaderElection.leaderElect', false);
    expect(document).to.have.nested.property(
      'profiles[0].plugins.score.enabled[0].name',
      'TargetLoadPacking',
    );
  });

  it('says where it could not, and waits for no reader of a pipe', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(() => writeConfig(pipe, read())).to.throw(`--write-config-to: ${pipe} can't be written: ENXIO`);
    expect(() => writeConfig('/no/such/folder/c.yaml', read())).to.throw(
      "--write-config-to: /no/such/folder/c.yaml can't be written: ENOENT",
    );
  });
});
