import type { Clock } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { instantText } from '../../kit/instant.ts';
import type { ProgramEvent } from '../../notices/contract.ts';
import { claimKeys, organizationsWithEvents, queueEvents } from '../../notices/store.ts';
import { type TurningShift, turningShifts } from './soon-store.ts';

/** After a downtime, events are still queued for this long after they happened. */
const LATEST = { hours: 1 };

/**
 * Queues `shift.started` and `shift.ended` for webhooks that subscribe to them, each once, even if several nodes run
 * this. @returns whether there may be more
 */
export async function queueShiftEvents({ db, clock }: { db: Database; clock: Clock }): Promise<boolean> {
  const organizations = await organizationsWithEvents(db, 'shifts');
  if (organizations.length === 0) return false;
  return db.transaction().execute(async (tx) => {
    const at = await clock.now(tx);
    const turning = await turningShifts(tx, organizations, at.subtract(LATEST), at);
    const fresh = await claimKeys(
      tx,
      at,
      turning.map(({ key }) => key),
    );
    const due = turning.filter(({ key }) => fresh.has(key));
    await queueEvents(tx, at, 'shifts', due.map(eventOf));
    return due.length > 0;
  });
}

function eventOf(shift: TurningShift): ProgramEvent {
  const { organizationId, teamId, type, scheduleId, scheduleName, person, planned } = shift;
  return {
    ...{ organizationId, teamId, type, path: `/schedules/${scheduleId}` },
    data: {
      schedule: { id: scheduleId, name: scheduleName },
      shift: {
        id: shift.id,
        stage: Number(shift.stage),
        seat: shift.seat,
        starts_at: instantText(shift.startsAt),
        ends_at: instantText(shift.endsAt),
      },
      person,
      planned,
      at: instantText(type === 'shift.started' ? shift.startsAt : shift.endsAt),
    },
  };
}
