import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import ICAL from 'ical.js';
import { createReadCalendar } from '../src/calendars/reading.ts';
import { applyText } from '../testing/apply-text.ts';
import { type Organization, seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** A Wednesday. */
const NOW = Temporal.Instant.from('2026-11-18T12:00:00Z');

const FILE = `
schedules:
  - name: "Büro & Söhne; 100%, \\"rund um die Uhr\\" mit einem sehr langen Namen, der gefaltet werden muss"
    team: sre
    backstop: grace@acme.example
    time_zone: Europe/Berlin
    plan_ahead_weeks: 6
    shifts: { every: week, handoff: "Monday 09:00" }
    stages: [ { stage: 1, members: [ada@acme.example, linus@acme.example] } ]
    overrides:
      - { stage: 1, user: grace@acme.example, start: 2026-11-24T08:00:00Z, end: 2026-11-25T08:00:00Z }
`;

describe('calendar feeds', () => {
  let t: Story;
  let ada: SignedIn;
  let eve: SignedIn;
  let evil: Organization;

  before(async () => {
    t = await story({
      organization: {
        people: { ada: {}, linus: {}, grace: {} },
        teams: { sre: { members: ['ada', 'linus', 'grace'] } },
      },
    });
    await t.clock.travelTo(t.db, NOW);
    const emails = await t.db.selectFrom('users').select(['email', 'username']).execute();
    const text = emails.reduce(
      (file, { email, username }) => file.replaceAll(`${username}@acme.example`, email),
      FILE,
    );
    await applyText(t, text);
    evil = await seedOrganization(t, { people: { eve: {} }, teams: { sre: { members: ['eve'] } } }, 'Evil');
    [ada, eve] = [await signIn(t, 'ada'), await signIn({ ...t, acme: evil }, 'eve')];
  });
  after(() => t.end());

  async function make(body: Record<string, unknown>, who = ada): Promise<{ id: string; url: string }> {
    const { status, body: feed } = await who.call('POST', '/api/calendars', body);
    assert.ok(status === 200 || status === 201, JSON.stringify(feed));
    return feed;
  }

  const scheduleId = async () =>
    (await t.db.selectFrom('schedules').select('id').executeTakeFirstOrThrow()).id;

  /** What a program that has only the address sees. */
  async function subscribe(
    url: string,
    headers: Record<string, string> = {},
  ): Promise<{ answer: Response; text: string }> {
    const answer = await fetch(url, { headers });
    return { answer, text: await answer.text() };
  }

  function summaries(text: string): string[] {
    const calendar = new ICAL.Component(ICAL.parse(text));
    return calendar.getAllSubcomponents('vevent').map((event) => {
      const at = (name: string) => String(event.getFirstPropertyValue(name)).slice(0, 16);
      return `${at('dtstart')} ${at('dtend')} ${String(event.getFirstPropertyValue('summary')).replace(/: .*/, '')}`;
    });
  }

  it("shows a person's own shifts, and those that others took over, to everybody with the address", async () => {
    const feed = await make({ kind: 'person' });
    assert.match(feed.url, /^http:\/\/.*\/calendar\/[A-Za-z0-9_-]{43}\.ics$/);
    const { answer, text } = await subscribe(feed.url);
    assert.equal(answer.headers.get('content-type'), 'text/calendar; charset=utf-8');
    assert.deepEqual(summaries(text).slice(0, 3), [
      '2026-11-16T08:00 2026-11-23T08:00 On call',
      '2026-11-30T08:00 2026-12-07T08:00 On call',
      '2026-12-14T08:00 2026-12-21T08:00 On call',
    ]);
  });

  it('shows covers and gaps of a team and of a schedule', async () => {
    await t.db
      .updateTable('shifts')
      .set({ user_id: null, planned_user_id: null })
      .where('starts_at', '=', Temporal.Instant.from('2026-12-07T08:00:00Z'))
      .execute();
    for (const body of [
      { kind: 'team', team: 'sre' },
      { kind: 'schedule', schedule: await scheduleId() },
    ]) {
      const { text } = await subscribe((await make(body)).url);
      assert.deepEqual(summaries(text).slice(0, 6), [
        '2026-11-16T08:00 2026-11-23T08:00 Ada on call',
        '2026-11-23T08:00 2026-11-24T08:00 Linus on call',
        '2026-11-24T08:00 2026-11-25T08:00 Grace on call for Linus',
        '2026-11-25T08:00 2026-11-30T08:00 Linus on call',
        '2026-11-30T08:00 2026-12-07T08:00 Ada on call',
        '2026-12-07T08:00 2026-12-14T08:00 Nobody on call',
      ]);
    }
  });

  it('shows who was on call before they were disabled', async () => {
    const setDisabled = (at: Temporal.Instant | null) =>
      t.db
        .updateTable('users')
        .set({ disabled_at: at })
        .where('id', '=', t.acme.users.linus ?? '')
        .execute();
    await setDisabled(Temporal.Instant.from('2026-12-01T00:00:00Z'));
    const { text } = await subscribe((await make({ kind: 'team', team: 'sre' })).url);
    await setDisabled(null);
    const theirs = summaries(text).filter((line) => /^2026-11-2[35]|^2026-12-21/.test(line));
    assert.deepEqual(theirs, [
      '2026-11-23T08:00 2026-11-24T08:00 Linus on call',
      '2026-11-25T08:00 2026-11-30T08:00 Linus on call',
      '2026-12-21T08:00 2026-12-28T08:00 Nobody on call',
    ]);
  });

  it('follows RFC 5545: folded lines, escapes, stable identities, METHOD and refresh hints', async () => {
    const { text } = await subscribe((await make({ kind: 'team', team: 'sre' })).url);
    assert.ok(text.endsWith('END:VCALENDAR\r\n'));
    const lines = text.split('\r\n');
    assert.ok(lines.every((line) => Buffer.byteLength(line) <= 75 && !/[\r\n]/.test(line)));
    for (const line of [
      'METHOD:PUBLISH',
      'VERSION:2.0',
      'REFRESH-INTERVAL;VALUE=DURATION:PT30M',
      'X-PUBLISHED-TTL:PT30M',
    ])
      assert.ok(lines.includes(line), line);
    const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
    for (const event of events)
      for (const name of ['uid', 'dtstamp', 'dtstart', 'dtend', 'summary', 'sequence'])
        assert.ok(event.hasProperty(name), name);
    assert.match(
      String(events[0]?.getFirstPropertyValue('summary')),
      /Büro & Söhne; 100%, "rund um die Uhr" mit/,
    );
    const shifts = await t.db.selectFrom('shifts').select('id').execute();
    const uids = new Set(events.map((event) => String(event.getFirstPropertyValue('uid'))));
    assert.deepEqual(uids, new Set(shifts.map(({ id }) => `${id}@on-call.tocsin`)));
    const read = await createReadCalendar()({
      ...{ text, from: NOW.epochMilliseconds, to: NOW.add({ hours: 24 * 400 }).epochMilliseconds },
      ...{ timeZone: 'UTC', most: 100 },
    });
    assert.ok(!('error' in read) && read.skipped === 0 && read.occurrences.length > 5);
  });

  it('answers 304 while nothing changed, and 200 when a shift changes hands', async () => {
    const { url } = await make({ kind: 'team', team: 'sre' });
    const first = await subscribe(url);
    const etag = first.answer.headers.get('etag') ?? '';
    assert.match(first.answer.headers.get('cache-control') ?? '', /private/);
    t.clock.advance({ minutes: 10 });
    assert.equal((await subscribe(url, { 'if-none-match': etag })).answer.status, 304);
    await t.db
      .updateTable('shifts')
      .set({ updated_at: NOW.add({ hours: 1 }), user_id: t.acme.users.grace ?? '' })
      .where('starts_at', '=', Temporal.Instant.from('2026-11-30T08:00:00Z'))
      .execute();
    const then = await subscribe(url, { 'if-none-match': etag });
    assert.equal(then.answer.status, 200);
    const sequence = (text: string) =>
      Number(/SEQUENCE:(\d+)\r\n(?:(?!BEGIN).*\r\n)*?DTSTART:20261130T080000Z/.exec(text)?.[1]);
    assert.ok(sequence(then.text) > sequence(first.text));
  });

  it('is created once, gets a new address, and can be removed', async () => {
    const feed = await make({ kind: 'person' });
    assert.equal((await make({ kind: 'person' })).url, feed.url);
    const listed = await ada.call('GET', '/api/calendars');
    const shown = listed.body.feeds.find(({ id }: { id: string }) => id === feed.id);
    assert.ok(shown.last_used_at, 'it was used');
    const rotated = await ada.call('POST', `/api/calendars/${feed.id}/rotate`);
    assert.notEqual(rotated.body.url, feed.url);
    assert.equal((await subscribe(feed.url)).answer.status, 404);
    assert.equal((await subscribe(rotated.body.url)).answer.status, 200);
    assert.equal((await ada.call('DELETE', `/api/calendars/${feed.id}`)).status, 200);
    assert.equal((await subscribe(rotated.body.url)).answer.status, 404);
    const stored = await t.db.selectFrom('calendar_feeds').selectAll().execute();
    const token = /calendar\/(.*)\.ics/.exec(feed.url)?.[1] ?? '';
    assert.ok(!JSON.stringify(stored).includes(token));
  });

  it('reveals nothing without the address: all wrong addresses get the same answer', async () => {
    const { url } = await make({ kind: 'person' });
    const misses = [
      ...[
        'x.ics',
        `${'A'.repeat(43)}.ics`,
        `${'A'.repeat(43)}`,
        'a/b.ics',
        '%00.ics',
        `${'A'.repeat(80)}.ics`,
      ],
    ].map((file) => url.replace(/[^/]+$/, file));
    const answers = await Promise.all(misses.map((miss) => subscribe(miss)));
    for (const { answer } of answers) assert.equal(answer.status, 404);
    assert.equal(answers[0]?.text, answers[1]?.text);
    await t.db
      .updateTable('users')
      .set({ disabled_at: NOW })
      .where('id', '=', t.acme.users.ada ?? '')
      .execute();
    const gone = await subscribe(url);
    assert.deepEqual([gone.answer.status, gone.text], [404, answers[0]?.text]);
    await t.db
      .updateTable('users')
      .set({ disabled_at: null })
      .where('id', '=', t.acme.users.ada ?? '')
      .execute();
  });

  it('is hidden from another organization', async () => {
    const feed = await make({ kind: 'team', team: 'sre' });
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const)
      assert.equal((await eve.call(method, `/api/calendars/${feed.id}${path}`)).status, 404);
    const wrong = await eve.call('POST', '/api/calendars', {
      kind: 'schedule',
      schedule: await scheduleId(),
    });
    assert.equal(wrong.status, 400);
    assert.match(wrong.body.details[0].message, /is not a schedule of your organization/);
    assert.equal(
      (await subscribe((await make({ kind: 'team', team: 'sre' }, eve)).url)).text.includes('BEGIN:VEVENT'),
      false,
    );
  });
});
