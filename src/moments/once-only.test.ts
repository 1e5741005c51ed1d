import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { type MomentServer, startMomentServer } from '../../testing/moment-server.ts';
import { facetQuery, searchVector, wordQuery } from './search.ts';
import { findRareMoments } from './store.ts';

describe('the matches of a search', () => {
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

  it('are complete if they are rare, and none if they are common', async () => {
    assert.equal(await count('zebra'), 0);
    assert.equal(await count('disk 777'), 11, '777 and 7770 to 7779');
    assert.equal(await count(null, 'near-miss'), 8);
    assert.equal(await count('1000', 'near-miss'), 1);
    assert.equal(await count('disk'), 'many');
    assert.equal(await count(null, 'alert'), 'many');
    assert.equal(await count('disk', 'alert'), 'many');
  });

  it('use the index, whatever the planner estimates, and reset its settings', async () => {
    await findRareMoments(server.db, wordQuery('zebra'), null);
    const { rows } = await sql<{ limit: string }>`
      select current_setting('gin_fuzzy_search_limit') as limit`.execute(server.db);
    assert.equal(rows[0]?.limit, '0');
  });

  it('are the same for words that the service finds and for those that the database finds', async () => {
    const letters = [...'abeEZ0159', ...'äßİΣσжあ漢ก²', ...' ./\\:@_=&?#%+~-\'",;!()[]{}|*^$`'];
    const text = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 60 });
    const samples = fc.sample(
      fc.record({
        type: fc.constantFrom('alert', 'incident'),
        priority: fc.constantFrom('low', 'high'),
        ...{ name: text, source: fc.option(text), description: fc.option(text) },
      }),
      1_000,
    );
    const moments = [
      ...samples,
      { ...samples[0], name: '1e5f3e7a 12E4 7e99xAe6 5e19B1', description: `${'word '.repeat(300)}` },
      { ...samples[0], name: 'x'.repeat(255), source: 'Y'.repeat(2_046) },
      { ...samples[0], name: 'longer than PostgreSQL allows', source: 'z'.repeat(2_047) },
    ].map((one, number) => ({
      ...one,
      number,
      search: searchVector(one as Parameters<typeof searchVector>[0]),
    }));
    const { rows } = await sql<{ name: string; words: string; expected: string }>`
      with given as (
        select * from jsonb_to_recordset(${JSON.stringify(moments)}::jsonb)
          as given(name text, type text, priority text, source text, description text, search tsvector, number bigint)
      ), inserted as (
        insert into moments (id, organization_id, team_id, name, type, priority, source, description, occurred_at, state,
          last_event_at, created_at, updated_at)
        select 'moment_x' || lpad(number::text, 25, '0'), ${server.acme.id}, ${server.acme.teamId}, name, type, priority, source,
          description, now(), 'open', now(), now(), now()
        from given returning id, search
      )
      select name, given.search::text as words, inserted.search::text as expected
      from given join inserted on inserted.id = 'moment_x' || lpad(number::text, 25, '0')`.execute(server.db);
    assert.equal(rows.length, moments.length);
    for (const { name, words, expected } of rows) assert.equal(words, expected, name);
  });

  it('follow a name that an older release changes without its words', async () => {
    const { rows } = await sql<{ id: string }>`
      update moments set name = 'a giraffe on the wire' where id = (select min(id) from moments) returning id`.execute(
      server.db,
    );
    assert.deepEqual(await findRareMoments(server.db, wordQuery('giraffe'), null), [rows[0]?.id]);
  });
});
