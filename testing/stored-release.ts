import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { postgresAccount, runningAsRoot } from '../packages/embedded-postgres/account.ts';
import { type OtherTree, otherTree } from './other-tree.ts';

const FOLDER = fileURLToPath(new URL('../stories/releases/', import.meta.url));

/** File in a stored data directory with the keys that were made by the release. */
export const RELEASE_KEY = 'made-by-release.json';

/** The path of the stored data directory of a release, which `scripts/store-release.ts` writes. */
export function releaseFile(version: string): string {
  return join(FOLDER, `${version}.tar.zst`);
}

/** The path of the stored source of a release, which `scripts/store-release.ts` writes. */
export function sourceFile(version: string): string {
  return join(FOLDER, 'source', `${version}.tar.zst`);
}

/** The versions whose data directories are stored, from the oldest to the newest. */
export function storedReleases(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.tar.zst'))
    .map((name) => name.replace('.tar.zst', ''))
    .sort(new Intl.Collator('en', { numeric: true }).compare);
}

/** `key`: Ada's API key. `hook`: the path of a webhook for moments. */
export type MadeByRelease = { key: string; hook: string };

/** Unpacks the data directory of a release into an empty directory. */
export function unpackRelease(version: string, dataDir: string): MadeByRelease {
  execFileSync('tar', ['x', '--no-same-owner', '-C', dataDir], { input: unpressed(releaseFile(version)) });
  giveToPostgres(join(dataDir, 'postgres'));
  return JSON.parse(readFileSync(join(dataDir, RELEASE_KEY), 'utf8'));
}

/** PostgreSQL's user owns what PostgreSQL wrote, as before the directory was stored. */
function giveToPostgres(folder: string): void {
  if (!runningAsRoot()) return;
  const { uid, gid } = postgresAccount();
  chownSync(folder, uid, gid);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chownSync(join(entry.parentPath, entry.name), uid, gid);
}

/** The program of a release: its source. Before it runs, call `installMissing`. */
export function unpackSource(version: string): OtherTree {
  return otherTree(unpressed(sourceFile(version)));
}

/** Stores what runs of the source in `tree`: without its tests, and without its dashboard. The same source gives the same file. */
export function storeSource(tree: string, version: string): void {
  const tests = ['*.test.ts', '*.contract.ts', 'testing*.ts'].map((name) => `--exclude=${name}`);
  const parts = ['package.json', 'migrations', 'src', 'packages'].filter((part) =>
    existsSync(join(tree, part)),
  );
  const fixed = ['--sort=name', '--mtime=@0', '--mode=u=rwX,go=rX', '--format=ustar'];
  storePressed(sourceFile(version), tarOf(tree, [...fixed, ...tests, ...parts]));
}

/** Stores a data directory in which the release was stopped in order. */
export function storeRelease(dataDir: string, version: string): void {
  storePressed(releaseFile(version), tarOf(dataDir, ['.']));
}

function tarOf(folder: string, words: readonly string[]): Buffer {
  const owner = ['--owner=0', '--group=0', '--numeric-owner'];
  return execFileSync('tar', ['c', ...owner, '-C', folder, ...words], { maxBuffer: 2 ** 30 });
}

function storePressed(file: string, tar: Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  const params = { [constants.ZSTD_c_compressionLevel]: 22, [constants.ZSTD_c_windowLog]: 27 };
  writeFileSync(file, zstdCompressSync(tar, { params }));
}

function unpressed(file: string): Buffer {
  return zstdDecompressSync(readFileSync(file), { params: { [constants.ZSTD_d_windowLogMax]: 27 } });
}

/** The operator's file of the stored data. Ada is notified at `webhook`. Nobody else has a way to be notified. */
export function releaseOrganization(webhook: string): string {
  return `
organization: { name: Acme, time_zone: Europe/Berlin }
users:
  - email: ada@example.com
    name: Ada Lovelace
    role: owner
    contact_methods: [ { type: webhook, value: "${webhook}" }, { type: phone, value: "+15005550006" } ]
    notification_rules: { high: [ { after_minutes: 0, types: [webhook] } ] }
  - { email: alan@example.com, name: Alan Turing, contact_methods: [ { type: webhook, value: "${webhook}" } ] }
teams: [ { name: Site Reliability, slug: sre, members: [ada@example.com, alan@example.com] } ]
schedules:
  - name: SRE
    team: sre
    backstop: alan@example.com
    plan_ahead_weeks: 26
    shifts: { every: week, handoff: "Monday 09:00" }
    stages: [ { stage: 1, members: [ada@example.com], escalate_after_minutes: 10 } ]
    overrides: [ { stage: 1, user: alan@example.com, start: 2098-11-20T00:00:00Z, end: 2098-11-21T00:00:00Z } ]
availabilities:
  - { user: alan@example.com, type: soft_unavailable, name: Birthday, start: 2098-12-10T00:00:00Z, end: 2098-12-11T00:00:00Z }
`;
}
