import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import type { Binaries } from '../binaries/build-binaries.js';
import {
  CHART,
  helm,
  helmTemplate,
  kustomized,
  type Manifest,
  manifestTools,
  nameOf,
  only,
} from './rendered.js';

/** What each way of installing makes besides the others'. */
const SAME = [
  { overlay: 'overlays/metrics-server', values: [] },
  { overlay: 'overlays/prometheus', values: [`--values=${join(CHART, 'values-prometheus.yaml')}`] },
] as const;

describe('the chart', function () {
  this.timeout(600_000);
  let tools: Binaries;
  before(async () => {
    tools = await manifestTools();
  });

  for (const { overlay, values } of SAME) {
    it(`makes the objects of k8s/${overlay}; the namespace is made by --create-namespace`, async () => {
      const ours = byName(await helmTemplate(tools, ...values));
      const theirs = byName(await kustomized(tools, overlay));
      theirs.delete('Namespace/catamaran-system');
      expect([...ours.keys()]).to.deep.equal([...theirs.keys()]);
      for (const [name, object] of ours) expect(object, name).to.deep.equal(theirs.get(name));
    });
  }

  it('helm lint has nothing to say', async () => {
    expect(await helm(tools, 'lint', '--strict', CHART)).to.include('0 chart(s) failed');
  });

  const REFUSED: readonly (readonly [sentence: string, set: string, because: string])[] = [
    ['a value that does not exist', 'replicaCount=1', 'replicaCount'],
    ['two replicas, which would decide about the same pods', 'replicas=2', 'replicas'],
    ['a provider that does not exist', 'metricsProvider.name=Graphite', 'metricsProvider/name'],
    ['a digest that is none', 'images.scheduler.digest=latest', 'images/scheduler/digest'],
    ['an address without scheme', 'metricsProvider.address=prometheus:9090', 'metricsProvider/address'],
    ['a port that is none', 'networkPolicy.egressPorts={99999}', 'egressPorts'],
  ];
  for (const [sentence, set, because] of REFUSED) {
    it(`refuses ${sentence}`, async () => {
      const outcome = await helmTemplate(tools, `--set=${set}`).then(
        () => 'accepted',
        (error: Error) => error.message,
      );
      expect(outcome.replaceAll('.', '/')).to.include(because);
    });
  }

  it('every value has a schema, and every schema a value', async () => {
    const schema = JSON.parse(await readFile(join(CHART, 'values.schema.json'), 'utf8')) as Schema;
    const values = parse(await readFile(join(CHART, 'values.yaml'), 'utf8')) as object;
    expect(pathsOfValues(values, schema)).to.have.members(
      pathsOfSchema(schema).filter((path) => path !== 'global'),
    );
  });

  it('a configuration of one’s own replaces the default, and pods with it', async () => {
    const config = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n';
    const manifests = await helmTemplate(tools, `--set-string=schedulerConfig=${config}`);
    const { data } = only(manifests, 'ConfigMap/catamaran-scheduler-config') as unknown as {
      readonly data: Readonly<Record<string, string>>;
    };
    expect(data['scheduler-config.yaml']?.trim()).to.equal(config.trim());
    expect(checksumOf(manifests)).to.equal(createHash('sha256').update(config).digest('hex'));
  });

  it('an image by digest, further flags and secrets reach the pod', async () => {
    const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
    const manifests = await helmTemplate(
      tools,
      `--set=images.scheduler.repository=registry.example/s,images.scheduler.digest=${digest}`,
      '--set=schedulerArgs={-v=4}',
      '--set=metricsProvider.env.MAX_AGE=2m,metricsProvider.envFromSecrets.TOKEN.name=s,metricsProvider.envFromSecrets.TOKEN.key=k',
    );
    const [scheduler, watcher] = containersOf(manifests);
    expect(scheduler?.image).to.equal(`registry.example/s@${digest}`);
    expect(scheduler?.args).to.deep.equal(['--config=/etc/catamaran/scheduler-config.yaml', '-v=4']);
    expect(watcher?.env).to.deep.include.members([
      { name: 'MAX_AGE', value: '2m' },
      { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
    ]);
  });

  it('tells the next step', async () => {
    const text = await helm(tools, 'install', 'catamaran', CHART, '--dry-run=client', '--namespace=x');
    expect(text).to.include('kubectl --namespace x rollout status deployment/catamaran');
    expect(text).to.include('kubectl top nodes');
  });

  it('the checksum in the base is that of its configuration', async () => {
    const manifests = await kustomized(tools, 'base');
    const { data } = only(manifests, 'ConfigMap/catamaran-scheduler-config') as unknown as {
      readonly data: Readonly<Record<string, string>>;
    };
    const text = data['scheduler-config.yaml'] ?? '';
    expect(checksumOf(manifests)).to.equal(createHash('sha256').update(text).digest('hex'));
  });
});

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

function byName(manifests: readonly Manifest[]): Map<string, Manifest> {
  return new Map(
    manifests.map((manifest) => [nameOf(manifest), manifest] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

interface Container {
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly object[];
}

interface PodTemplate {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec: { readonly containers: readonly Container[] };
}

function templateOf(manifests: readonly Manifest[]): PodTemplate {
  return (only(manifests, 'Deployment/catamaran').spec as { readonly template: PodTemplate }).template;
}

function checksumOf(manifests: readonly Manifest[]): string | undefined {
  return templateOf(manifests).metadata.annotations['checksum/config'];
}

function containersOf(manifests: readonly Manifest[]): readonly Container[] {
  return templateOf(manifests).spec.containers;
}

/** Paths of the leaves that the schema knows; where it allows any keys, the map itself is a leaf. */
function pathsOfSchema({ properties }: Schema, prefix = ''): readonly string[] {
  return Object.entries(properties ?? {}).flatMap(([key, schema]) =>
    schema.properties === undefined ? [`${prefix}${key}`] : pathsOfSchema(schema, `${prefix}${key}.`),
  );
}

function pathsOfValues(values: object, schema: Schema, prefix = ''): readonly string[] {
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) => {
    const known = schema.properties?.[key];
    return known?.properties !== undefined && typeof value === 'object' && value !== null
      ? pathsOfValues(value, known, `${prefix}${key}.`)
      : [`${prefix}${key}`];
  });
}
