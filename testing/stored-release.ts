import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, zstdDecompressSync } from 'node:zlib';

const FOLDER = fileURLToPath(new URL('../stories/releases/', import.meta.url));

/** File in a stored data directory with the keys that were made by the release. */
export const RELEASE_KEY = 'made-by-release.json';

/** The path of the stored data directory of a release, which `scripts/store-release.ts` writes. */
export function releaseFile(version: string): string {
  return join(FOLDER, `${version}.tar.zst`);
}

/** The versions whose data directories are stored. */
export function storedReleases(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.tar.zst'))
    .map((name) => name.replace('.tar.zst', ''))
    .sort();
}

/** `key`: Ada's API key. `hook`: the path of a webhook for moments. */
export type MadeByRelease = { key: string; hook: string };

/** Unpacks the data directory of a release into an empty directory. */
export function unpackRelease(version: string, dataDir: string): MadeByRelease {
  const params = { [constants.ZSTD_d_windowLogMax]: 27 };
  const tar = zstdDecompressSync(readFileSync(releaseFile(version)), { params });
  execFileSync('tar', ['x', '--no-same-owner', '-C', dataDir], { input: tar });
  return JSON.parse(readFileSync(join(dataDir, RELEASE_KEY), 'utf8'));
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
