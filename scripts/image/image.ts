import { existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { BUILD, buildah, megabytes, NODE_VERSION, root, run } from './commands.ts';
import { baseOf, containerOf, imageOf, runInside } from './containers.ts';
import { emulationOf, HOST, type Platform } from './platform.ts';
import { checkPrograms } from './programs.ts';
import type { Report } from './report.ts';

const DEBIAN = 'trixie';
/** Images that are built here and replace those of a registry; each name ends with the architecture. */
const WITH_NODE = 'localhost/tocsin-node';
const FOR_THE_PACKAGE = 'localhost/tocsin-package';

/** Builds the image with the Dockerfile, on base images that are built here and replace those of a registry. */
export function buildImage(report: Report, platform: Platform): void {
  for (const each of new Set([HOST, platform])) {
    makeBase(each);
    makeNode(each);
  }
  makePackager(platform);
  const image = imageOf(platform);
  buildah(
    ...['build', '--format', 'docker', '--layers=false', '--pull-never', '--tag', image],
    ...['--platform', platform.name, '--build-arg', `BUILDPLATFORM=${platform.name}`],
    ...Object.entries(emulationOf(platform)).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
    ...['--build-arg', `PACKAGE_IMAGE=${FOR_THE_PACKAGE}-${platform.architecture}`],
    ...['--build-arg', `BUILD_IMAGE=${WITH_NODE}-${platform.architecture}`],
    ...['--build-arg', `BASE_IMAGE=${baseOf(platform)}`],
    ...npmSettings(),
    root,
  );
  const archive = join(BUILD, `tocsin-image-${platform.architecture}.tar`);
  run('rm', ['-f', archive]);
  buildah('push', '--quiet', image, `docker-archive:${archive}:localhost/tocsin:latest`);
  run('gzip', ['--keep', '--force', '-1', archive]);
  report.fact(
    `Size: ${megabytes(statSync(archive).size)}, compressed ${megabytes(statSync(`${archive}.gz`).size)}.`,
  );
  report.fact(`The image is ${image} of buildah, and ${archive} for docker load.`);
  checkPrograms(image, platform, report);
  report.couldNot(
    'The images debian:trixie-slim and node:26-trixie-slim of the Dockerfile were replaced by file systems of Debian packages, because no registry was used.',
  );
}

/** Built once; remove build/ to build it again. */
function makeBase(platform: Platform): void {
  const { architecture } = platform;
  const archive = join(BUILD, `debian-${DEBIAN}-${architecture}.tar`);
  if (!existsSync(archive)) {
    const options = ['--variant=minbase', '--include=ca-certificates', `--architectures=${architecture}`];
    run('mmdebstrap', [...options, DEBIAN, archive], emulationOf(platform));
  }
  const container = buildah('from', '--platform', platform.name, 'scratch');
  buildah('add', '--quiet', container, archive, '/');
  commit(container, baseOf(platform), platform);
}

/** The pinned Node.js and this machine's npm replace those of the official image. */
function makeNode(platform: Platform): void {
  // npm/bin/npm-cli.js, behind the link in PATH.
  const npm = dirname(dirname(realpathSync(run('sh', ['-c', 'command -v npm']))));
  const container = containerOf(baseOf(platform), platform);
  buildah('copy', '--quiet', container, nodeOf(platform), '/usr/local/bin/node');
  buildah('copy', '--quiet', container, npm, '/usr/local/lib/node_modules/npm');
  const links =
    'for name in npm npx; do ln -s ../lib/node_modules/npm/bin/$name-cli.js /usr/local/bin/$name; done';
  runInside(container, platform, 'sh', '-c', links);
  commit(container, `${WITH_NODE}-${platform.architecture}`, platform);
}

/** The program of Node.js for a platform. */
function nodeOf({ cpu, architecture }: Platform): string {
  if (cpu === HOST.cpu) return join(root, 'node_modules/node/bin/node');
  const folder = join(BUILD, `node-${NODE_VERSION}-${architecture}`);
  const name = `node-linux-${cpu}`;
  const program = join(folder, 'node_modules', name, 'bin/node');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  // npm refuses programs for another machine unless it is forced.
  const options = ['--no-save', '--ignore-scripts', '--force', '--prefix', folder];
  run('npm', ['install', ...options, `${name}@${NODE_VERSION}`]);
  return program;
}

/**
 * The image for the first stage of the Dockerfile, which has the programs of this machine. It claims to be for the
 * platform of the image, because buildah 1.28 looks for the images of all stages under the platform of the first.
 */
function makePackager(platform: Platform): void {
  const container = containerOf(`${WITH_NODE}-${HOST.architecture}`, HOST);
  commit(container, `${FOR_THE_PACKAGE}-${platform.architecture}`, platform);
}

function commit(container: string, name: string, { architecture }: Platform): void {
  buildah('config', '--os', 'linux', '--arch', architecture, container);
  buildah('commit', '--quiet', '--rm', container, name);
}

/** Owned by root in the building image. */
const HOME_INSIDE = '/root';

/** From Debian, on this machine and in the image. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** npm in the image uses this machine's registry, cache and trusted authorities. */
function npmSettings(): string[] {
  const trust = join(BUILD, 'npmrc');
  writeFileSync(trust, `cafile=${CERTIFICATES}\n`);
  const cache = run('npm', ['config', 'get', 'cache', '--loglevel=silent']);
  const places = [
    [join(homedir(), '.npmrc'), `${HOME_INSIDE}/.npmrc:ro`],
    [trust, '/usr/local/etc/npmrc:ro'],
    [CERTIFICATES, `${CERTIFICATES}:ro`],
    [cache, `${HOME_INSIDE}/.npm`],
  ] as const;
  return places
    .filter(([path]) => existsSync(path))
    .flatMap(([path, inside]) => ['--volume', `${path}:${inside}`]);
}
