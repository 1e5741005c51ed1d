import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, BUILD, buildah, megabytes, root, run, VERSION } from './commands.ts';
import { baseOf, containerOf, imageOf, runInside } from './containers.ts';
import type { Platform } from './platform.ts';
import type { Report } from './report.ts';

const PACKAGING = join(root, 'packaging');

/** Builds the Debian package from the program in the image, installs it in a fresh Debian, and runs it there. */
export function makeDebianPackage(report: Report, platform: Platform): void {
  const tree = join(BUILD, 'debian');
  rmSync(tree, { recursive: true, force: true });
  const source = containerOf(imageOf(platform), platform);
  try {
    mkdirSync(join(tree, 'usr/lib'), { recursive: true });
    run('cp', ['-a', join(buildah('mount', source), 'opt/tocsin'), join(tree, 'usr/lib/tocsin')]);
  } finally {
    buildah('rm', source);
  }
  fill(tree, platform);
  const file = packageFile(platform);
  run('dpkg-deb', ['--root-owner-group', '--build', '-Zxz', '-z1', tree, file]);
  rmSync(tree, { recursive: true, force: true });
  const size = Number(run('stat', ['--format=%s', file]));
  report.fact(`${file}, ${megabytes(size)}.`);
  tryPackage(file, platform, report);
  checkUnit(report);
}

/** The path of the package. */
export function packageFile({ architecture }: Platform): string {
  return join(BUILD, `tocsin_${VERSION}_${architecture}.deb`);
}

function fill(tree: string, { architecture }: Platform): void {
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

function tryPackage(file: string, platform: Platform, report: Report): void {
  const container = containerOf(baseOf(platform), platform);
  const inside = (...command: string[]) => runInside(container, platform, ...command);
  try {
    buildah('copy', '--quiet', container, file, '/tmp/tocsin.deb');
    inside('apt-get', 'update', '-qq');
    inside('apt-get', 'install', '-y', '-qq', '--no-install-recommends', '/tmp/tocsin.deb');
    const printed = inside('tocsin', '--version').split('\n').at(-1);
    if (printed !== VERSION) throw new Error(`the installed command printed ${printed} as its version`);
    inside('id', 'tocsin');
    inside('apt-get', 'purge', '-y', '-qq', 'tocsin');
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
