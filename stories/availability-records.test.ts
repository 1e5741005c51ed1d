import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Organization, seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const christmas = { from: '2026-12-01T00:00:00Z', to: '2027-01-10T00:00:00Z' };
const skiing = {
  type: 'hard_unavailable',
  name: 'Skiing',
  starts_at: '2026-12-21T00:00:00+01:00',
  ends_at: '2026-12-24T00:00:00+01:00',
};

describe('availability entered in the dashboard', () => {
  let t: Story;
  const by: Record<string, SignedIn> = {};
  let others: Organization;
  const person = (name: string) => t.acme.users[name] ?? '';
  const as = (name: string) => by[name] as SignedIn;
  const list = (who: string, query = '') =>
    as(who).call('GET', `/api/availabilities?from=${christmas.from}&to=${christmas.to}${query}`);

  before(async () => {
    t = await story({
      organization: {
        people: { ada: {}, grace: {}, alan: {}, linus: {} },
        teams: {
          sre: { members: ['ada', 'grace'], schedules: [{ stages: [['alan']] }] },
          web: { members: ['linus'] },
        },
      },
    });
    await t.db
      .updateTable('team_members')
      .set({ role: 'manager' })
      .where('user_id', '=', person('grace'))
      .execute();
    for (const name of ['ada', 'grace', 'linus']) by[name] = await signIn(t, name);
    others = await seedOrganization(t, { people: { eve: {} } }, 'Evil');
  });
  after(() => t.end());

  it('can be added, changed, removed, and restored', async () => {
    const added = await as('ada').call('POST', '/api/availabilities', skiing);
    assert.equal(added.status, 201, JSON.stringify(added.body));
    const { record } = added.body;
    assert.deepEqual(
      [record.starts_at, record.person.name, record.may_change, record.source],
      ['2026-12-20T23:00:00.000Z', 'Ada', true, null],
    );
    assert.equal((await as('ada').call('POST', '/api/availabilities', skiing)).status, 409);
    const path = `/api/availabilities/${record.id}`;
    const wish = await as('ada').call('PATCH', path, {
      type: 'soft_unavailable',
      ends_at: '2026-12-26T00:00:00Z',
    });
    assert.deepEqual(
      [wish.body.record.type, wish.body.record.name, wish.body.record.ends_at],
      ['soft_unavailable', 'Skiing', '2026-12-26T00:00:00.000Z'],
    );
    const backwards = await as('ada').call('PATCH', path, { ends_at: '2026-12-01T00:00:00Z' });
    assert.deepEqual([backwards.status, backwards.body.details[0].field], [400, 'ends_at']);
    const { body } = await as('ada').call('DELETE', path);
    assert.deepEqual((await list('ada')).body.records, []);
    const { type, name, starts_at, ends_at } = body.record;
    await as('ada').call('POST', '/api/availabilities', { type, name, starts_at, ends_at });
    assert.equal((await list('ada')).body.records.length, 1);
    const log = await t.db.selectFrom('audit_log').select('action').orderBy('at').execute();
    assert.deepEqual(
      log.map(({ action }) => action.replace('availability.', '')),
      ['create', 'change', 'delete', 'create'],
    );
  });

  it('is visible to everybody, and entered by the person, their managers, admins and owners', async () => {
    const seen = await list('linus', '&team=SRE');
    assert.deepEqual(
      seen.body.people.map(({ name }: { name: string }) => name),
      ['Ada', 'Alan', 'Grace'],
    );
    const [record] = seen.body.records;
    assert.deepEqual([record.person.name, record.may_change, seen.body.may_add], ['Ada', false, false]);
    const path = `/api/availabilities/${record.id}`;
    assert.equal((await as('linus').call('PATCH', path, { name: 'x' })).status, 403);
    assert.equal((await as('linus').call('DELETE', path)).status, 403);
    const forAda = { ...skiing, person: person('ada') };
    assert.equal((await as('linus').call('POST', '/api/availabilities', forAda)).status, 403);
    assert.equal((await as('grace').call('POST', '/api/availabilities', forAda)).status, 201);
    assert.equal((await list('grace', `&person=${person('linus')}`)).body.may_add, false);
  });

  it('follows its calendar if it has one, and is changed there', async () => {
    const { body } = await list('ada');
    const at = await t.clock.now(t.db);
    const row = { organization_id: t.acme.id, user_id: person('ada'), created_at: at, updated_at: at };
    const id = 'availability_source_01kaaaaaaaaaaaaaaaaaaaaaaa';
    await t.db
      .insertInto('availability_sources')
      .values({
        ...row,
        id,
        name: 'Work',
        content: '',
        type: 'hard_unavailable',
        events: 'all',
        next_check_at: at,
      })
      .execute();
    const [record] = body.records;
    await t.db
      .insertInto('availability_source_records')
      .values({ source_id: id, event: '1', availability_id: record.id })
      .execute();
    const refused = await as('ada').call('DELETE', `/api/availabilities/${record.id}`);
    assert.equal(refused.status, 409);
    assert.match(refused.body.details[0].message, /follows the calendar "Work"/);
  });

  it('is uploaded as CSV by the code of the public endpoint: previewed, refused by row, saved', async () => {
    const csv =
      'email,start_time,end_time,name\nlinus@example.com,2026-12-24T00:00:00Z,2026-12-27T00:00:00Z,Family\n';
    const preview = await as('linus').call('POST', '/api/availabilities/upload', { csv });
    assert.deepEqual(
      [preview.status, preview.body.ok, preview.body.availabilities[0].name],
      [200, true, 'Family'],
    );
    assert.deepEqual((await list('linus')).body.records, []);
    const wrong = await as('linus').call('POST', '/api/availabilities/upload', {
      csv: `${csv}linus@example.com,yesterday,,\n`,
      commit: 'save',
    });
    assert.deepEqual(
      [wrong.status, wrong.body.ok, wrong.body.details[0].field],
      [400, false, 'row 3, start_time'],
    );
    assert.equal(
      (await as('linus').call('POST', '/api/availabilities/upload', { csv: 'a,b\n' })).body.ok,
      false,
    );
    const saved = await as('linus').call('POST', '/api/availabilities/upload', { csv, commit: 'save' });
    assert.deepEqual([saved.status, saved.body.message], [200, '1 record was created.']);
    assert.equal((await list('linus')).body.records.length, 1);
  });

  it('is hidden from another organization', async () => {
    const eve = await signIn({ ...t, acme: others }, 'eve');
    const [record] = (await list('linus')).body.records;
    const range = `from=${christmas.from}&to=${christmas.to}`;
    assert.equal((await eve.call('GET', `/api/availabilities?${range}&person=${person('ada')}`)).status, 404);
    assert.equal((await eve.call('GET', `/api/availabilities?${range}&team=sre`)).status, 400);
    assert.equal((await eve.call('PATCH', `/api/availabilities/${record.id}`, { name: 'x' })).status, 404);
    assert.equal((await eve.call('DELETE', `/api/availabilities/${record.id}`)).status, 404);
    assert.equal(
      (await eve.call('POST', '/api/availabilities', { ...skiing, person: person('ada') })).status,
      404,
    );
  });
});
