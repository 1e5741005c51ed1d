import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { Client } from 'pg';
import { type Story, story, webhookPeople } from '../testing/story.ts';

describe('failures of the database', () => {
  let t: Story;

  before(async () => {
    t = await story({
      automatic: true,
      env: { LOG_LEVEL: 'silent' },
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada', 'grace'),
        teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
      }),
    });
  });
  after(() => t.end());

  /** Ends all connections of the service, as a failover of the database would. */
  async function cutConnections(): Promise<void> {
    const operator = new Client({ connectionString: t.app.config.databaseUrl ?? '' });
    await operator.connect();
    await operator.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await operator.end();
  }

  it('lose no page if every connection breaks, and the service continues by itself', async () => {
    for (let round = 0; round < 3; round++) {
      await cutConnections();
      const title = `after cut ${round}`;
      let status = 0;
      for (let attempt = 0; attempt < 50 && status !== 200; attempt++) {
        const answer = await t.post('/page/person', {
          recipient: 'ada@example.com',
          title,
          text: 'x',
          urgency: 'low',
        });
        status = answer.status;
        assert.ok(status === 200 || status === 503, `answered ${status}`);
        if (status === 503) assert.ok(answer.headers.get('retry-after'));
      }
      assert.equal(status, 200);
      await t.receiver.expect(({ body }) => body.title === title);
    }
    for (let look = 0; look < 100 && (await fetch(`${t.url}/readyz`)).status !== 200; look++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal((await fetch(`${t.url}/readyz`)).status, 200);
  });

  it('a step that cannot run is set aside, and the others run', async () => {
    await sql`
      create function refuse_poison() returns trigger language plpgsql as $$
      begin
        if exists (select from pages where id = new.page_id and title = 'poison') then raise exception 'poison'; end if;
        return new;
      end $$`.execute(t.db);
    await sql`create trigger poison before insert on responders for each row execute function refuse_poison()`.execute(
      t.db,
    );
    const pages = ['poison', 'healthy 1', 'healthy 2'].map((title) =>
      t.post('/page/person', { recipient: 'ada@example.com', title, text: 'x', urgency: 'low' }),
    );
    for (const page of await Promise.all(pages)) assert.equal(page.status, 200);
    for (const title of ['healthy 1', 'healthy 2'])
      await t.receiver.expect(({ body }) => body.title === title);
    await sql`drop trigger poison on responders`.execute(t.db);
    await t.receiver.expect(({ body }) => body.title === 'poison');
  });
});
