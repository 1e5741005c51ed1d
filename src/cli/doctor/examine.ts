import type { Config } from '../../config.ts';
import type { Clock } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { listWaiting } from '../../db/migrate-while-serving.ts';
import { migrationFiles } from '../../db/migration-files.ts';
import { TIME_ZONES_VERSION } from '../../kit/version.ts';
import { readReachFactsEverywhere } from '../../people/contact-store.ts';
import type { Means } from '../../people/reachability.ts';
import { listOrganizations } from '../../people/store.ts';
import { channelSubject } from '../../problems/channel-problems.ts';
import { openProblems, type Problem } from '../../problems/store.ts';
import { createRoom, type Room } from '../../worker/room.ts';
import { readMeans } from '../local/means.ts';
import {
  addressFindings,
  clockFindings,
  databaseFindings,
  queueFindings,
  replicationFindings,
  roomFindings,
  schemaFindings,
} from './database-findings.ts';
import { type Finding, fine, note } from './finding.ts';
import { lifeboatFindings } from './lifeboat-findings.ts';
import { providerFindings, reachFindings } from './people-findings.ts';
import { organizationFindings, scheduleFindings } from './schedule-findings.ts';
import {
  readDatabaseFacts,
  readDuties,
  readLifeboats,
  readOrganizationFacts,
  readQueueFacts,
  readReplicationFacts,
  readScheduleFacts,
  readWallClock,
} from './store.ts';

/** How far ahead people and gaps are checked. */
const AHEAD = { hours: 7 * 24 };

/** Checks everything that a page depends on. Changes nothing. */
export async function examine(db: Database, clock: Clock, config: Readonly<Config>): Promise<Finding[]> {
  const now = await clock.now(db);
  const until = now.add(AHEAD);
  const organizations = await readOrganizationFacts(db);
  const people = await readReachFactsEverywhere(db);
  const means = await readMeans(db, config);
  const queue = await readQueueFacts(db, clock);
  return [
    ...databaseFindings(await readDatabaseFacts(db)),
    ...roomFindings(await measuredRoom(db, config)),
    ...replicationFindings(await readReplicationFacts(db)),
    ...lifeboatFindings(await readLifeboats(db)),
    ...schemaFindings((await listWaiting(db, await migrationFiles())).map(({ name }) => name)),
    ...clockFindings(await measureSkew(db)),
    timeZoneFinding(config.timeZoneFiles),
    ...queueFindings(queue),
    ...addressFindings(queue.nodes),
    ...organizationFindings(organizations),
    ...(organizations.length > 0 ? providerFindings(people, means) : []),
    ...(organizations.length > 0 ? reachFindings(await readDuties(db, now, until), people, means) : []),
    ...scheduleFindings(await readScheduleFacts(db, now, until), now),
    ...(await recordedProblems(db, means)),
  ];
}

function timeZoneFinding(folder: string | null): Finding {
  const source = folder === null ? `came with Node.js ${process.versions.node}` : `were read from ${folder}`;
  return fine('clock', `time zones are those of ${TIME_ZONES_VERSION}, which ${source}`);
}

async function measuredRoom(db: Database, config: Readonly<Config>): Promise<Room> {
  const room = createRoom(db, config);
  await room.look();
  return room;
}

/** This machine's time minus the database's, measured between two readings of our own clock. */
async function measureSkew(db: Database): Promise<number> {
  // The first query opens a connection, which would distort the measurement.
  await readWallClock(db);
  const before = Temporal.Now.instant().epochMilliseconds;
  const theirs = (await readWallClock(db)).epochMilliseconds;
  const after = Temporal.Now.instant().epochMilliseconds;
  return (before + after) / 2 - theirs;
}

/**
 * Problems that the running service recorded and that are still open. Channels that are not set up are left out,
 * because the findings about providers list them.
 */
async function recordedProblems(db: Database, { unavailable }: Means): Promise<Finding[]> {
  const notSetUp = new Set([...unavailable.keys()].map(channelSubject));
  const findings = new Map<number, Finding>();
  for (const { id } of await listOrganizations(db)) {
    for (const open of await openProblems(db, id)) {
      if (open.code === 'not_configured' && notSetUp.has(open.subject)) continue;
      const times = open.count === 1 ? 'once' : `${open.count} times`;
      const who = subjectText(open);
      findings.set(open.id, note('providers', `${who}: ${open.message} (${times})`, open.fix));
    }
  }
  return [...findings.values()];
}

function subjectText({ subject, webhook, person }: Problem): string {
  if (webhook) return `webhook ${webhook.name} of ${webhook.team.name}`;
  return person ? `${subject.split(':').at(-1)} of ${person.name}` : subject;
}
