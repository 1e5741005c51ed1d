/**
 * Records that have ended are deleted when their retention ends, with everything that belongs to them; open ones stay.
 */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { Client } from 'pg';
import { LOCK } from '../src/db/advisory-locks.ts';
import { newId } from '../src/kit/typeid.ts';
import { signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

let t: Story;

before(async () => {
  t = await story({
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada'),
      teams: { sre: { members: ['ada'] } },
    }),
  });
});
after(() => t.end());

const tables = [
  'pages',
  'page_steps',
  'page_events',
  'responders',
  'deliveries',
  'delivery_attempts',
  'requests',
  'refused_pages',
] as const;

async function counts(): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const table of tables) {
    const { n } = await t.db
      .selectFrom(table)
      .select((of) => of.fn.countAll<string>().as('n'))
      .executeTakeFirstOrThrow();
    found[table] = Number(n);
  }
  return found;
}

it('pages are deleted 400 days after they were raised, with their requests', async () => {
  const id = await t.page('team', 'sre');
  const [webhook] = await t.notified('ada');
  if (webhook) await t.acknowledge(webhook);
  await t.post('/page/team', { recipient: 'nobody', title: 'a', text: 'b' });
  const made = await counts();
  for (const [table, n] of Object.entries(made)) assert.ok(n > 0, table);

  t.clock.advance({ hours: 24 * 399 });
  await t.app.duties.runAll();
  const { refused_pages, ...kept } = await counts();
  assert.equal(refused_pages, 0);
  assert.deepEqual({ ...kept, refused_pages: 1 }, made);
  assert.equal((await t.status(id)).status, 'succeeded');

  t.clock.advance({ hours: 48 });
  await t.app.duties.runAll();
  for (const [table, n] of Object.entries(await counts())) assert.equal(n, 0, table);
  assert.equal((await t.get(`/request/${id}/status`)).status, 404);
});

it('a page that still notifies stays, however old it is', async () => {
  await t.page('team', 'sre');
  await t.notified('ada');
  t.clock.advance({ hours: 24 * 500 });
  await t.app.duties.runAll();
  const pages = await t.db.selectFrom('pages').select('state').execute();
  assert.deepEqual(pages, [{ state: 'notifying' }]);
});

it('an acknowledged page stays until its snooze has ended, however old it is', async () => {
  await t.db.deleteFrom('requests').execute();
  const { page } = await t.status(await t.page('team', 'sre', { urgency: 'high' }));
  const [webhook] = await t.notified('ada');
  if (webhook) await t.acknowledge(webhook);
  const snoozed = await t.post(`/api/pages/${page.id}/snooze`, { minutes: 600 });
  assert.equal(snoozed.status, 200, JSON.stringify(snoozed.body));
  t.clock.advance({ hours: 24 * 401 });
  await t.app.duties.runAll();
  await t.settle();
  const [again] = await t.notified('ada');
  assert.equal(again?.body.page_id, page.id);
  await t.post(`/api/pages/${page.id}/resolve`, {});
});

it('moments without further events are deleted, with their comments', async () => {
  const now = await t.clock.now(t.db);
  const { id: teamId } = await t.db.selectFrom('teams').select('id').executeTakeFirstOrThrow();
  const make = async (made: Temporal.Instant, changed: Temporal.Instant) => {
    const id = newId('moment');
    const of = { organization_id: t.acme.id, team_id: teamId, name: 'Deploy', type: 'alert' as const };
    const times = { occurred_at: made, last_event_at: made, created_at: made, updated_at: changed };
    await t.db
      .insertInto('moments')
      .values({ id, ...of, ...times, priority: 'low', state: 'open' })
      .execute();
    const comment = { organization_id: t.acme.id, moment_id: id, text: 'looked at', created_at: made };
    await t.db.insertInto('moment_comments').values(comment).execute();
    return id;
  };
  const days = (n: number) => now.subtract({ hours: 24 * n });
  await make(days(401), days(401));
  const touched = await make(days(401), days(3));
  const young = await make(days(3), days(3));
  await t.app.duties.runAll();
  const moments = await t.db.selectFrom('moments').select('id').orderBy('id').execute();
  assert.deepEqual(moments, [{ id: touched }, { id: young }]);
  assert.equal((await t.db.selectFrom('moment_comments').select('id').execute()).length, 2);
});

