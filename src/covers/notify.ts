import type { Tx } from '../db/database.ts';
import { t } from '../language/contract.ts';
import type { Notice } from '../notices/contract.ts';
import { queueNotices } from '../notices/store.ts';
import { readersById } from '../people/store.ts';
import { caretakers } from '../people/team-store.ts';
import type { CoverEvent } from './events.ts';
import { type NoticeContext, noticesOf, type ShiftNotice } from './notice-texts.ts';
import type { CoveredSchedule } from './roster-store.ts';

/** Notifies everybody concerned about events of a schedule's covers; several events make one notice. */
export async function notifyOfCovers(
  tx: Tx,
  at: Temporal.Instant,
  schedule: CoveredSchedule,
  events: readonly CoverEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const context = await noticeContext(tx, schedule, events.flatMap(peopleIn));
  await queueShiftNotices(tx, at, schedule, () => events.flatMap((event) => noticesOf(event, context)));
}

/** Names and time zones of these people and of the team's managers. */
export async function noticeContext(
  tx: Tx,
  schedule: CoveredSchedule,
  userIds: readonly string[],
): Promise<NoticeContext> {
  const looking = await caretakers(tx, schedule.teamId);
  const people = await readersById(tx, schedule.organizationId, [...userIds, ...looking]);
  return {
    schedule,
    caretakers: looking,
    nameOf: (userId) => (userId === null ? t('nobody') : (people.get(userId)?.name ?? t('somebody'))),
    zoneOf: (userId) => people.get(userId)?.timeZone ?? schedule.timeZone,
  };
}

/** Queues notices about one schedule; `make` words them, as for `queueNotices`. */
export async function queueShiftNotices(
  tx: Tx,
  at: Temporal.Instant,
  schedule: Pick<CoveredSchedule, 'id' | 'organizationId' | 'name'>,
  make: () => readonly ShiftNotice[],
): Promise<void> {
  await queueNotices(tx, at, () => togetherByReader(schedule, make()));
}

function togetherByReader(
  schedule: Pick<CoveredSchedule, 'id' | 'organizationId' | 'name'>,
  texts: readonly ShiftNotice[],
): Notice[] {
  return [...Map.groupBy(texts, ({ userId }) => userId)].map(([userId, all]): Notice => {
    // Several covers may need the same change.
    const own = all.filter((one, index) => all.findIndex(({ text }) => text === one.text) === index);
    const [first] = own;
    const isOne = own.length === 1 && first;
    return {
      organizationId: schedule.organizationId,
      userId,
      kind: first?.kind ?? 'shift.changed',
      subject: isOne
        ? first.subject
        : t('{count} shifts in {schedule} are affected', { count: own.length, schedule: schedule.name }),
      text: own.map(({ text }) => text).join('\n'),
      path: `/schedules/${schedule.id}`,
      dedupKey: null,
    };
  });
}

function peopleIn({ cover, before, by }: CoverEvent): string[] {
  const moves = [...(cover.proposal?.moves ?? []), ...(before?.proposal?.moves ?? [])];
  const ids = [cover.userId, cover.takenBy, by, ...moves.flatMap(({ gains, loses }) => [gains, loses])];
  return ids.filter((id) => id !== null);
}
