import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Writes the bill of materials into `dist`: `sbom.json` (CycloneDX), and `licences.txt` with the licence of each
 * production package. `npm pack` runs it and lists the packages for all platforms. With the folder of an installed
 * package as its argument, it lists what is installed there, which is for one platform: node scripts/materials.ts
 * /opt/tocsin
 */
const installed = process.argv[2];
const root = installed ?? fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'dist');

mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'sbom.json'), `${JSON.stringify(materials(), null, 1)}\n`);
writeFileSync(join(target, 'licences.txt'), licences());

type Component = { name: string; version: string; 'bom-ref': string };
type Materials = {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

type Locked = { name: string; path: string; version: string; license: string };

/**
 * npm's own --omit=dev, which NODE_ENV=production implies, also omits production packages that a development package
 * needs. So npm lists everything, and this removes what is only for development.
 */
function materials(): Materials {
  const format = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const printed = execFileSync('npm', ['sbom', ...format, '--include=dev'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const all = JSON.parse(printed) as Materials;
  const listed = new Set(production().map(({ name, version }) => `${name}@${version}`));
  const components = all.components.filter(({ name, version }) => listed.has(`${name}@${version}`));
  const refs = new Set([all.metadata.component, ...components].map((component) => component['bom-ref']));
  // npm uses the folder as the program's name.
  all.metadata.component.name = 'tocsin';
  return {
    ...all,
    components,
    dependencies: all.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) })),
  };
}

function production(): Locked[] {
  const lock = installed === undefined ? 'package-lock.json' : 'npm-shrinkwrap.json';
  const { packages } = JSON.parse(readFileSync(join(root, lock), 'utf8')) as {
    packages: Record<string, { version: string; dev?: boolean; license?: string }>;
  };
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .filter(([path]) => installed === undefined || existsSync(join(root, path)))
    .map(([path, { version, license = 'no licence named' }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { name, path, version, license };
    });
}

function licences(): string {
  const parts = production().map(({ name, path, version, license }) => {
    const title = `${name} ${version}: ${license}`;
    return [title, '-'.repeat(title.length), ...texts(join(root, path)), ''].join('\n');
  });
  const binaries = join(root, 'node_modules/node/node_modules');
  const node = readdirOf(binaries)
    .filter((name) => name.startsWith('node-'))
    .flatMap((name) => texts(join(binaries, name)));
  const own = readFileSync(join(root, 'LICENSE'), 'utf8');
  return ['Tocsin', '------', own, ...parts, ...node].join('\n');
}

/** The licence files of an installed package; none if it is for another platform. */
function texts(folder: string): string[] {
  return readdirOf(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8').trim());
}

function readdirOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() || !/licen/i.test(entry.name))
    .map(({ name }) => name);
}
