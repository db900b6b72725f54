// Writes what in k8s/ follows from something else: the dashboard from the metrics of the code, the ConfigMap and its
// checksum from the image's configuration, the chart's copies. With --check only compares. Needs a build.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../paths.mjs';
import { dashboard } from './dashboard.mjs';
import { metricSpecs } from './metric-specs.mjs';

const config = body(read('docker/scheduler-config.yaml'));
const files = new Map([
  [
    'k8s/base/config.yaml',
    replaced(read('k8s/base/config.yaml'), /(?<= {2}scheduler-config\.yaml: \|\n)[\s\S]*$/, indented(config)),
  ],
  [
    'k8s/base/deployment.yaml',
    replaced(read('k8s/base/deployment.yaml'), /(?<=checksum\/config: )[0-9a-f]{64}/, sha256(config)),
  ],
  ['k8s/dashboards/catamaran.json', `${JSON.stringify(dashboard(await metricSpecs()), undefined, 2)}\n`],
]);
files.set('k8s/chart/files/scheduler-config.yaml', config);
files.set('k8s/chart/files/catamaran.json', files.get('k8s/dashboards/catamaran.json'));
files.set('k8s/chart/files/prometheus-rule.yaml', read('k8s/alerts/prometheus-rule.yaml'));
for (const name of ['load-watcher', 'scheduler']) {
  files.set(`k8s/chart/files/rbac/${name}.yaml`, read(`k8s/rbac/${name}.yaml`));
}

for (const [file, text] of files) {
  const path = join(ROOT, file);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) {
    continue;
  }
  if (process.argv.includes('--check')) {
    process.stdout.write(`${file} differs from what it is made from\n`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    process.stdout.write(`wrote ${file}\n`);
  }
}

function read(file) {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Without the comment at its head, which speaks of the image. */
function body(text) {
  return text.slice(text.indexOf('apiVersion:'));
}

function indented(text) {
  return text.replace(/^(?=.)/gm, '    ');
}

function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

function replaced(text, pattern, by) {
  if (!pattern.test(text)) {
    throw new Error(`nothing there that ${pattern} matches`);
  }
  return text.replace(pattern, () => by);
}
