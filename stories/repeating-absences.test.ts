import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Organization, seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const ZONE = 'Europe/Berlin';
/** A Wednesday. */
const NOW = Temporal.Instant.from('2027-03-03T12:00:00Z');
/** The first Tuesday evening after it; summer time starts on 28 March. */
const CHOIR = {
  ...{ type: 'hard_unavailable', name: 'Choir', zone: ZONE },
  rrule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU',
  ...{ starts_at: '2027-03-09T18:00:00+01:00', ends_at: '2027-03-09T22:00:00+01:00' },
};

type Record = {
  id: string;
  starts_at: string;
  ends_at: string;
  name: string;
  repeats: { id: string } | null;
};

describe('an absence that repeats', () => {
  let t: Story;
  let others: Organization;
  const person = (name: string) => t.acme.users[name] ?? '';
  /** Signs in again, because the story takes longer than a session lasts. */
  const call = async (who: string, ...request: Parameters<SignedIn['call']>) =>
    (await signIn(t, who)).call(...request);

  before(async () => {
    t = await story({
      organization: {
        people: { ada: {}, grace: {}, linus: {} },
        teams: { sre: { members: ['ada', 'grace'] }, web: { members: ['linus'] } },
      },
    });
    await t.db
      .updateTable('team_members')
      .set({ role: 'manager' })
      .where('user_id', '=', person('grace'))
      .execute();
    others = await seedOrganization(t, { people: { eve: {} } }, 'Evil');
    await t.clock.travelTo(t.db, NOW);
  });
  beforeEach(async () => {
    await t.db.deleteFrom('availability_sources').execute();
    await t.db.deleteFrom('availabilities').execute();
  });
  after(() => t.end());

  async function add(body: object = {}, who = 'ada'): Promise<Record> {
    const added = await call(who, 'POST', '/api/availabilities', { ...CHOIR, ...body });
    assert.equal(added.status, 201, JSON.stringify(added.body));
    return added.body.record;
  }

  async function listed(to = '2027-05-01T00:00:00Z', from = NOW.toString()): Promise<Record[]> {
    const { status, body } = await call('ada', 'GET', `/api/availabilities?from=${from}&to=${to}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.records;
  }

  const starts = (records: Record[]) =>
    records.map(({ starts_at, ends_at }) =>
      [starts_at, ends_at]
        .map((at) => Temporal.Instant.from(at).toZonedDateTimeISO(ZONE).toPlainDateTime().toString())
        .map((at, index) => at.slice(index === 0 ? 5 : 11, 16))
        .join('–'),
    );

  it('has the local times of the first one on every date of its rule, and shows how it repeats', async () => {
    const record = await add();
    assert.equal(record.starts_at, '2027-03-09T17:00:00.000Z');
    const records = await listed();
    assert.deepEqual(starts(records), [
      '03-09T18:00–22:00',
      '03-23T18:00–22:00',
      '04-06T18:00–22:00',
      '04-20T18:00–22:00',
    ]);
    const repeats = {
      ...{ rrule: CHOIR.rrule, zone: ZONE, until: null },
      ...{ starts_at: '2027-03-09T17:00:00.000Z', ends_at: '2027-03-09T21:00:00.000Z' },
    };
    for (const { repeats: shown } of records) assert.deepEqual({ ...shown, id: '' }, { ...repeats, id: '' });
    assert.equal(new Set(records.map(({ repeats: shown }) => shown?.id)).size, 1);
    const calendars = await call('ada', 'GET', '/api/availability-sources');
    assert.deepEqual(calendars.body.sources, [], 'it is not a calendar');
    const path = `/api/availability-sources/${record.repeats?.id}`;
    for (const method of ['GET', 'DELETE'] as const)
      assert.equal((await call('ada', method, path)).status, 404);
  });

  it('continues as far as is planned, and ends on its last day', async () => {
    await add({ repeats_until: '2027-04-06T22:00:00Z' });
    assert.equal((await listed('2028-02-01T00:00:00Z')).length, 3);
    await add({ name: 'Sport', rrule: 'FREQ=DAILY' });
    const far = { from: '2028-03-15T00:00:00Z', to: '2028-03-17T00:00:00Z' };
    assert.deepEqual(await listed(far.to, far.from), []);
    await t.clock.travelTo(t.db, NOW.add({ hours: 24 * 60 }));
    await t.app.duties.runAll();
    assert.equal((await listed(far.to, far.from)).length, 2);
    const kept = await t.db.selectFrom('availability_sources').select('name').execute();
    assert.deepEqual(
      kept.map(({ name }) => name),
      ['Sport'],
    );
    const past = await listed('2027-05-01T00:00:00Z', '2027-03-03T00:00:00Z');
    assert.equal(past.filter(({ name }) => name === 'Choir').length, 3, 'past times stay');
    await t.clock.travelTo(t.db, NOW);
  });

  it('can lose one time, change all of them, and be removed as a whole', async () => {
    await add();
    const [, second] = await listed();
    assert.equal((await call('ada', 'DELETE', `/api/availabilities/${second?.id}`)).status, 200);
    t.clock.advance({ hours: 13 });
    await t.app.duties.runAll();
    const left = ['03-09T18:00–22:00', '04-06T18:00–22:00', '04-20T18:00–22:00'];
    assert.deepEqual(starts(await listed()), left, 'the duty does not bring it back');
    const [first] = await listed();
    const path = `/api/availabilities/${first?.id}`;
    const renamed = await call('ada', 'PATCH', path, { name: 'Singing', type: 'soft_unavailable' });
    assert.equal(renamed.status, 200, JSON.stringify(renamed.body));
    assert.deepEqual(starts(await listed()), left);
    assert.ok((await listed()).every(({ name }) => name === 'Singing'));
    const moved = await call('ada', 'PATCH', path, {
      ...{ rrule: 'FREQ=WEEKLY;BYDAY=TU', repeats_until: '2027-03-31T00:00:00+02:00' },
      ...{ starts_at: '2027-03-09T19:00:00+01:00', ends_at: '2027-03-10T01:00:00+01:00' },
    });
    assert.equal(moved.status, 200, JSON.stringify(moved.body));
    const weekly = ['03-09T19:00–01:00', '03-16T19:00–01:00', '03-23T19:00–01:00', '03-30T19:00–01:00'];
    assert.deepEqual(starts(await listed()), weekly);
    const endless = await call('ada', 'PATCH', `/api/availabilities/${moved.body.record.id}`, {
      repeats_until: null,
    });
    assert.equal(endless.body.record.repeats.until, null);
    assert.equal((await listed()).length, 8);
    const shorter = await call('ada', 'PATCH', `/api/availabilities/${moved.body.record.id}`, {
      rrule: 'FREQ=WEEKLY;BYDAY=TU;UNTIL=20270316',
    });
    assert.equal(shorter.body.record.repeats.until, '2027-03-16T23:00:00.000Z');
    const named = await call('ada', 'PATCH', `/api/availabilities/${moved.body.record.id}`, { name: 'Band' });
    assert.equal(named.body.record.repeats.until, '2027-03-16T23:00:00.000Z', 'its end stays');
    const shortest = await call('ada', 'PATCH', `/api/availabilities/${moved.body.record.id}`, {
      rrule: 'FREQ=WEEKLY;BYDAY=TU;UNTIL=20270313',
    });
    assert.equal(
      shortest.body.record.repeats.until,
      '2027-03-13T23:00:00.000Z',
      'and the rule can bring another',
    );
    const all = await call('ada', 'DELETE', `/api/availabilities/${moved.body.record.id}?series=true`);
    assert.equal(all.status, 200);
    assert.deepEqual(await listed(), []);
    assert.deepEqual(await t.db.selectFrom('availability_sources').select('id').execute(), []);
    await t.clock.travelTo(t.db, NOW);
  });

  it('can be changed by several requests at once, through different times of it', async () => {
    await add();
    const records = await listed();
    const ada = await signIn(t, 'ada');
    const answers = await Promise.all(
      records.map(({ id }, index) =>
        ada.call('PATCH', `/api/availabilities/${id}`, { name: `Choir ${index}` }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      records.map(() => 200),
    );
    const names = new Set((await listed()).map(({ name }) => name));
    assert.equal(names.size, 1, 'all times have the name of the last one');
  });

  it('is entered and changed by the person and by managers of their team', async () => {
    const record = await add({ person: person('ada') }, 'grace');
    const path = `/api/availabilities/${record.id}`;
    assert.equal((await call('grace', 'PATCH', path, { name: 'Band' })).status, 200);
    const [next] = await listed();
    assert.equal(next?.name, 'Band');
    for (const [method, body] of [
      ['PATCH', { name: 'x' }],
      ['DELETE', undefined],
    ] as const)
      assert.equal((await call('linus', method, `/api/availabilities/${next?.id}`, body)).status, 403);
    const forAda = { ...CHOIR, person: person('ada') };
    assert.equal((await call('linus', 'POST', '/api/availabilities', forAda)).status, 403);
    const eve = await signIn({ ...t, acme: others }, 'eve');
    assert.equal((await eve.call('DELETE', `/api/availabilities/${next?.id}?series=true`)).status, 404);
    assert.equal((await call('grace', 'DELETE', `/api/availabilities/${next?.id}?series=true`)).status, 200);
  });

  it('is refused with the problem, and nothing is stored', async () => {
    const refused = async (body: object) => {
      const answer = await call('ada', 'POST', '/api/availabilities', { ...CHOIR, ...body });
      assert.equal(answer.status, 400, JSON.stringify(answer.body));
      return answer.body.details.map(({ field }: { field: string }) => field).join(' ');
    };
    assert.equal(await refused({ zone: undefined }), 'zone');
    assert.equal(await refused({ rrule: undefined }), 'zone');
    assert.equal(await refused({ rrule: 'FREQ=HOURLY' }), 'rrule');
    assert.equal(await refused({ rrule: 'FREQ=DAILY;COUNT=3' }), 'rrule');
    assert.equal(await refused({ type: 'requested' }), 'rrule');
    assert.equal(await refused({ ends_at: '2027-04-09T22:00:01+02:00' }), 'ends_at');
    assert.equal(await refused({ repeats_until: '2027-03-09T17:00:00Z' }), 'repeats_until');
    const past = { starts_at: '2026-03-10T18:00:00+01:00', ends_at: '2026-03-10T19:00:00+01:00' };
    assert.equal(await refused({ ...past, repeats_until: '2026-06-01T00:00:00Z' }), 'rrule');
    const single = await add({ rrule: undefined, zone: undefined });
    const changed = await call('ada', 'PATCH', `/api/availabilities/${single.id}`, {
      ...{ rrule: 'FREQ=DAILY', zone: ZONE },
    });
    assert.deepEqual([changed.status, changed.body.details[0].field], [400, 'rrule']);
    assert.deepEqual(await t.db.selectFrom('availability_sources').select('id').execute(), []);
  });

  it('has a limit: twenty for each person', async () => {
    for (let index = 0; index < 20; index++) await add({ name: `Choir ${index}` });
    const more = await call('ada', 'POST', '/api/availabilities', CHOIR);
    assert.deepEqual([more.status, more.body.details[0].field], [400, 'rrule']);
    const calendar = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n';
    const followed = await call('ada', 'POST', '/api/availability-sources', { ics: calendar });
    assert.equal(followed.status, 201, 'calendars count for themselves');
  });

  it('is also stored as a calendar, which earlier releases read with the same times', async () => {
    await add({ repeats_until: '2027-04-20T16:00:00Z', name: 'Choir; with, all \\ of it' });
    const [, second] = await listed();
    await call('ada', 'DELETE', `/api/availabilities/${second?.id}`);
    const before = await listed();
    // An earlier release knows only the calendar.
    await t.db.updateTable('availability_sources').set({ recurrence: null }).execute();
    t.clock.advance({ hours: 13 });
    await t.app.duties.runAll();
    const bare = (records: Record[]) => records.map(({ id, starts_at, name }) => [id, starts_at, name]);
    assert.deepEqual(bare(await listed()), bare(before));
    await t.clock.travelTo(t.db, NOW);
  });
});
