import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, BUILD, buildah, IMAGE, megabytes, root, run, VERSION } from './commands.ts';
import type { Report } from './report.ts';

const PACKAGING = join(root, 'packaging');

/** Makes the Debian package from the program in the image, installs it in a fresh Debian, and runs it there. */
export function makeDebianPackage(report: Report): void {
  const architecture = run('dpkg', ['--print-architecture']);
  const tree = join(BUILD, 'debian');
  rmSync(tree, { recursive: true, force: true });
  const source = buildah('from', '--pull-never', IMAGE);
  try {
    mkdirSync(join(tree, 'usr/lib'), { recursive: true });
    run('cp', ['-a', join(buildah('mount', source), 'opt/tocsin'), join(tree, 'usr/lib/tocsin')]);
  } finally {
    buildah('rm', source);
  }
  fill(tree, architecture);
  const file = packageFile();
  run('dpkg-deb', ['--root-owner-group', '--build', '-Zxz', '-z1', tree, file]);
  rmSync(tree, { recursive: true, force: true });
  const size = Number(run('stat', ['--format=%s', file]));
  report.fact(`${file}, ${megabytes(size)}.`);
  tryPackage(file, report);
  checkUnit(report);
}

/** Where the package is. */
export function packageFile(): string {
  return join(BUILD, `tocsin_${VERSION}_${run('dpkg', ['--print-architecture'])}.deb`);
}

function fill(tree: string, architecture: string): void {
  const place = (from: string, to: string, mode: number, change = (text: string) => text) => {
    const path = join(tree, to);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, change(readFileSync(join(PACKAGING, from), 'utf8')));
    chmodSync(path, mode);
  };
  place('tocsin.sh', 'usr/bin/tocsin', 0o755, (text) => text.replace('=PROGRAM', '=/usr/lib/tocsin'));
  place('tocsin.service', 'usr/lib/systemd/system/tocsin.service', 0o644);
  place('debian/environment', 'etc/tocsin/environment', 0o600);
  const installedKb = run('du', ['--summarize', '--block-size=1024', tree]).split('\t')[0] ?? '0';
  place('debian/control', 'DEBIAN/control', 0o644, (text) =>
    text
      .replace('VERSION', VERSION)
      .replace('ARCHITECTURE', architecture)
      .replace('INSTALLED_SIZE', installedKb),
  );
  place('debian/conffiles', 'DEBIAN/conffiles', 0o644);
  for (const script of ['postinst', 'prerm', 'postrm']) place(`debian/${script}`, `DEBIAN/${script}`, 0o755);
  const documentation = join(tree, 'usr/share/doc/tocsin');
  mkdirSync(documentation, { recursive: true });
  cpSync(join(root, 'LICENSE'), join(documentation, 'copyright'));
  cpSync(join(root, 'CHANGELOG.md'), join(documentation, 'changelog.md'));
  for (const name of ['sbom.json', 'licences.txt'])
    cpSync(join(tree, 'usr/lib/tocsin/dist', name), join(documentation, name));
}

function tryPackage(file: string, report: Report): void {
  const container = buildah('from', '--pull-never', 'localhost/tocsin-debian');
  try {
    buildah('copy', '--quiet', container, file, '/tmp/tocsin.deb');
    buildah('run', container, '--', 'apt-get', 'update', '-qq');
    buildah(
      'run',
      container,
      '--',
      'apt-get',
      'install',
      '-y',
      '-qq',
      '--no-install-recommends',
      '/tmp/tocsin.deb',
    );
    const printed = buildah('run', container, '--', 'tocsin', '--version').split('\n').at(-1);
    if (printed !== VERSION) throw new Error(`the installed command printed ${printed} as its version`);
    buildah('run', container, '--', 'id', 'tocsin');
    buildah('run', container, '--', 'apt-get', 'purge', '-y', '-qq', 'tocsin');
    report.fact('It installs on a fresh Debian, runs, and is removed again.');
  } finally {
    buildah('rm', container);
  }
}

function checkUnit(report: Report): void {
  const verified = attempt('systemd-analyze', ['--version']);
  if (!verified.ok) {
    report.couldNot('The unit was not checked, because systemd-analyze is not installed.');
    return;
  }
  const rating = attempt('systemd-analyze', [
    'security',
    '--offline=true',
    join(PACKAGING, 'tocsin.service'),
  ]);
  const exposure = /Overall exposure level.*?: (\S+)/.exec(rating.output)?.[1];
  if (exposure) report.fact(`systemd-analyze security rates the exposure of the unit ${exposure} of 10.`);
}
