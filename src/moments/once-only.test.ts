import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { type MomentServer, startMomentServer } from '../../testing/moment-server.ts';
import { facetQuery, wordQuery } from './search.ts';
import { findRareMoments } from './store.ts';

describe('what a search matches', () => {
  let server: MomentServer;
  before(async () => {
    server = await startMomentServer();
    await sql`
      insert into moments (id, organization_id, team_id, name, type, priority, occurred_at, state, last_event_at,
        created_at, updated_at)
      select 'moment_' || lpad(i::text, 26, '0'), ${server.acme.id}, ${server.acme.teamId}, 'Disk of db-' || i || ' full',
        case when i % 1000 = 0 then 'near-miss' else 'alert' end, 'high', now(), 'open', now(), now(), now()
      from generate_series(1, 8000) i`.execute(server.db);
  });
  after(() => server.close());

  const count = async (text: string | null, type?: string) => {
    const facets = type === undefined ? null : facetQuery({ type: [type] });
    return (await findRareMoments(server.db, text && wordQuery(text), facets))?.length ?? 'many';
  };

  it('is all of it when it is rare, and nothing when it is common', async () => {
    assert.equal(await count('zebra'), 0);
    assert.equal(await count('disk 777'), 11, '777 and 7770 to 7779');
    assert.equal(await count(null, 'near-miss'), 8);
    assert.equal(await count('1000', 'near-miss'), 1);
    assert.equal(await count('disk'), 'many');
    assert.equal(await count(null, 'alert'), 'many');
    assert.equal(await count('disk', 'alert'), 'many');
  });

  it('uses the index, whatever the planner estimates, and resets its settings', async () => {
    await findRareMoments(server.db, wordQuery('zebra'), null);
    const { rows } = await sql<{ limit: string }>`
      select current_setting('gin_fuzzy_search_limit') as limit`.execute(server.db);
    assert.equal(rows[0]?.limit, '0');
  });
});
