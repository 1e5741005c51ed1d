import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, BUILD, root, run } from './commands.ts';
import type { Report } from './report.ts';
import { goProgram } from './tools.ts';

const CHART = join(root, 'packaging/chart');
const KUBERNETES = '1.37.0';
/** Each set of values that is rendered and checked. */
const VALUES = [[], ['--values', join(CHART, 'full-values.yaml')]];
const KINDS = [
  'deployment-apps-v1',
  'ingress-networking-v1',
  'networkpolicy-networking-v1',
  'poddisruptionbudget-policy-v1',
  'service-v1',
];

/** Renders the chart with Helm, and compares the objects with the schemas of Kubernetes. */
export function checkChart(report: Report): void {
  const helm = goProgram('helm', 'helm.sh/helm/v3/cmd/helm', 'v3.22.0');
  if ('missing' in helm) {
    report.couldNot(`The chart was not rendered, because ${helm.missing}.`);
    return;
  }
  run(helm.path, ['lint', '--strict', CHART]);
  const rendered = VALUES.map((values, number) => {
    const file = join(BUILD, `chart-${number}.yaml`);
    writeFileSync(
      file,
      run(helm.path, ['template', 'tocsin', CHART, '--kube-version', KUBERNETES, ...values]),
    );
    return file;
  });
  run(helm.path, ['package', CHART, '--destination', BUILD]);
  report.fact('helm lint and helm template accept the chart; the package is in build/.');
  validate(rendered, report);
  report.couldNot('The chart was not installed, because no Kubernetes runs here.');
}

function validate(files: readonly string[], report: Report): void {
  const kubeconform = goProgram('kubeconform', 'github.com/yannh/kubeconform/cmd/kubeconform', 'v0.8.0');
  if ('missing' in kubeconform) {
    report.couldNot(
      `The objects of the chart were not compared with schemas, because ${kubeconform.missing}.`,
    );
    return;
  }
  const schemas = makeSchemas();
  if (schemas === null) {
    report.couldNot(
      'The objects of the chart were not compared with schemas, because pip could not get the package kubernetes-validate, which holds them.',
    );
    return;
  }
  const location = `${schemas}/{{ .ResourceKind }}{{ .KindSuffix }}.json`;
  const options = ['-summary', '-skip', 'ServiceMonitor', '-schema-location', location];
  const summary = run(kubeconform.path, [...options, ...files]);
  report.fact(`kubeconform, Kubernetes ${KUBERNETES}: ${summary.split('\n').at(-1)}`);
  report.couldNot(
    'The ServiceMonitor was not compared with a schema, because the one of its operator is not in Kubernetes.',
  );
}

/** kubeconform loads schemas one by one, so each gets the definitions that it refers to. */
function makeSchemas(): string | null {
  const packed = join(BUILD, 'tools/kubernetes-validate');
  const release = `kubernetes-validate==${KUBERNETES}`;
  const install = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--upgrade', '--target', packed, release];
  if (!attempt('python3', install).ok) return null;
  const from = join(packed, `kubernetes_validate/kubernetes-json-schema/v${KUBERNETES}-local-strict`);
  const { $defs } = JSON.parse(readFileSync(join(from, '_definitions.json'), 'utf8'));
  const to = join(BUILD, 'tools/schemas');
  mkdirSync(to, { recursive: true });
  for (const kind of KINDS) {
    const { $id: _, ...schema } = JSON.parse(readFileSync(join(from, `${kind}.json`), 'utf8'));
    const whole = JSON.stringify({ ...schema, $defs }).replaceAll('"/api/_definitions.json#', '"#');
    writeFileSync(join(to, `${kind}.json`), whole);
  }
  return to;
}
