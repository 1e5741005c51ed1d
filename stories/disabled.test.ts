/** A disabled person gets nothing more, and no page waits for them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { lockSchedules } from '../src/covers/roster-store.ts';
import { commandLine } from '../testing/command-line.ts';
import { eventually } from '../testing/eventually.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

type Entry = { kind: string; person?: { name: string }; cancelled?: number };

/** Ada is notified at once, after two minutes and after ten; Grace is the second stage; Joan may disable people. */
async function told(what: (t: Story, joan: SignedIn) => Promise<void>): Promise<void> {
  const t = await story({
    organization: (receiver) => {
      const methods = (name: string) => [{ type: 'webhook' as const, value: receiver.url + name }];
      const rules = [0, 2, 10].map((after) => ({ after, channels: ['webhook' as const] }));
      return {
        people: {
          joan: { methods: methods('joan') },
          ada: { methods: methods('ada'), rules: { high: rules } },
          grace: { methods: methods('grace') },
          alan: { methods: methods('alan') },
          linus: { methods: [{ type: 'email', value: 'linus@example.com' }] },
        },
        teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
      };
    },
  });
  try {
    await t.db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', String(t.acme.users.joan))
      .execute();
    await what(t, await signIn(t, 'joan'));
  } finally {
    await t.end();
  }
}

