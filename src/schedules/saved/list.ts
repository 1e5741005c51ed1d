import type { SavedSessions } from '../../sessions/require-session.ts';
import type { OpenSession } from '../../sessions/store.ts';
import type { SavedOnCall } from '../api-contract.ts';
import { presentOncall, presentUser } from '../present-oncall.ts';
import type { DirectoryRow, OncallRow } from '../read-store.ts';

/** How far the list looks ahead. */
export const AHEAD = Temporal.Duration.from({ hours: 14 * 24 });

/** The largest numbers of rows in one list, at most about 20 MB together. */
export const MOST = { schedules: 10_000, oncalls: 20_000, sessions: 20_000 };

/**
 * A saved session opens the list for this long after the list was saved. A node that was off for days must not admit a
 * person whose session was revoked meanwhile.
 */
const SESSIONS_COUNT_FOR = Temporal.Duration.from({ hours: 24 });

/** One organization's part of the list. */
type OrganizationList = { id: string; name: string; schedules: SavedOnCall['schedules'] };

/** What a node saves: the lists of all organizations, and the sessions that may read them. Times are ISO 8601 in UTC. */
export type SavedList = Omit<SavedOnCall, 'schedules'> & {
  /** The format of this file. A program that does not know it ignores the file. */
  version: 1;
  organizations: OrganizationList[];
  sessions: (Omit<OpenSession, 'endsAt'> & { endsAt: string })[];
};

/** What is read from the database: each list with one row more than `MOST` if there are more. */
export type Found = { schedules: DirectoryRow[]; oncalls: OncallRow[]; sessions: OpenSession[] };

/**
 * Builds the list from the rows found at `at`. If there are more shifts than fit, the list ends at the first one that
 * was left out. Schedules and sessions beyond the limit are left out.
 */
export function listOf(found: Found, at: Temporal.Instant, most = MOST): SavedList {
  const schedules = found.schedules.slice(0, most.schedules);
  const oncalls = found.oncalls.slice(0, most.oncalls);
  const firstLeftOut = found.oncalls[most.oncalls];
  const shiftsBySchedule = Map.groupBy(oncalls, ({ scheduleId }) => scheduleId);
  const organizations = new Map<string, OrganizationList>();
  for (const schedule of schedules) {
    const { organizationId, organization } = schedule;
    const list = organizations.get(organizationId) ?? {
      id: organizationId,
      name: organization,
      schedules: [],
    };
    list.schedules.push(savedSchedule(schedule, shiftsBySchedule.get(schedule.id) ?? []));
    organizations.set(organizationId, list);
  }
  return {
    version: 1,
    saved_at: String(at),
    until: String(firstLeftOut ? firstLeftOut.startsAt : at.add(AHEAD)),
    shortened: firstLeftOut !== undefined || found.schedules.length > most.schedules,
    organizations: [...organizations.values()],
    sessions: found.sessions
      .slice(0, most.sessions)
      .map((session) => ({ ...session, endsAt: String(session.endsAt) })),
  };
}

function savedSchedule(
  schedule: DirectoryRow,
  oncalls: readonly OncallRow[],
): SavedOnCall['schedules'][number] {
  const { id, name, team, backstop } = schedule;
  return {
    id,
    name,
    team,
    backstop:
      backstop &&
      presentUser({
        userName: backstop.name,
        userEmail: backstop.email,
        contactMethods: backstop.contactMethods,
      }),
    oncalls: oncalls.map((row) => presentOncall(id, row)),
  };
}

/** The part of one organization. */
export function partOf(list: SavedList, organizationId: string): SavedOnCall {
  const { saved_at, until, shortened, organizations } = list;
  const schedules = organizations.find(({ id }) => id === organizationId)?.schedules ?? [];
  return { saved_at, until, shortened, schedules };
}

/** The sessions of a list that may still read it. `current` is called at each look-up; null without a list. */
export function sessionsOf(current: () => SavedList | null): SavedSessions {
  return {
    find(hash, now) {
      const list = current();
      if (!list) return null;
      const savedAt = Temporal.Instant.from(list.saved_at);
      if (Temporal.Instant.compare(now, savedAt.add(SESSIONS_COUNT_FOR)) > 0) return null;
      const session = list.sessions.find((one) => one.hash === hash);
      if (!session || Temporal.Instant.compare(now, Temporal.Instant.from(session.endsAt)) >= 0) return null;
      const { organizationId, userId, role } = session;
      return { organizationId, userId, role, authentication: { kind: 'session', hash } };
    },
  };
}
