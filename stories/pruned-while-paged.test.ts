import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { Client } from 'pg';
import { applyText } from '../testing/apply-text.ts';
import { eventually } from '../testing/eventually.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** A file that removes a team or person never removes a page that was accepted in the same instant. */

const LOCK = 4_711;

let t: Story;
let holder: Client;

before(async () => {
  t = await story({
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada', 'grace'),
      teams: { web: { members: ['ada'] } },
    }),
  });
  // The transaction of a page ends only when `holder` lets it, however long that takes.
  await sql`create function wait_for_holder() returns trigger language plpgsql as $$
    begin
      perform set_config('lock_timeout', '0', true);
      perform pg_advisory_xact_lock(${sql.lit(LOCK)});
      return null;
    end $$`.execute(t.db);
  await sql`create trigger zz_wait_for_holder after insert on pages for each row execute function wait_for_holder()`.execute(
    t.db,
  );
  holder = new Client({ connectionString: t.commandEnv.DATABASE_URL });
  await holder.connect();
});
after(async () => {
  await holder.end();
  await t.end();
});

const waiting = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(t.db);
  return rows[0]?.count ?? 0;
};

for (const [kind, recipient, person] of [
  ['team', 'web', 'ada'],
  ['person', 'grace@example.com', 'grace'],
] as const)
  it(`keeps a page to a ${kind} that the file removes`, async () => {
    await holder.query(`select pg_advisory_lock(${LOCK})`);
    const paging = t.post(`/page/${kind}`, { recipient, title: 'Disk full', text: 'db-1', urgency: 'high' });
    await eventually(waiting, 1);
    const file = `
organization: { name: Acme }
users:
  - { email: ada@example.com, name: Ada, role: owner }
${kind === 'team' ? '  - { email: grace@example.com, name: Grace }\n' : ''}`;
    const applying = applyText(t, file, true);
    await eventually(waiting, 2);
    await holder.query(`select pg_advisory_unlock(${LOCK})`);
    const { status, body } = await paging;
    assert.equal(status, 200, JSON.stringify(body));
    await applying;
    await t.settle();
    const { page } = await t.status(String(body.service_request_id));
    // A person whom the file removes is disabled, and gets nothing. A team loses its members, one of whom had been found.
    assert.ok(page, `the page to ${person} was removed`);
    t.receiver.inbox.takeAll();
  });

for (const dedup_key of [undefined, 'disk'])
  it(`refuses a page to a team that was removed a moment ago, ${dedup_key ? 'with' : 'without'} a dedup key`, async () => {
    const owners = `
organization: { name: Acme }
users:
  - { email: ada@example.com, name: Ada, role: owner }
`;
    await applyText(
      t,
      `${owners}teams:\n  - { slug: brief, name: Brief, members: [ada@example.com] }\n`,
      true,
    );
    const page = (title?: string) =>
      t.post('/page/team', { recipient: 'brief', title, text: 'db-1', urgency: 'high', dedup_key });
    // The team is remembered for a second.
    assert.equal((await page()).status, 400);
    await applyText(t, owners, true);
    const { status, body } = await page('Disk full');
    assert.equal(status, 400, JSON.stringify(body));
    assert.match(JSON.stringify(body), /names no team/);
  });
