import type { TestContext } from 'node:test';
import { settleDueCovers } from '../../src/covers/settle-due.ts';
import { createLog } from '../../src/kit/log.ts';
import { type Rota, type ScheduleStory, startRota } from '../schedules/story.ts';

/** A Wednesday; the hand-off of weekly shifts is on Monday at 09:00 in Berlin, 08:00 UTC in winter. */
const NOW = '2026-11-18T12:00:00Z';

export type CoverStory = {
  stage: number;
  who: string | null;
  state: string;
  from: string;
  to: string;
  /** The people who would take it, with `>` between the changes of a chain. */
  proposed: string | null;
  taken: string | null;
};

export type CoverRota = Rota & {
  settle(): Promise<void>;
  covers(scheduleId: string): Promise<CoverStory[]>;
  /** Kinds of notices by person, in order, since the last call. */
  told(): Promise<string[]>;
  /** `who for planned, from` of shifts that begin in the period. */
  line(scheduleId: string, stage?: number): Promise<string[]>;
};

export async function startCovers(t: Pick<TestContext, 'after'>, handles?: string[]): Promise<CoverRota> {
  const rota = await startRota(t, NOW, handles);
  const { db, clock, handle, solver } = rota;
  let seen = 0;
  return {
    ...rota,
    async settle() {
      while (await settleDueCovers({ db, clock, solver }, createLog('silent')));
    },
    async covers(scheduleId) {
      const rows = await db
        .selectFrom('covers')
        .selectAll()
        .where('schedule_id', '=', scheduleId)
        .orderBy('created_at')
        .orderBy('starts_at')
        .orderBy('id')
        .execute();
      return rows.map((row) => ({
        stage: row.stage,
        who: handle(row.user_id),
        state: row.state,
        from: row.starts_at.toString(),
        to: row.ends_at.toString(),
        proposed: proposedIn(row.proposal, handle),
        taken: handle(row.taken_by),
      }));
    },
    async told() {
      const rows = await db
        .selectFrom('notices')
        .select(['id', 'user_id', 'kind'])
        .where('id', '>', seen)
        .orderBy('id')
        .execute();
      seen = rows.at(-1)?.id ?? seen;
      return rows.map((row) => `${handle(row.user_id)} ${row.kind}`).sort();
    },
    async line(scheduleId, stage = 1) {
      const shifts = await rota.shifts(scheduleId);
      return shifts
        .filter((shift) => shift.stage === stage)
        .map(
          ({ who, planned, from }) =>
            `${from.slice(5, 10)} ${who}${who === planned ? '' : ` for ${planned}`}`,
        );
    },
  };
}

function proposedIn(proposal: unknown, handle: (id: string | null) => string | null): string | null {
  const moves = (proposal as { moves: { gains: string }[] } | null)?.moves;
  return moves?.map(({ gains }) => handle(gains)).join(' > ') ?? null;
}

export const weekly: ScheduleStory = { cover: 'propose', stages: [{ members: ['ada', 'alan', 'grace'] }] };
