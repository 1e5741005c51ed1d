import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planSchedule, upsertSchedule } from '../src/planning/actions.ts';
import { withSolvedPlans } from '../src/planning/solved-plans.ts';
import { createSolver } from '../src/planning/threads/solver.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** Weekly hand-offs on Mondays at 09:00 UTC: Ada, then Alan in the first stage, Grace in the second. */
async function schedule(t: Story, name: string, team: string, cover: 'propose' | 'apply'): Promise<string> {
  const { users, teams, id: organizationId } = t.acme;
  const id = (person: string) => users[person] ?? '';
  const stage = { escalateAfterSeconds: 300, seats: 1 };
  return withSolvedPlans({ db: t.db, clock: t.clock, solver: createSolver() }, async (tx, at, plans) => {
    const saved = await upsertSchedule(tx, at, organizationId, {
      name,
      teamId: teams[team] ?? '',
      description: null,
      enabled: true,
      timeZone: 'UTC',
      backstopUserId: null,
      strategy: 'rotation',
      planAheadWeeks: 4,
      restHours: 0,
      cover,
      pattern: { every: 'week', handoff: 'Monday 09:00' },
      stages: [
        { ...stage, stage: 1, memberIds: [id('ada'), id('alan'), id('joan')] },
        { ...stage, stage: 2, memberIds: [id('grace')] },
      ],
      overrides: null,
    });
    await planSchedule(tx, at, saved.id, plans);
    return saved.id;
  });
}

async function firstStage(t: Story, scheduleId: string): Promise<string[]> {
  const range = 'time_range[start]=2026-12-01T00:00:00Z&time_range[end]=2026-12-26T00:00:00Z';
  const { body } = await t.get(`/schedules/${scheduleId}/oncalls?${range}`);
  const oncalls = body.oncalls as { stage: number; user: { name: string } }[];
  return oncalls.filter(({ stage }) => stage === 1).map(({ user }) => user.name);
}

async function upload(t: Story, csv: string): Promise<void> {
  const response = await fetch(`${t.uploadUrl}/availabilities/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${t.acme.key}` },
    body: new URLSearchParams({ commit: 'save', file: csv }),
  });
  assert.equal(response.status, 200, await response.text());
}

test('An absence that is uploaded after the shifts were published', async (suite) => {
  const t = await story({
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada', 'alan', 'grace', 'joan'),
      teams: {
        sre: { members: ['ada', 'alan', 'grace', 'joan'] },
        web: { members: ['ada', 'alan', 'grace', 'joan'] },
      },
    }),
  });
  suite.after(() => t.end());
  // Ada uploads the absences of other people.
  await t.db
    .updateTable('users')
    .set({ role: 'admin' })
    .where('id', '=', t.acme.users.ada ?? '')
    .execute();
  await t.clock.travelTo(t.db, Temporal.Instant.from('2026-12-02T12:00:00Z'));
  const proposing = await schedule(t, 'SRE', 'sre', 'propose');
  const applying = await schedule(t, 'Web', 'web', 'apply');
  const planned = ['Ada', 'Alan', 'Joan', 'Ada'];
  for (const id of [proposing, applying]) assert.deepEqual(await firstStage(t, id), planned);

  await upload(t, 'email,start_time,end_time\nalan@example.com,2026-12-08T00:00:00Z,2026-12-10T00:00:00Z\n');
  await t.app.duties.runAll();

  await suite.test('changes nothing by itself where covers are proposed', async () => {
    assert.deepEqual(await firstStage(t, proposing), planned);
  });

  await suite.test(
    'is covered by a duty where covers are applied: the time it hits, and no more',
    async () => {
      assert.deepEqual(await firstStage(t, applying), ['Ada', 'Alan', 'Joan', 'Alan', 'Joan', 'Ada']);
    },
  );

  await suite.test(
    'pages who is away together with the next stage, and whoever took over alone',
    async () => {
      await t.clock.travelTo(t.db, Temporal.Instant.from('2026-12-09T12:00:00Z'));
      await t.page('team', 'sre');
      await t.notified('alan', 'grace');
      await t.page('team', 'web');
      await t.notified('joan');
    },
  );

  await suite.test('is still there when the plan is made further ahead', async () => {
    await t.clock.travelTo(t.db, Temporal.Instant.from('2026-12-24T12:00:00Z'));
    await t.app.duties.runAll();
    assert.deepEqual(await firstStage(t, proposing), planned);
  });
});