async function disable(t: Story, joan: SignedIn, person: string): Promise<void> {
  const answer = await joan.call('POST', `/api/people/${t.acme.users[person]}/disable`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  await t.settle();
}

async function timeline(t: Story, joan: SignedIn, pageId: string): Promise<Entry[]> {
  await t.settle();
  return (await joan.call('GET', `/api/pages/${pageId}`)).body.timeline;
}

describe('disabling a person', () => {
  it('cancels their pending rules, and the next stage is notified at once', () =>
    told(async (t, joan) => {
      const request = await t.page('team', 'sre', { urgency: 'high' });
      await t.notified('ada');
      await disable(t, joan, 'ada');
      await t.notified('grace');
      const { errors, page } = await t.status(request);
      assert.match(errors.at(-1)?.message ?? '', /^Ada was disabled; 2 notifications to them were cancelled/);
      const theirs = page.deliveries.filter(({ user }) => user.email === 'ada@example.com');
      assert.deepEqual(theirs.map(({ state }) => state).toSorted(), ['accepted', 'cancelled', 'cancelled']);
      assert.ok(theirs.some(({ error }) => error === 'Ada was disabled.'));
      const [entry, ...more] = (await timeline(t, joan, page.id)).filter(({ kind }) => kind === 'disabled');
      assert.deepEqual([entry?.person?.name, entry?.cancelled, more.length], ['Ada', 2, 0]);
      await t.advance({ minutes: 4 });
    }));

  it('waits for a change of their shifts that is being made, such as a cover that they take', () =>
    told(async (t, joan) => {
      const ada = String(t.acme.users.ada);
      const isWaiting = async () => {
        const { rows } = await sql<{ waits: boolean }>`
          select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`.execute(
          t.db,
        );
        return rows[0]?.waits;
      };
      const disabling = await t.db.transaction().execute(async (tx) => {
        const { id } = await tx.selectFrom('schedules').select('id').executeTakeFirstOrThrow();
        await lockSchedules(tx, [id]);
        const answer = joan.call('POST', `/api/people/${ada}/disable`);
        await eventually(isWaiting, true);
        // As the reference of an override does.
        await sql`select from users where id = ${ada} for key share`.execute(tx);
        return { answer };
      });
      const { status, body } = await disabling.answer;
      assert.equal(status, 200, JSON.stringify(body));
    }));

  it('ends the retries of undelivered notifications', () =>
    told(async (t, joan) => {
      t.receiver.script({ status: 503 });
      const request = await t.page('team', 'sre', { urgency: 'high' });
      // The failed notification, and the next one, which does not wait for it.
      await t.notified('ada', 'ada');
      await disable(t, joan, 'ada');
      await t.notified('grace');
      const { page } = await t.status(request);
      const theirs = page.deliveries.filter(({ user }) => user.email === 'ada@example.com');
      assert.deepEqual(theirs.map(({ state }) => state).toSorted(), ['accepted', 'cancelled', 'cancelled']);
      await t.advance({ minutes: 4 });
    }));

  it('fails a page that was only for them, and records the reason', () =>
    told(async (t, joan) => {
      const request = await t.page('person', 'ada@example.com');
      await t.notified('ada');
      await disable(t, joan, 'ada');
      const { page, errors } = await t.status(request);
      assert.equal(page.state, 'expired');
      assert.match(errors.map(({ message }) => message).join('\n'), /Ada was disabled/);
      await t.advance({ hours: 1 });
    }));

  it('fails such a page at once, also if one of their notifications was late', () =>
    told(async (t, joan) => {
      const request = await t.page('person', 'ada@example.com', { urgency: 'high' });
      await t.notified('ada');
      // Nothing runs for four minutes, so the rule of two minutes is late.
      t.clock.advance({ minutes: 4 });
      await t.settle();
      await t.notified('ada');
      await disable(t, joan, 'ada');
      assert.equal((await t.status(request)).page.state, 'expired');
      await t.advance({ hours: 1 });
    }));

  it('takes back a page that they had acknowledged', () =>
    told(async (t, joan) => {
      for (const urgency of ['high', 'low']) {
        const request = await t.page('team', 'sre', { urgency });
        const [alarm] = await t.notified('ada');
        assert.equal(alarm && (await t.acknowledge(alarm)).status, 200);
        if (urgency === 'high') {
          await t.advance({ minutes: 1 });
          assert.equal((await t.status(request)).page.state, 'acknowledged');
        }
      }
      await disable(t, joan, 'ada');
      // One notification for each page.
      await t.notified('grace', 'grace');
    }));

  it('does not shorten the time of others who can still answer', () =>
    told(async (t, joan) => {
      const request = await t.page('team', 'sre', { urgency: 'high' });
      const [alarm] = await t.notified('ada');
      const answer = await joan.call('POST', `/api/pages/${alarm?.body.page_id}/responders`, {
        users: ['alan@example.com'],
      });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      await t.settle();
      await t.notified('alan');
      await disable(t, joan, 'ada');
      await t.notified();
      assert.equal((await t.status(request)).page.state, 'notifying');
      await t.advance({ minutes: 5 });
      // Grace's notification, and Alan's default rules, which call a phone after two minutes.
      await t.notified('grace');
    }));

  it('has the same effect if an applied file no longer names them', () =>
    told(async (t) => {
      const request = await t.page('team', 'sre', { urgency: 'high' });
      await t.notified('ada');
      const cli = commandLine(t.app.config.databaseUrl);
      try {
        const file = `
organization: { name: Acme }
users:
  - { email: joan@example.com, name: Joan, role: owner }
  - { email: grace@example.com, name: Grace }
teams: [ { slug: sre, members: [grace@example.com] } ]
schedules:
  - name: sre 0
    team: sre
    shifts: { every: week, handoff: "Monday 09:00" }
    stages: [ { stage: 1, members: [grace@example.com] } ]
`;
        const env = { SECRET_KEY: t.app.config.secretKey ?? '' };
        const ran = await cli.run(['apply', '-', '--prune'], { env, input: file });
        assert.equal(ran.code, 0, ran.stderr);
      } finally {
        cli.remove();
      }
      await t.settle();
      await t.notified('grace');
      const { errors } = await t.status(request);
      assert.match(errors.at(-1)?.message ?? '', /^Ada was disabled; 2 notifications to them were cancelled/);
    }));
});

describe('assigning a page to somebody who cannot be reached', () => {
  for (const action of ['responders', 'reassign'])
    it(`is refused by ${action}, with all of these people`, () =>
      told(async (t, joan) => {
        await t.page('team', 'sre', { urgency: 'high' });
        const [alarm] = await t.notified('ada');
        const give = (...users: string[]) =>
          joan.call('POST', `/api/pages/${alarm?.body.page_id}/${action}`, { users });
        const refused = await give('grace@example.com', 'linus@example.com');
        assert.equal(refused.status, 400);
        assert.deepEqual(
          refused.body.details.map(({ field }: { field: string }) => field),
          ['users[1]'],
        );
        assert.match(
          refused.body.details[0].message,
          /^users\[1\] names Linus, who cannot be reached: email not set up here/,
        );
        await disable(t, joan, 'alan');
        assert.equal((await give('alan@example.com')).status, 400);
        await t.notified();
      }));
});
