import type { Tx } from '../../db/database.ts';
import { t } from '../../language/contract.ts';
import type { Notice } from '../../notices/contract.ts';
import { queueNotices } from '../../notices/store.ts';
import { readersById } from '../../people/store.ts';
import { momentText } from '../../schedules/span-text.ts';
import type { HandedOver } from './preview.ts';

/** A notice lists at most this many shifts; the dashboard shows the rest. */
const MOST_NAMED = 8;

/**
 * Notifies everybody whose published shifts changed. `why` makes a sentence with `t`. The caller leaves out past shifts
 * and shifts that are planned for the first time.
 */
export async function notifyOfShiftChanges(
  tx: Tx,
  at: Temporal.Instant,
  schedule: { id: string; organizationId: string; name: string; timeZone: string },
  changes: readonly HandedOver[],
  why: () => string,
): Promise<void> {
  const userIds = [...new Set(changes.flatMap(({ before, after }) => [before, after]))].filter(
    (id) => id !== null,
  );
  if (userIds.length === 0) return;
  const people = await readersById(tx, schedule.organizationId, userIds);
  const noticeTo = (userId: string): Notice => {
    const zone = people.get(userId)?.timeZone ?? schedule.timeZone;
    const gained = changes.filter(({ after }) => after === userId);
    const lost = changes.filter(({ before }) => before === userId);
    const parts = [
      named(t('You are now on call ({zone}):', { zone }), gained, zone),
      named(t('You are no longer on call ({zone}):', { zone }), lost, zone),
    ];
    return {
      organizationId: schedule.organizationId,
      userId,
      kind: 'shift.changed',
      subject: t('Your shifts in {schedule} change', { schedule: schedule.name }),
      text: [why(), ...parts.filter((text) => text !== '')].join('\n'),
      path: `/schedules/${schedule.id}`,
      dedupKey: null,
    };
  };
  await queueNotices(tx, at, () => userIds.map(noticeTo));
}

function named(what: string, shifts: readonly HandedOver[], zone: string): string {
  if (shifts.length === 0) return '';
  // A shift may change both in the plan and by an override.
  const all = new Set(
    shifts.map(
      ({ stage, from, to }) =>
        `- ${t('stage {stage}, {from} to {to}', { stage, from: momentText(from, zone), to: momentText(to, zone) })}`,
    ),
  );
  const lines = [...all].slice(0, MOST_NAMED);
  const more = all.size - MOST_NAMED;
  return [what, ...lines, ...(more > 0 ? [`- ${t('and {count} more', { count: more })}`] : [])].join('\n');
}
