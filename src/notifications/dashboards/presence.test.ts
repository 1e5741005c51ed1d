import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { type Story, story } from '../../../testing/story.ts';
import { createPresence } from './presence.ts';

let t: Story;
let node: number;

before(async () => {
  t = await story({ organization: { people: { ada: {} } } });
  node = (await t.db.selectFrom('nodes').select('id').executeTakeFirstOrThrow()).id;
});
after(() => t.end());

async function isListed(): Promise<boolean> {
  return (await t.db.selectFrom('open_dashboards').select('node').execute()).length > 0;
}

it('a dashboard that could not be recorded does not count as open for ever', async () => {
  const presence = createPresence(t.db, t.clock, () => node);
  const ada = { organizationId: t.acme.id, userId: String(t.acme.users.ada) };
  await sql`alter table open_dashboards rename to elsewhere`.execute(t.db);
  await assert.rejects(presence.enter(ada));
  await assert.rejects(presence.enter(ada));
  await sql`alter table elsewhere rename to open_dashboards`.execute(t.db);
  const leave = await presence.enter(ada);
  assert.equal(await isListed(), true);
  await leave();
  assert.equal(await isListed(), false);
});

it('a dashboard that closed while the database was away does not count as open for ever', async () => {
  const presence = createPresence(t.db, t.clock, () => node);
  const leave = await presence.enter({ organizationId: t.acme.id, userId: String(t.acme.users.ada) });
  await sql`alter table open_dashboards rename to elsewhere`.execute(t.db);
  await assert.rejects(leave());
  await presence.keep();
  assert.equal(presence.isBehind(), true);
  await sql`alter table elsewhere rename to open_dashboards`.execute(t.db);
  assert.equal(await isListed(), true);
  await presence.keep();
  assert.deepEqual([await isListed(), presence.isBehind()], [false, false]);
});

it('dashboards that open and close while the node has no number are counted correctly afterwards', async () => {
  let number = node;
  const presence = createPresence(t.db, t.clock, () => number);
  const ada = { organizationId: t.acme.id, userId: String(t.acme.users.ada) };
  const leave = await presence.enter(ada);
  number = 0;
  await leave();
  number = node;
  await presence.keep();
  assert.equal(await isListed(), false);
  number = 0;
  const leaveAgain = await presence.enter(ada);
  number = node;
  await presence.keep();
  assert.equal(await isListed(), true);
  await leaveAgain();
  assert.equal(await isListed(), false);
});
