import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Organization, seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

type CalendarEvent = { uid: string; title?: string; from: string; to: string; more?: string[] };

describe('absences from a calendar', () => {
  let t: Story;
  let ada: SignedIn;
  let linus: SignedIn;
  let grace: SignedIn;
  let evil: Organization;
  let server: Server;
  let url: string;
  /** What the calendar server answers. */
  let answer: { status: number; events: CalendarEvent[]; etag?: string };
  let asked: { etag: string | undefined }[];

  before(async () => {
    t = await story({
      organization: {
        people: { ada: {}, linus: {}, grace: {} },
        teams: { sre: { members: ['ada'] } },
      },
    });
    [ada, linus, grace] = [await signIn(t, 'ada'), await signIn(t, 'linus'), await signIn(t, 'grace')];
    evil = await seedOrganization(t, { people: { eve: {} }, teams: {} }, 'Evil');
    const owners = [t.acme.users.grace ?? '', evil.users.eve ?? ''];
    await t.db.updateTable('users').set({ role: 'owner' }).where('id', 'in', owners).execute();
    server = createServer((request, response) => {
      asked.push({ etag: request.headers['if-none-match'] });
      if (answer.etag && request.headers['if-none-match'] === answer.etag)
        return response.writeHead(304).end();
      const headers = answer.etag ? { etag: answer.etag } : {};
      return response.writeHead(answer.status, headers).end(calendar(answer.events));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-token/basic.ics`;
  });
  beforeEach(async () => {
    answer = { status: 200, events: [] };
    asked = [];
    await t.db.deleteFrom('availability_sources').execute();
    await t.db.deleteFrom('availabilities').execute();
  });
  after(async () => {
    server.close();
    await t.end();
  });

  function calendar(events: readonly CalendarEvent[]): string {
    const lines = events.flatMap(({ uid, title, from, to, more = [] }) => [
      ...[
        'BEGIN:VEVENT',
        `UID:${uid}`,
        `SUMMARY:${title ?? 'Out of office'}`,
        `DTSTART${from}`,
        `DTEND${to}`,
      ],
      ...[...more, 'END:VEVENT'],
    ]);
    return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//t//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');
  }

  /** The time in this number of days, in iCalendar's format. */
  function stamp(days: number, hour = 0): string {
    const day = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
    return `:${day}T${String(hour).padStart(2, '0')}0000Z`;
  }

  async function records(): Promise<{ id: string; name: string; type: string; from: string }[]> {
    const rows = await t.db.selectFrom('availabilities').selectAll().orderBy('starts_at').execute();
    return rows.map(({ id, name, type, starts_at }) => ({ id, name, type, from: starts_at.toString() }));
  }

  async function make(body: Record<string, unknown> = { url }, who = ada): Promise<Record<string, unknown>> {
    const made = await who.call('POST', '/api/availability-sources', body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body;
  }

  const follow = async () => {
    t.clock.advance({ minutes: 16 });
    await t.app.duties.runAll();
  };

  it('creates records at once, and shows only the host of its address', async () => {
    answer.events = [
      { uid: '1', from: stamp(5), to: stamp(6) },
      { uid: '2', title: 'Stand-up', from: stamp(7), to: stamp(7, 1) },
    ];
    const source = await make();
    assert.equal(source.host, new URL(url).host);
    assert.deepEqual(
      [source.record_count, source.events, source.type, source.error],
      [1, 'words', 'hard_unavailable', null],
    );
    assert.ok(!JSON.stringify(source).includes('secret-token'));
    assert.deepEqual(
      (await records()).map(({ name, type }) => [name, type]),
      [['Out of office', 'hard_unavailable']],
    );
    const stored = await t.db.selectFrom('availability_sources').selectAll().executeTakeFirstOrThrow();
    assert.ok(!stored.url_sealed?.includes('secret-token'), 'sealed');
  });

  it('moves, adds and removes records with their events, and keeps other entries', async () => {
    answer.events = [
      { uid: '1', from: stamp(5), to: stamp(6) },
      { uid: '2', from: stamp(9), to: stamp(10) },
    ];
    await make();
    const before = await records();
    await t.db
      .insertInto('availabilities')
      .values({
        ...{
          id: 'availability_x',
          organization_id: t.acme.id,
          user_id: t.acme.users.ada ?? '',
          type: 'hard_unavailable' as const,
        },
        ...{
          name: 'Mine',
          starts_at: Temporal.Instant.from('2030-01-01T00:00:00Z'),
          ends_at: Temporal.Instant.from('2030-01-02T00:00:00Z'),
        },
        ...{ created_at: Temporal.Now.instant(), updated_at: Temporal.Now.instant() },
      })
      .execute();
    answer.events = [
      { uid: '1', title: 'OOO: Crete', from: stamp(6), to: stamp(8) },
      { uid: '3', from: stamp(20), to: stamp(21) },
    ];
    await follow();
    const now = await records();
    assert.deepEqual(
      now.map(({ name }) => name),
      ['OOO: Crete', 'Out of office', 'Mine'],
    );
    assert.notEqual(now[0]?.from, before[0]?.from);
    assert.ok(!now.some(({ id }) => id === before[1]?.id), 'what was removed is gone');
    const keys = await t.db
      .selectFrom('availability_source_records')
      .select('event')
      .orderBy('event')
      .execute();
    assert.equal(keys.length, 2);
    answer.events = [];
    await follow();
    assert.deepEqual(
      (await records()).map(({ name }) => name),
      ['Mine'],
    );
  });

  it('keeps the identity of a record whose event of a series is moved', async () => {
    const series = { uid: 's', from: stamp(5, 8), to: stamp(5, 9), more: ['RRULE:FREQ=WEEKLY;COUNT=3'] };
    answer.events = [series];
    await make();
    const before = await records();
    assert.equal(before.length, 3);
    answer.events = [
      series,
      { uid: 's', from: stamp(12, 15), to: stamp(12, 16), more: [`RECURRENCE-ID${stamp(12, 8)}`] },
    ];
    await follow();
    const now = await records();
    assert.deepEqual(
      now.map(({ id }) => id),
      before.map(({ id }) => id),
    );
    assert.notEqual(now[1]?.from, before[1]?.from);
  });

  it('moves a record to the time that another one of the series leaves', async () => {
    const series = { uid: 's', from: stamp(5, 8), to: stamp(5, 9), more: ['RRULE:FREQ=WEEKLY;COUNT=3'] };
    const moved = (from: number, to: number) => ({
      ...{ uid: 's', from: stamp(to, 8), to: stamp(to, 9), more: [`RECURRENCE-ID${stamp(from, 8)}`] },
    });
    const starts = async () => (await records()).map(({ from }) => from);
    const expected = (days: number[]) =>
      days.map((day) => Temporal.Instant.from(stamp(day, 8).slice(1)).toString());
    answer.events = [series];
    await make();
    answer.events = [series, moved(5, 12), moved(12, 26)];
    await follow();
    assert.deepEqual(await starts(), expected([12, 19, 26]));
    answer.events = [series, moved(5, 26), moved(12, 12)];
    await follow();
    assert.deepEqual(await starts(), expected([12, 19, 26]));
    await follow();
    assert.deepEqual(await starts(), expected([12, 19, 26]));
    answer.events = [series];
    await follow();
    assert.deepEqual(await starts(), expected([5, 12, 19]));
  });

  it('keeps records while the calendar cannot be read, and lists that as a problem', async () => {
    answer.events = [{ uid: '1', from: stamp(5), to: stamp(6) }];
    const { id } = await make();
    const problems = async () =>
      (await ada.call('GET', '/api/problems')).body.problems.map(
        ({ message }: { message: string }) => message,
      );
    answer.status = 404;
    await follow();
    assert.equal((await records()).length, 1);
    assert.match(
      (await problems())[0],
      /^The calendar .* cannot be read: 127\.0\.0\.1:\d+ does not know the calendar \(404\)/,
    );
    const shown = await ada.call('GET', `/api/availability-sources/${id}`);
    assert.match(shown.body.error, /does not know the calendar/);
    const hidden = await ada.call('PATCH', `/api/availability-sources/${id}`, { private: true });
    assert.equal(hidden.status, 200, 'without reading it');
    const said =
      'A private calendar with absences cannot be read. Its owner sees the reason under Availability.';
    assert.deepEqual(await problems(), [said]);
    await follow();
    assert.deepEqual(await problems(), [said], 'neither its name nor its host');
    const at = await t.clock.now(t.db);
    const range = `from=${at}&to=${at.add({ hours: 24 * 30 })}`;
    const path = `/api/availabilities?${range}&person=${t.acme.users.ada}`;
    const [away] = (await linus.call('GET', path)).body.records;
    assert.deepEqual([away.name, away.source.name], ['Away', '']);
    answer = { status: 200, events: [] };
    t.clock.advance({ hours: 5 });
    await t.app.duties.runAll();
    assert.deepEqual([(await problems()).length, (await records()).length], [0, 0]);
  });

  it('does not read an unchanged calendar again, except once a day', async () => {
    answer = { status: 200, etag: '"v1"', events: [{ uid: '1', from: stamp(5), to: stamp(6) }] };
    await make();
    await follow();
    assert.deepEqual(
      asked.map(({ etag }) => etag),
      [undefined, '"v1"'],
    );
    t.clock.advance({ hours: 25 });
    await t.app.duties.runAll();
    assert.equal(asked.at(-1)?.etag, undefined);
    assert.equal((await records()).length, 1);
  });

  it('counts all events, busy ones, or those with a whole word', async () => {
    answer.events = [
      { uid: '1', title: 'Offer to a client', from: stamp(5), to: stamp(5, 1) },
      { uid: '2', title: 'Day OFF!', from: stamp(6), to: stamp(6, 1) },
      { uid: '3', title: 'Maybe', from: stamp(7), to: stamp(7, 1), more: ['TRANSP:TRANSPARENT'] },
      { uid: '4', title: 'x', from: stamp(8), to: stamp(8, 1), more: ['X-MICROSOFT-CDO-BUSYSTATUS:OOF'] },
    ];
    const { id } = await make({ url, type: 'soft_unavailable' });
    const names = async () => (await records()).map(({ name }) => name);
    assert.deepEqual(await names(), ['Day OFF!', 'x']);
    const change = async (body: object) => {
      const { status } = await ada.call('PATCH', `/api/availability-sources/${id}`, body);
      assert.equal(status, 200);
      return names();
    };
    assert.deepEqual(await change({ events: 'busy' }), ['Offer to a client', 'Day OFF!', 'x']);
    assert.equal((await change({ events: 'all' })).length, 4);
    assert.deepEqual(await change({ events: 'words', words: ['maybe'], type: 'hard_unavailable' }), [
      'Maybe',
      'x',
    ]);
    assert.ok((await records()).every(({ type }) => type === 'hard_unavailable'));
  });

  it('accepts a file, and removes its records with it', async () => {
    const ics = calendar([{ uid: '1', from: stamp(5), to: stamp(6) }]);
    const { id, host } = await make({ ics, name: 'Leave 2026' });
    assert.deepEqual([host, (await records()).length], [null, 1]);
    assert.equal((await ada.call('DELETE', `/api/availability-sources/${id}`)).status, 200);
    assert.deepEqual(await records(), []);
    const actions = await t.db
      .selectFrom('audit_log')
      .select('action')
      .where('subject', '=', String(id))
      .execute();
    assert.deepEqual(actions.map(({ action }) => action).sort(), [
      'availability-source.create',
      'availability-source.delete',
    ]);
  });

  it('belongs to its person: others do not see it, owners manage it, and it is hidden from other organizations', async () => {
    answer.events = [{ uid: '1', from: stamp(5), to: stamp(6) }];
    const { id } = await make();
    const path = `/api/availability-sources/${id}`;
    const eve = await signIn({ ...t, acme: evil }, 'eve');
    for (const who of [linus, eve])
      for (const [method, at] of [
        ['GET', path],
        ['PATCH', path],
        ['DELETE', path],
        ['POST', `${path}/check`],
      ] as const)
        assert.equal((await who.call(method, at, {})).status, 404, method);
    const person = t.acme.users.ada;
    assert.equal((await linus.call('GET', `/api/availability-sources?person=${person}`)).status, 403);
    assert.equal(
      (await grace.call('GET', `/api/availability-sources?person=${person}`)).body.sources.length,
      1,
    );
    assert.equal((await eve.call('GET', `/api/availability-sources?person=${person}`)).status, 400);
    assert.equal((await make({ url, person }, grace)).host, new URL(url).host);
  });

  it('refuses an unreadable calendar with the reason', async () => {
    const refused = async (body: object) => {
      const { status, body: said } = await ada.call('POST', '/api/availability-sources', body);
      assert.equal(status, 400);
      return said.details[0].message;
    };
    assert.match(await refused({}), /^url or ics is required/);
    assert.match(await refused({ url, ics: 'x' }), /^url or ics is required/);
    assert.match(await refused({ url: 'ftp://x/y' }), /^url is "ftp:.*give the http or https address/);
    assert.match(await refused({ ics: 'BEGIN:VEVENT' }), /^ics cannot be read: it is not an iCalendar file/);
    answer.status = 403;
    assert.match(await refused({ url }), /^url cannot be read: .* refuses to show the calendar \(403\)/);
    assert.deepEqual(await records(), []);
  });
});
