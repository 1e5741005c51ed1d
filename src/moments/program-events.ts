import type { Tx } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import type { ProgramEvent } from '../notices/contract.ts';
import { queueEvents } from '../notices/store.ts';
import { peopleById } from '../people/store.ts';
import type { MomentState } from './contract.ts';
import { findTurned, type TurnedMoment } from './store.ts';

const TYPES = {
  open: 'moment.opened',
  acknowledged: 'moment.acknowledged',
  resolved: 'moment.resolved',
} as const;

/** The name of a change of state. A moment that is reopened may be acknowledged again. */
function typeOf(before: MomentState, state: MomentState): string {
  if (before === 'resolved') return 'moment.reopened';
  return before === 'acknowledged' && state === 'open' ? 'moment.unacknowledged' : TYPES[state];
}

/** The events of a moment: what it is now, and its state before; null for a new one. */
function eventsOf(
  moment: TurnedMoment,
  before: MomentState | null,
  { by, at }: { by: string | null; at: Temporal.Instant },
): ProgramEvent[] {
  const { organizationId, teamId, state } = moment;
  if (state === before) return [];
  const types = before === null ? [...new Set([TYPES.open, TYPES[state]])] : [typeOf(before, state)];
  return types.map((type) => ({
    ...{ organizationId, teamId, type, path: `/moments/${moment.id}` },
    data: { moment: presented(moment), by, at: instantText(at) },
  }));
}

function presented({ id, name, type, priority, state, source, sourceUrl, occurredAt }: TurnedMoment) {
  return {
    ...{ id, name, type, priority, state, source },
    source_url: sourceUrl,
    occurred_at: instantText(occurredAt),
  };
}

/** Queues the events of moments that calls created and changed. `before`: the states of those that were known. */
export async function queueTurned(
  tx: Tx,
  at: Temporal.Instant,
  moments: readonly (TurnedMoment & { acknowledgedAs: string | null })[],
  before: ReadonlyMap<string, MomentState>,
): Promise<void> {
  const events = moments.flatMap((moment) => {
    const by = moment.state === 'acknowledged' ? moment.acknowledgedAs : null;
    return eventsOf(moment, before.get(moment.id) ?? null, { by, at });
  });
  await queueEvents(tx, at, 'moments', events);
}

/** Queues the event of a moment that a person changed. */
export async function queueChanged(
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, userId }: { organizationId: string; userId: string },
  momentId: string,
  before: MomentState,
): Promise<void> {
  const moment = await findTurned(tx, organizationId, momentId);
  if (!moment) return;
  const people = await peopleById(tx, organizationId, [userId]);
  const by = people.get(userId)?.name ?? null;
  await queueEvents(tx, at, 'moments', eventsOf(moment, before, { by, at }));
}
