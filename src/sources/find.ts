import type { Clock } from '../db/clock.ts';
import type { Handle } from '../db/database.ts';
import { findManagedWebhook, listWebhooks, type ManagedWebhook } from '../webhooks/store.ts';
import type { ManagedSource } from './manage.ts';
import { listSourceRows } from './store.ts';

type Viewer = { organizationId: string; userId: string };

/** Lists sources, newest first, of one team or of all. */
export async function listSources(
  db: Handle,
  clock: Clock,
  viewer: Viewer,
  teamId: string | null,
): Promise<ManagedSource[]> {
  return withRows(db, await listWebhooks(db, clock, viewer, teamId, 'source'));
}

export async function findSource(
  db: Handle,
  clock: Clock,
  viewer: Viewer,
  id: string,
): Promise<ManagedSource | null> {
  const webhook = await findManagedWebhook(db, clock, viewer, id, 'source');
  const [source] = webhook ? await withRows(db, [webhook]) : [];
  return source ?? null;
}

async function withRows(db: Handle, webhooks: readonly ManagedWebhook[]): Promise<ManagedSource[]> {
  const rows = await listSourceRows(
    db,
    webhooks.map(({ id }) => id),
  );
  return webhooks.flatMap((webhook) => {
    const row = rows.get(webhook.id);
    return row ? [{ ...webhook, ...row }] : [];
  });
}