/** A running node with the same number that uses another database on the same server. */
async function nodeOfAnotherDatabase(id: number): Promise<Client> {
  const url = new URL(t.commandEnv.DATABASE_URL);
  url.pathname = '/postgres';
  const session = new Client({ connectionString: url.href });
  await session.connect();
  await session.query('select pg_advisory_lock($1, $2)', [LOCK.node, id]);
  return session;
}

it('the audit log, closed problems and ended processes have their own periods', async () => {
  const old = (await t.clock.now(t.db)).subtract({ hours: 24 * 800 });
  const young = (await t.clock.now(t.db)).subtract({ hours: 24 * 10 });
  for (const at of [old, young]) {
    await t.db
      .insertInto('audit_log')
      .values({ organization_id: t.acme.id, at, action: 'key.create', subject: 'x' })
      .execute();
    await t.db
      .insertInto('problems')
      .values({
        subject: 'channel:sms',
        code: 'credentials',
        message: 'm',
        fix: 'f',
        first_at: at,
        last_at: at,
        closed_at: at,
      })
      .execute();
    await t.db
      .insertInto('nodes')
      .values({ role: 'all', host: 'h', pid: 1, version: '1', started_at: at, stopped_at: null })
      .execute();
  }
  const { id } = await t.db
    .selectFrom('nodes')
    .select('id')
    .where('started_at', '=', old)
    .executeTakeFirstOrThrow();
  const elsewhere = await nodeOfAnotherDatabase(id);
  await t.app.duties.runAll();
  await elsewhere.end();
  const left = async (table: 'audit_log' | 'nodes') =>
    (await t.db.selectFrom(table).select('id').execute()).length;
  assert.equal(await left('audit_log'), 1);
  const closed = await t.db
    .selectFrom('problems')
    .select('id')
    .where('subject', '=', 'channel:sms')
    .execute();
  assert.equal(closed.length, 1);
  // The node of this test's process is alive, so it stays, whatever its age.
  assert.equal(await left('nodes'), 2);
});

it('revoked keys are deleted with their log, invitations a month after their end', async () => {
  let ada = await signIn(t, 'ada');
  await t.db.updateTable('users').set({ role: 'owner' }).execute();
  const made = async (path: string, body: object) => {
    const answer = await ada.call('POST', path, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
  };
  const invite = (email: string) => made('/api/invitations', { email, role: 'member' });
  const keys = async () =>
    (await t.db.selectFrom('api_keys').select('name').where('name', 'in', ['kept', 'revoked']).execute())
      .map(({ name }) => name)
      .sort();
  const invitations = async () =>
    (await t.db.selectFrom('invitations').select('email').execute()).map(({ email }) => email);

  await made('/api/keys', { name: 'kept' });
  await made('/api/keys', { name: 'revoked' });
  const listed = (await ada.call('GET', '/api/keys')).body.keys as { id: string; name: string }[];
  const revoked = listed.find(({ name }) => name === 'revoked');
  assert.equal((await ada.call('DELETE', `/api/keys/${revoked?.id}`)).status, 200);
  await invite('early@example.com');
  t.clock.advance({ hours: 24 * 29 });
  ada = await signIn(t, 'ada');
  await invite('late@example.com');
  await t.app.duties.runAll();
  assert.deepEqual((await invitations()).sort(), ['early@example.com', 'late@example.com']);

  t.clock.advance({ hours: 24 * 29 });
  await t.app.duties.runAll();
  assert.deepEqual(await invitations(), ['late@example.com']);
  t.clock.advance({ hours: 24 * 670 });
  await t.app.duties.runAll();
  assert.deepEqual(await keys(), ['kept', 'revoked']);
  t.clock.advance({ hours: 24 * 3 });
  await t.app.duties.runAll();
  assert.deepEqual(await keys(), ['kept']);
  assert.deepEqual(await invitations(), []);
});
