import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { applyText } from '../testing/apply-text.ts';
import { seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** A Wednesday. */
const NOW = Temporal.Instant.from('2026-11-18T12:00:00Z');

describe('public holidays', () => {
  let t: Story;
  let ada: SignedIn;
  let linus: SignedIn;
  let eve: SignedIn;
  let server: Server;
  let url: string;
  let days: string[] = [];
  let status = 200;
  let scheduleId: string;

  before(async () => {
    t = await story({
      organization: { people: { ada: {}, linus: {} }, teams: { sre: { members: ['ada', 'linus'] } } },
    });
    await t.clock.travelTo(t.db, NOW);
    const users = await t.db.selectFrom('users').select(['email', 'username']).execute();
    const email = (name: string) => users.find(({ username }) => username === name)?.email;
    const file = `schedules:
  - name: Office
    team: sre
    time_zone: Europe/Berlin
    plan_ahead_weeks: 10
    holidays: { use: uncovered }
    backstop: ${email('linus')}
    shifts: { every: week, hours: [{ days: [mon-fri], from: "09:00", to: "17:00" }] }
    stages: [ { stage: 1, members: [${email('ada')}] } ]`;
    await applyText(t, file);
    scheduleId = (await t.db.selectFrom('schedules').select('id').executeTakeFirstOrThrow()).id;
    const evil = await seedOrganization(t, { people: { eve: {} }, teams: {} }, 'Evil');
    const owners = [t.acme.users.ada ?? '', evil.users.eve ?? ''];
    await t.db.updateTable('users').set({ role: 'owner' }).where('id', 'in', owners).execute();
    [ada, linus, eve] = [
      await signIn(t, 'ada'),
      await signIn(t, 'linus'),
      await signIn({ ...t, acme: evil }, 'eve'),
    ];
    server = createServer((_, response) => response.writeHead(status).end(calendar())).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/de.ics`;
  });
  after(async () => {
    server.close();
    await t.end();
  });

  function calendar(): string {
    const events = days.flatMap((day) => [
      'BEGIN:VEVENT',
      `UID:${day}`,
      `SUMMARY:Day ${day}`,
      `DTSTART;VALUE=DATE:${day}`,
      'END:VEVENT',
    ]);
    return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''].join('\r\n');
  }

  async function call(method: string, path: string, body?: unknown, who = ada) {
    return who.call(method, `/api/holiday-calendars${path}`, body);
  }

  async function shiftDays(): Promise<string[]> {
    const rows = await t.db.selectFrom('shifts').select('starts_at').orderBy('starts_at').execute();
    return rows.map(({ starts_at }) => starts_at.toString().slice(0, 10));
  }

  it('from an address leave the schedule without shifts on these days, and follow changes of the list', async () => {
    days = ['20261126', '20261224'];
    const made = await call('POST', '', { name: 'Germany', url });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.deepEqual(
      made.body.days.map(({ date }: { date: string }) => date),
      ['2026-11-26', '2026-12-24'],
    );
    assert.deepEqual([made.body.day_count, made.body.next.name, made.body.error], [2, 'Day 20261126', null]);
    await t.app.duties.runAll();
    assert.ok(!(await shiftDays()).some((day) => ['2026-11-26', '2026-12-24'].includes(day)));
    assert.ok((await shiftDays()).includes('2026-11-25'));
    days = ['20261224', '20261225'];
    t.clock.advance({ hours: 25 });
    await t.app.duties.runAll();
    const planned = await shiftDays();
    assert.ok(planned.includes('2026-11-26') && !planned.includes('2026-12-25'));
    assert.ok(planned.includes('2026-12-23'));
  });

  it('are shown as uncovered by design and not as a gap, and the backstop answers', async () => {
    const range = 'from=2026-12-24T00:00:00Z&to=2026-12-26T00:00:00Z';
    const { body } = await ada.call('GET', `/api/schedules/${scheduleId}/uncovered?${range}`);
    assert.deepEqual(
      body.holidays.map(({ date }: { date: string }) => date),
      ['2026-12-24', '2026-12-25'],
    );
    assert.deepEqual(body.stages, [
      {
        stage: 1,
        times: [
          { starts_at: '2026-12-24T00:00:00.000Z', ends_at: '2026-12-25T23:00:00.000Z', because: 'holiday' },
          { starts_at: '2026-12-25T23:00:00.000Z', ends_at: '2026-12-26T00:00:00.000Z', because: 'hours' },
        ],
      },
    ]);
    const gaps = await t.db.selectFrom('shifts').select('id').where('user_id', 'is', null).execute();
    assert.deepEqual(gaps, []);
    const far = await ada.call(
      'GET',
      `/api/schedules/${scheduleId}/uncovered?from=2026-01-01T00:00:00Z&to=2029-01-01T00:00:00Z`,
    );
    assert.equal(far.status, 400);
  });

  it('stay while their address cannot be read, which is listed as a problem until it can', async () => {
    status = 500;
    t.clock.advance({ hours: 25 });
    await t.app.duties.runAll();
    const problems = async () => (await ada.call('GET', '/api/problems')).body.problems;
    assert.match(
      (await problems())[0].message,
      /^The list of holidays Germany cannot be read: .* answered with status 500/,
    );
    const [shown] = (await call('GET', '')).body.calendars;
    assert.deepEqual([shown.day_count, /status 500/.test(shown.error)], [2, true]);
    status = 200;
    const checked = await call('POST', `/${shown.id}/check`);
    assert.deepEqual([checked.body.error, (await problems()).length], [null, 0]);
  });

  it('come from a file and by hand, for one schedule instead of the organization', async () => {
    const own = await call('POST', '', {
      ...{ name: 'Ours', schedule: scheduleId },
      days: [
        { date: '2026-12-01', name: 'Founding day' },
        { date: '2026-12-01', name: 'Twice' },
      ],
    });
    assert.deepEqual(own.body.days, [{ date: '2026-12-01', name: 'Founding day' }]);
    await t.app.duties.runAll();
    const planned = await shiftDays();
    assert.ok(planned.includes('2026-12-24') && !planned.includes('2026-12-01'));
    days = ['20261202'];
    const changed = await call('PATCH', `/${own.body.id}`, { name: 'File', ics: calendar() });
    assert.deepEqual([changed.body.name, changed.body.days[0].date], ['File', '2026-12-02']);
    assert.equal((await call('DELETE', `/${own.body.id}`)).status, 200);
    await t.app.duties.runAll();
    assert.ok(!(await shiftDays()).includes('2026-12-24'), 'those of the organization count again');
    const actions = await t.db
      .selectFrom('audit_log')
      .select('action')
      .where('subject', '=', own.body.id)
      .execute();
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['holidays.create', 'holidays.change', 'holidays.delete'],
    );
  });

  it('are managed by people who manage schedules, and visible only to the organization', async () => {
    const [{ id }] = (await call('GET', '')).body.calendars;
    assert.equal((await call('GET', `/${id}`, undefined, linus)).body.may_manage, false);
    for (const [method, path] of [
      ['PATCH', `/${id}`],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/check`],
    ] as const) {
      assert.equal((await call(method, path, {}, linus)).status, 403);
      assert.equal((await call(method, path, {}, eve)).status, 404);
    }
    const list = { name: 'x', days: [{ date: '2026-12-01', name: 'x' }] };
    assert.equal((await call('POST', '', list, linus)).status, 403);
    assert.equal((await call('POST', '', { ...list, schedule: scheduleId }, eve)).status, 400);
    await t.db
      .updateTable('team_members')
      .set({ role: 'manager' })
      .where('user_id', '=', t.acme.users.linus ?? '')
      .execute();
    assert.equal((await call('POST', '', { ...list, schedule: scheduleId }, linus)).status, 201);
  });

  it('are refused with the problem', async () => {
    const refused = async (body: object) => {
      const answer = await call('POST', '', { name: 'x', ...body });
      assert.equal(answer.status, 400);
      return answer.body.details.map(({ message }: { message: string }) => message).join('\n');
    };
    assert.match(await refused({}), /^url or one of ics, days and country is required/);
    assert.match(await refused({ url: 'nonsense' }), /^url is "nonsense"/);
    assert.match(await refused({ ics: 'nonsense' }), /^ics cannot be read: it is not an iCalendar file/);
    assert.match(
      await refused({ ics: 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR' }),
      /it has no all-day events/,
    );
    const dates = await refused({
      days: [
        { date: '2026-02-30', name: 'x' },
        { date: '2026-12-01', name: 'x' },
        { date: 'soon', name: 'x' },
      ],
    });
    assert.deepEqual(
      dates.split('\n').map((line: string) => line.split(' ')[0]),
      ['days[0].date', 'days[2].date'],
    );
  });
});
