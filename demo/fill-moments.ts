import type { Tx } from '../src/db/database.ts';
import type { Sealing } from '../src/kit/sealing.ts';
import { insertComment, markAcknowledged, markResolved } from '../src/moments/store.ts';
import { createWebhook } from '../src/webhooks/actions.ts';
import { yearOfCalls } from './call-year.ts';
import { insertRecorded, markWebhooksUsed } from './calls-store.ts';
import { COMMENTS } from './page-texts.ts';
import type { ExamplePage } from './page-year.ts';
import type { Random } from './random.ts';
import { type ExampleWebhook, type Recorded, recordCalls } from './record-calls.ts';
import type { Scene } from './rota.ts';
import { teamIdOf, userIdOf } from './scene.ts';
import { SENDERS, type SenderName } from './senders.ts';

/** Days for which received calls are retained by default; moments are kept. */
const KEPT_DAYS = 30;

/** Inserts a year of moments, and the calls of the last weeks. */
export async function fillMoments(
  tx: Tx,
  sealing: Sealing,
  scene: Scene,
  pages: readonly ExamplePage[],
  random: Random,
): Promise<Record<SenderName, ExampleWebhook>> {
  const { now, organizationId } = scene;
  const webhooks = await makeWebhooks(tx, sealing, scene);
  const made = recordCalls(yearOfCalls(now, pages, random), webhooks);
  await insertRecorded(tx, made, now.subtract({ hours: 24 * KEPT_DAYS }));
  await markWebhooksUsed(tx, organizationId);
  await lookAfter(tx, scene, made, random);
  return webhooks;
}

async function makeWebhooks(
  tx: Tx,
  sealing: Sealing,
  scene: Scene,
): Promise<Record<SenderName, ExampleWebhook>> {
  const { organizationId, now } = scene;
  const since = now.subtract({ hours: 24 * 360 });
  const made: [string, ExampleWebhook][] = [];
  for (const [key, { name, type, team, settings }] of Object.entries(SENDERS)) {
    const teamId = teamIdOf(scene, team);
    const createdBy = userIdOf(scene, 'jonas');
    const { id } = await createWebhook(tx, since, sealing, {
      organizationId,
      teamId,
      name,
      type,
      settings,
      createdBy,
      expiresAt: null,
      signingSecret: null,
    });
    made.push([key, { id, organizationId, teamId }]);
  }
  return Object.fromEntries(made) as Record<SenderName, ExampleWebhook>;
}

/** What people did about some moments: they discussed and resolved reports and acknowledged open moments. */
async function lookAfter(tx: Tx, scene: Scene, { moments }: Recorded, random: Random): Promise<void> {
  const { organizationId, now, members, teams } = scene;
  for (const { moment, firstAt } of moments.values()) {
    if (moment.state !== 'open') continue;
    const team = teams.find(({ id }) => id === moment.teamId);
    const userId = random.pick(team?.memberIds ?? [...members.keys()]);
    const seen = firstAt.add({ minutes: random.whole(4, 90) });
    // Near misses are discussed for longer.
    const done = seen.add({ hours: random.whole(6, 70) * (moment.type === 'near-miss' ? 6 : 1) });
    if (random.chance(0.5) && Temporal.Instant.compare(seen, now) < 0)
      await insertComment(tx, seen, { organizationId, momentId: moment.id, userId }, random.pick(COMMENTS));
    if (Temporal.Instant.compare(done, now) < 0) await markResolved(tx, done, moment.id, userId);
    else if (Temporal.Instant.compare(seen, now) < 0 && random.chance(0.4))
      await markAcknowledged(tx, seen, moment.id, userId);
  }
}
