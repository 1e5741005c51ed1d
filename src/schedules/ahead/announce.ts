import type { Clock } from '../../db/clock.ts';
import type { Database, Tx } from '../../db/database.ts';
import { t } from '../../language/contract.ts';
import type { Notice } from '../../notices/contract.ts';
import { claimKeys, queueNotices } from '../../notices/store.ts';
import { ownersOf } from '../../people/access-store.ts';
import { readReach } from '../../people/contact-store.ts';
import type { Means } from '../../people/reachability.ts';
import { readersEverywhere } from '../../people/store.ts';
import { caretakers } from '../../people/team-store.ts';
import {
  type Announcement,
  type Circle,
  coverAnnouncement,
  gapAnnouncement,
  startAnnouncement,
  unreachableAnnouncement,
} from './announcements.ts';
import { LEAD_TIMES } from './lead-time.ts';
import { beginningShifts, nextShifts, soonCovers, soonGaps } from './soon-store.ts';

/**
 * Notifies people a week, a day and an hour ahead of gaps, of covers that nobody took, and of people who cannot be
 * reached, and notifies everybody when their shift begins. Each notice is sent once, even if several nodes run this.
 * @returns whether there may be more
 */
export async function announceAhead(
  { db, clock }: { db: Database; clock: Clock },
  means: Means,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const at = await clock.now(tx);
    const announcements = await dueAnnouncements(tx, at, means);
    const fresh = await claimKeys(
      tx,
      at,
      announcements.map(({ key }) => key),
    );
    const told = announcements.filter(({ key }) => fresh.has(key));
    await queueNotices(tx, at, () => noticesOf(told));
    return told.length > 0;
  });
}

async function dueAnnouncements(tx: Tx, at: Temporal.Instant, means: Means): Promise<Announcement[]> {
  const until = at.add({ milliseconds: LEAD_TIMES.week });
  const gaps = await soonGaps(tx, at, until);
  const covers = await soonCovers(tx, at, until);
  const shifts = await nextShifts(tx, at, until);
  const starts = await beginningShifts(tx, at, at.add({ milliseconds: LEAD_TIMES.hour }));
  const reach = await readReach(
    tx,
    shifts.map(({ userId }) => userId),
    means,
  );
  const unreachable = shifts.flatMap((shift) => {
    const found = reach.get(shift.userId);
    return found && found.by !== 'contact_method' ? [{ shift, reach: found }] : [];
  });
  const circle = await circleOf(tx, at, [
    ...gaps,
    ...covers,
    ...starts,
    ...unreachable.map(({ shift }) => shift),
  ]);
  return [
    ...gaps.flatMap((gap) => gapAnnouncement(gap, circle)),
    ...covers.flatMap((cover) => coverAnnouncement(cover, circle)),
    ...unreachable.flatMap((one) => unreachableAnnouncement(one.shift, one.reach, circle)),
    ...starts.flatMap((shift) => startAnnouncement(shift, circle)),
  ];
}

type Concerned = {
  organizationId: string;
  teamId: string;
  userId?: string;
  backstopUserId?: string | null;
  proposedUserIds?: string[];
};

async function circleOf(tx: Tx, at: Temporal.Instant, soon: readonly Concerned[]): Promise<Circle> {
  const teams = new Map<string, string[]>();
  for (const teamId of new Set(soon.map((one) => one.teamId)))
    teams.set(teamId, await caretakers(tx, teamId));
  const owners = await ownersOf(
    tx,
    soon.map(({ organizationId }) => organizationId),
  );
  const ids = soon.flatMap(({ userId, backstopUserId, proposedUserIds }) => [
    ...[userId, backstopUserId].filter((id) => typeof id === 'string'),
    ...(proposedUserIds ?? []),
  ]);
  const people = await readersEverywhere(tx, [...ids, ...[...teams.values(), ...owners.values()].flat()]);
  return {
    at: at.epochMilliseconds,
    nameOf: (userId) => people.get(userId)?.name ?? 'somebody',
    zoneOf: (userId) => people.get(userId)?.timeZone ?? 'UTC',
    caretakers: (teamId) => teams.get(teamId) ?? [],
    owners: (organizationId) => owners.get(organizationId) ?? [],
  };
}

/** Combines announcements of one kind and schedule into one notice for each reader. */
function noticesOf(announcements: readonly Announcement[]): Notice[] {
  const byReader = announcements.flatMap((announcement) =>
    [...new Set(announcement.to)].map((reader) => ({ reader, announcement })),
  );
  const groups = Map.groupBy(
    byReader,
    ({ reader, announcement }) => `${reader} ${announcement.kind} ${announcement.scheduleId}`,
  );
  return [...groups.values()].flatMap(([first, ...more]) => {
    if (!first) return [];
    const { kind, organizationId, scheduleId, subject } = first.announcement;
    const all = [first, ...more];
    const whole = subject();
    return [
      {
        ...{ organizationId, userId: first.reader, kind },
        subject:
          more.length === 0
            ? whole
            : t('{subject}, and {count} more', { subject: whole, count: more.length }),
        text: all.map(({ reader, announcement }) => announcement.text(reader)).join('\n'),
        path: `/schedules/${scheduleId}`,
        dedupKey: null,
      },
    ];
  });
}
