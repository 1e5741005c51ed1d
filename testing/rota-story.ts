import assert from 'node:assert/strict';
import { bringSession, type Tab } from './browser.ts';
import { type SignedIn, signIn } from './signed-in.ts';
import { type Story, story } from './story.ts';

const NAMES: Record<string, string> = {
  ada: 'Ada Lovelace',
  alan: 'Alan Turing',
  barbara: 'Barbara Liskov',
  grace: 'Grace Hopper',
  edsger: 'Edsger Dijkstra',
  ken: 'Ken Thompson',
};

/** A story with a planned schedule, on a Friday in November. */
export type RotaStory = {
  t: Story;
  /** Ada is an admin; the others are members of the team. */
  by: Record<'ada' | 'alan', SignedIn>;
  scheduleId: string;
  /** The next shift of a person in the first stage that has not begun. */
  shiftOf(person: string): Promise<string>;
  /** Creates a draft and waits until it is solved. */
  draft(): Promise<void>;
  signInTo(tab: Tab, person: string): Promise<void>;
  end(): Promise<void>;
};

export async function rotaStory(): Promise<RotaStory> {
  const people = Object.keys(NAMES);
  const t = await story({
    organization: {
      people: Object.fromEntries(people.map((name) => [name, {}])),
      teams: { sre: { members: people } },
    },
  });
  const id = (person: string) => t.acme.users[person] ?? '';
  for (const [person, name] of Object.entries(NAMES))
    await t.db
      .updateTable('users')
      .set({ name, ...(person === 'ada' ? { role: 'admin' } : {}) })
      .where('id', '=', id(person))
      .execute();
  const by = { ada: await signIn(t, 'ada'), alan: await signIn(t, 'alan') };
  const now = (await t.clock.now(t.db)).toZonedDateTimeISO('Europe/Berlin').startOfDay();
  const away = (person: string, from: number, days: number, name: string, type = 'hard_unavailable') =>
    by.ada.call('POST', '/api/availabilities', {
      ...{ person: id(person), type, name },
      starts_at: now.add({ days: from }).toInstant().toString(),
      ends_at: now
        .add({ days: from + days })
        .toInstant()
        .toString(),
    });
  await away('ken', 9, 3, '', 'soft_unavailable');
  const made = await by.ada.call('POST', '/api/schedules', {
    ...{ name: 'Site Reliability', team: 'sre', time_zone: 'Europe/London', backstop: id('grace') },
    ...{ strategy: 'fair', plan_ahead_weeks: 12, rest_hours: 24, description: 'Round the clock' },
    shifts: { every: 'week', handoff: 'Monday 09:00' },
    stages: [
      { stage: 1, members: ['ada', 'alan', 'barbara', 'grace'].map(id) },
      { stage: 2, members: ['grace', 'edsger', 'ken'].map(id) },
    ],
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const scheduleId = made.body.id as string;
  await away('ada', 30, 9, 'Christmas');
  await away('alan', 33, 4, 'Skiing');
  await t.app.duties.runAll();
  return {
    t,
    by,
    scheduleId,
    async shiftOf(person) {
      const { id: shift } = await t.db
        .selectFrom('shifts')
        .select('id')
        .where('schedule_id', '=', scheduleId)
        .where('user_id', '=', id(person))
        .where('stage', '=', 1)
        .where('starts_at', '>', await t.clock.now(t.db))
        .orderBy('starts_at')
        .executeTakeFirstOrThrow();
      return shift;
    },
    async draft() {
      const begun = await by.ada.call('POST', `/api/schedules/${scheduleId}/plan/draft`, {});
      assert.equal(begun.status, 201, JSON.stringify(begun.body));
      await t.app.duties.runAll();
    },
    async signInTo(tab, person) {
      await bringSession(tab.page, await signIn(t, person), t.url);
    },
    end: () => t.end(),
  };
}
