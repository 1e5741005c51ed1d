import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

const range = 'from=2027-03-01T00:00:00Z&to=2027-06-01T00:00:00Z';
/** A Wednesday. */
const NOW = Temporal.Instant.from('2027-03-03T12:00:00Z');
const SECRET = 'Operation on the knee';

describe('an absence whose name is private', () => {
  let t: Story;
  let scheduleId: string;
  const person = (name: string) => t.acme.users[name] ?? '';
  const call = async (who: string, ...request: Parameters<SignedIn['call']>) =>
    (await signIn(t, who)).call(...request);

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada', 'grace', 'linus', 'mary'),
        teams: { sre: { members: ['ada', 'grace', 'linus'] } },
      }),
    });
    await t.db
      .updateTable('team_members')
      .set({ role: 'manager' })
      .where('user_id', '=', person('grace'))
      .execute();
    await t.db.updateTable('users').set({ role: 'owner' }).where('id', '=', person('mary')).execute();
    await t.clock.travelTo(t.db, NOW);
    const made = await call('grace', 'POST', '/api/schedules', {
      ...{ name: 'SRE', team: 'sre', time_zone: 'UTC', backstop: person('grace'), strategy: 'rotation' },
      ...{ plan_ahead_weeks: 6, shifts: { every: 'week', handoff: 'Monday 09:00' } },
      stages: [{ stage: 1, members: [person('ada')] }],
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    scheduleId = made.body.id;
    await t.app.duties.runAll();
  });
  after(() => t.end());

  async function add(body: object, who = 'ada') {
    const added = await call(who, 'POST', '/api/availabilities', {
      ...{ type: 'hard_unavailable', name: SECRET, private: true },
      ...{ starts_at: '2027-03-03T00:00:00Z', ends_at: '2027-03-05T00:00:00Z' },
      ...body,
    });
    assert.equal(added.status, 201, JSON.stringify(added.body));
    return added.body.record;
  }
  const namesFor = async (who: string) => {
    const { body } = await call(who, 'GET', `/api/availabilities?${range}&person=${person('ada')}`);
    return body.records.map(({ name }: { name: string }) => name);
  };

  it('is shown only to its person; others, including managers and owners, see “Away”', async () => {
    const record = await add({});
    assert.deepEqual([record.name, record.private], [SECRET, true]);
    assert.deepEqual(await namesFor('ada'), [SECRET]);
    for (const other of ['linus', 'grace', 'mary']) assert.deepEqual(await namesFor(other), ['Away']);
    await t.app.duties.runAll();
    for (const path of [
      `/api/availabilities?${range}&team=sre`,
      `/api/schedules/${scheduleId}/shifts?${range}`,
      `/api/schedules/${scheduleId}/covers`,
      '/api/covers',
      '/api/on-call',
      '/api/audit',
      '/api/problems',
    ])
      for (const other of ['linus', 'grace', 'mary']) {
        const { status, body } = await call(other, 'GET', path);
        const isForOwners = path === '/api/audit' && other !== 'mary';
        assert.equal(status, isForOwners ? 403 : 200, `${other} at ${path}`);
        assert.ok(!JSON.stringify(body).includes(SECRET), `${other} sees it at ${path}`);
      }
    const timeline = await call('linus', 'GET', `/api/schedules/${scheduleId}/shifts?${range}`);
    assert.equal(timeline.body.records[0].name, 'Away');
    const own = await call('ada', 'GET', `/api/schedules/${scheduleId}/shifts?${range}`);
    assert.equal(own.body.records[0].name, SECRET);
    const [cover] = (await call('grace', 'GET', `/api/schedules/${scheduleId}/covers`)).body.covers;
    assert.equal(cover.absence.name, 'Away', 'it needs a cover like any absence');
  });

  it('is not written into the timeline of a page, which everybody reads', async () => {
    const request = await t.page('team', 'sre');
    await t.notified('ada', 'grace');
    const { page } = await t.status(request);
    const timeline = JSON.stringify((await call('linus', 'GET', `/api/pages/${page.id}`)).body);
    assert.match(timeline, /"away":"Away"/);
    const rows = await t.db.selectFrom('page_events').select('data').execute();
    assert.ok(!JSON.stringify(rows).includes(SECRET));
  });

  it('is moved by a manager without seeing or losing its name, and made public only by its person', async () => {
    const [{ id }] = (await call('ada', 'GET', `/api/availabilities?${range}`)).body.records;
    const path = `/api/availabilities/${id}`;
    const moved = await call('grace', 'PATCH', path, { ends_at: '2027-03-06T00:00:00Z' });
    assert.deepEqual([moved.status, moved.body.record.name], [200, 'Away']);
    const shown = await call('grace', 'PATCH', path, { private: false });
    assert.deepEqual([shown.status, shown.body.details[0].field], [403, 'private']);
    assert.deepEqual(await namesFor('ada'), [SECRET]);
    assert.equal((await call('ada', 'PATCH', path, { private: false })).status, 200);
    assert.deepEqual(await namesFor('linus'), [SECRET]);
    assert.equal((await call('ada', 'PATCH', path, { private: true })).status, 200);
    assert.deepEqual(await namesFor('linus'), ['Away']);
    const removed = (await call('grace', 'DELETE', path)).body.record;
    assert.deepEqual([removed.name, removed.private, removed.name_hidden], ['Away', true, true]);
  });

  it('may be a preference, which then has no name, and may repeat', async () => {
    const wish = await add({ type: 'soft_unavailable' });
    assert.deepEqual(await namesFor('linus'), ['']);
    await call('ada', 'DELETE', `/api/availabilities/${wish.id}`);
    const { id } = await add({ rrule: 'FREQ=WEEKLY', zone: 'UTC', repeats_until: '2027-03-20T00:00:00Z' });
    assert.deepEqual(await namesFor('linus'), ['Away', 'Away', 'Away']);
    const moved = await call('grace', 'PATCH', `/api/availabilities/${id}`, {
      repeats_until: '2027-03-12T00:00:00Z',
    });
    assert.equal(moved.status, 200, JSON.stringify(moved.body));
    assert.deepEqual(await namesFor('ada'), [SECRET, SECRET]);
    const refused = await call('grace', 'PATCH', `/api/availabilities/${id}`, { private: false });
    assert.equal(refused.status, 403);
    const named = await call('ada', 'PATCH', `/api/availabilities/${id}`, { private: false });
    assert.equal(named.status, 200, JSON.stringify(named.body));
    assert.deepEqual(await namesFor('linus'), [SECRET, SECRET]);
    await call('ada', 'DELETE', `/api/availabilities/${id}?series=true`);
  });

  it('comes from a private calendar, whose past titles become private with it', async () => {
    const day = (date: string) => [
      ...['BEGIN:VEVENT', `UID:${date}`, `SUMMARY:${SECRET}`, `DTSTART;VALUE=DATE:${date}`, 'END:VEVENT'],
    ];
    const ics = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      ...day('20270304'),
      ...day('20270410'),
      'END:VCALENDAR',
      '',
    ];
    const followed = await call('ada', 'POST', '/api/availability-sources', {
      ...{ ics: ics.join('\r\n'), events: 'all', name: 'Clinic' },
    });
    assert.equal(followed.status, 201, JSON.stringify(followed.body));
    assert.deepEqual(await namesFor('linus'), [SECRET, SECRET]);
    await t.clock.travelTo(t.db, NOW.add({ hours: 24 * 7 }));
    const path = `/api/availability-sources/${followed.body.id}`;
    const changed = await call('ada', 'PATCH', path, { private: true });
    assert.deepEqual([changed.status, changed.body.private], [200, true]);
    assert.deepEqual(await namesFor('linus'), ['Away', 'Away']);
    const { body } = await call('linus', 'GET', `/api/availabilities?${range}&person=${person('ada')}`);
    assert.ok(!JSON.stringify(body).includes('Clinic'), 'nor the name of the calendar');
    const refused = await call('mary', 'PATCH', path, { private: false });
    assert.deepEqual([refused.status, refused.body.details[0].field], [403, 'private']);
    assert.equal((await call('mary', 'PATCH', path, { events: 'busy' })).status, 200);
    assert.deepEqual(await namesFor('linus'), ['Away', 'Away']);
    assert.deepEqual(await namesFor('ada'), [SECRET, SECRET]);
  });
});
