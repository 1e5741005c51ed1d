import { existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { BUILD, buildah, IMAGE, megabytes, root, run } from './commands.ts';
import type { Report } from './report.ts';

const DEBIAN = 'trixie';
const BASE = 'localhost/tocsin-debian';
const WITH_NODE = 'localhost/tocsin-node';

/** Builds the image with the Dockerfile, over images that are made here in place of those of a registry. */
export function buildImage(report: Report): void {
  makeBase();
  makeNode();
  buildah(
    ...['build', '--format', 'docker', '--layers=false', '--tag', IMAGE],
    ...['--build-arg', `BASE_IMAGE=${BASE}`, '--build-arg', `BUILD_IMAGE=${WITH_NODE}`],
    ...npmSettings(),
    root,
  );
  const archive = join(BUILD, 'tocsin-image.tar');
  run('rm', ['-f', archive]);
  buildah('push', '--quiet', IMAGE, `docker-archive:${archive}:${IMAGE}:latest`);
  run('gzip', ['--keep', '--force', '-1', archive]);
  report.fact(
    `Size: ${megabytes(statSync(archive).size)}, compressed ${megabytes(statSync(`${archive}.gz`).size)}.`,
  );
  report.fact(`The image is ${IMAGE} of buildah, and ${archive} for docker load.`);
  report.couldNot(
    'The images debian:trixie-slim and node:26-trixie-slim of the Dockerfile were replaced by file systems of Debian packages, because no registry was used.',
  );
  report.couldNot(
    `Only the image for ${process.arch} was built; for the other architecture, run this on such a machine, or docker buildx build --platform linux/amd64,linux/arm64.`,
  );
}

/** Made once; remove build/ to make it again. */
function makeBase(): void {
  const archive = join(BUILD, `debian-${DEBIAN}.tar`);
  if (!existsSync(archive))
    run('mmdebstrap', ['--variant=minbase', '--include=ca-certificates', DEBIAN, archive]);
  commit(BASE, 'scratch', (container) => buildah('add', '--quiet', container, archive, '/'));
}

/** The Node.js and npm of this machine in place of those of the official image. */
function makeNode(): void {
  // npm/bin/npm-cli.js, behind the link in PATH.
  const npm = dirname(dirname(realpathSync(run('sh', ['-c', 'command -v npm']))));
  commit(WITH_NODE, BASE, (container) => {
    buildah('copy', '--quiet', container, join(root, 'node_modules/node/bin/node'), '/usr/local/bin/node');
    buildah('copy', '--quiet', container, npm, '/usr/local/lib/node_modules/npm');
    const links =
      'for name in npm npx; do ln -s ../lib/node_modules/npm/bin/$name-cli.js /usr/local/bin/$name; done';
    buildah('run', container, '--', 'sh', '-c', links);
  });
}

function commit(name: string, from: string, fill: (container: string) => void): void {
  const container = buildah('from', '--pull-never', from);
  fill(container);
  buildah('commit', '--quiet', '--rm', container, name);
}

/** Of root in the image that builds. */
const HOME_INSIDE = '/root';

/** npm inside has the registry and the cache of this machine. */
function npmSettings(): string[] {
  const settings = join(homedir(), '.npmrc');
  const cache = run('npm', ['config', 'get', 'cache', '--loglevel=silent']);
  return [
    ...(existsSync(settings) ? ['--volume', `${settings}:${HOME_INSIDE}/.npmrc:ro`] : []),
    ...(existsSync(cache) ? ['--volume', `${cache}:${HOME_INSIDE}/.npm`] : []),
  ];
}
