import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Cover, CoverList } from '../src/covers/api-contract.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

const ZONE = 'Europe/Berlin';
/** A Wednesday; summer time starts on the fourth Sunday after it, in the middle of the planned time. */
const NOW = Temporal.Instant.from('2027-03-03T12:00:00Z');
const UNTIL = '2027-05-24T07:00:00Z';
/** The first Tuesday evening after it. */
const TUESDAYS = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//choir//EN
BEGIN:VEVENT
UID:choir
SUMMARY:Choir
DTSTART;TZID=${ZONE}:20270309T180000
DTEND;TZID=${ZONE}:20270309T200000
RRULE:FREQ=WEEKLY
END:VEVENT
END:VCALENDAR
`.replaceAll('\n', '\r\n');

type Shift = { who: string; from: Temporal.ZonedDateTime; to: Temporal.ZonedDateTime };

for (const strategy of ['rotation', 'fair'] as const)
  describe(`somebody who is away each Tuesday from 18:00 to 20:00, in a ${strategy} of weekly shifts`, () => {
    let t: Story;
    const schedules: Record<string, string> = {};
    let published: Record<'propose' | 'apply', Shift[]>;

    before(async () => {
      const singers = ['ada', 'alan', 'joan'];
      const others = ['eve', 'linus', 'mary'];
      t = await story({
        organization: (receiver) => ({
          people: webhookPeople(receiver, 'grace', ...singers, ...others),
          teams: { sre: { members: ['grace', ...singers] }, web: { members: ['grace', ...others] } },
        }),
      });
      await t.clock.travelTo(t.db, NOW);
      await t.db.updateTable('users').set({ role: 'admin' }).where('id', '=', id('grace')).execute();
      schedules.propose = await make('propose', 'sre', singers);
      schedules.apply = await make('apply', 'web', others);
      published = { propose: await oncalls('propose'), apply: await oncalls('apply') };
      // Ada's absences come from her calendar; Eve enters hers here.
      const calendar = { ics: TUESDAYS, name: 'Choir', events: 'all' };
      const followed = await call('ada', 'POST', '/api/availability-sources', calendar);
      assert.equal(followed.status, 201, JSON.stringify(followed.body));
      const entered = await call('eve', 'POST', '/api/availabilities', {
        ...{ type: 'hard_unavailable', name: 'Choir', rrule: 'FREQ=WEEKLY;BYDAY=TU', zone: ZONE },
        ...{ starts_at: '2027-03-09T18:00:00+01:00', ends_at: '2027-03-09T20:00:00+01:00' },
      });
      assert.equal(entered.status, 201, JSON.stringify(entered.body));
      await t.app.duties.runAll();
    });
    after(() => t.end());

    const id = (name: string) => t.acme.users[name] ?? '';
    /** Signs in again, because the story takes longer than a session lasts. */
    const call = async (who: string, ...request: Parameters<SignedIn['call']>) =>
      (await signIn(t, who)).call(...request);

    async function make(cover: 'propose' | 'apply', team: string, members: string[]): Promise<string> {
      const made = await call('grace', 'POST', '/api/schedules', {
        ...{ name: team.toUpperCase(), team, time_zone: ZONE, backstop: id('grace'), strategy, cover },
        plan_ahead_weeks: 6,
        shifts: { every: 'week', handoff: 'Monday 09:00' },
        stages: [{ stage: 1, members: members.map(id) }],
      });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      await t.app.duties.runAll();
      return made.body.id;
    }

    /** Who is on call in the first stage until the plan ends, as programs read it. */
    async function oncalls(which: 'propose' | 'apply'): Promise<Shift[]> {
      const range = `time_range[start]=${NOW}&time_range[end]=${UNTIL}`;
      const { body } = await t.get(`/schedules/${schedules[which]}/oncalls?${range}`);
      const rows = body.oncalls as { user: { name: string }; start_time: string; end_time: string }[];
      const local = (text: string) => Temporal.Instant.from(text).toZonedDateTimeISO(ZONE);
      return rows.map((row) => ({
        who: row.user.name,
        from: local(row.start_time),
        to: local(row.end_time),
      }));
    }

    const local = (at: Temporal.ZonedDateTime) => at.toPlainDateTime().toString().slice(0, 16);
    const hoursOf = ({ from, to }: Shift) => [local(from), local(to)];
    const text = (shift: Shift) => [shift.who, ...hoursOf(shift)].join(' ');
    /** A shift of which another person has the middle part. */
    const around = (shift: Shift, [from, to]: [string, string], taker: string) => {
      const [begins, ends] = hoursOf(shift);
      return [`${shift.who} ${begins} ${from}`, `${taker} ${from} ${to}`, `${shift.who} ${to} ${ends}`];
    };

    async function covers(which: 'propose' | 'apply'): Promise<Cover[]> {
      const { status, body } = await call('grace', 'GET', `/api/schedules/${schedules[which]}/covers`);
      assert.equal(status, 200, JSON.stringify(body));
      return (body as CoverList).covers;
    }
    const hours = ({ starts_at, ends_at }: { starts_at: string; ends_at: string }) =>
      [starts_at, ends_at].map((at) => local(Temporal.Instant.from(at).toZonedDateTimeISO(ZONE)));
    /** The Tuesday evenings within a person's shifts. */
    const evenings = (shifts: Shift[], who: string) =>
      shifts
        .filter((shift) => shift.who === who)
        .map(({ from }) => from.add({ days: (2 - from.dayOfWeek + 7) % 7 }).toPlainDate())
        .filter((day) => day.toString() >= '2027-03-09')
        .map((day) => [`${day}T18:00`, `${day}T20:00`]);

    it('keeps the published shifts, whole', async () => {
      assert.deepEqual((await oncalls('propose')).map(text), published.propose.map(text));
      assert.ok(published.propose.filter(({ who }) => who === 'Ada').length >= 2);
    });

    it('gets a cover proposed for exactly these hours of each of their shifts', async () => {
      const proposed = await covers('propose');
      assert.deepEqual(proposed.map(hours), evenings(await oncalls('propose'), 'Ada'));
      for (const cover of proposed) {
        assert.deepEqual([cover.person.name, cover.cause, cover.state], ['Ada', 'absence', 'proposed']);
        assert.deepEqual([cover.proposal?.complete, cover.proposal?.proven], [true, true]);
        assert.deepEqual(cover.proposal?.moves.map(hours), [hours(cover)]);
      }
    });

    it('is covered for these hours by somebody who takes them, and pages go to that person', async () => {
      const [cover] = (await covers('propose')) as [Cover];
      const taker = cover.proposal?.moves[0]?.gains.name ?? '';
      const taken = await call(taker.toLowerCase(), 'POST', `/api/covers/${cover.id}/take`, {});
      assert.equal(taken.status, 200, JSON.stringify(taken.body));
      const [from = '', to = ''] = hours(cover);
      const pieces = published.propose.flatMap((shift) => {
        const [begins = '', ends = ''] = hoursOf(shift);
        return begins < from && to < ends ? around(shift, [from, to], taker) : [text(shift)];
      });
      assert.equal(pieces.length, published.propose.length + 2);
      assert.deepEqual((await oncalls('propose')).map(text), pieces);
      for (const [minutes, person] of [
        [-1, 'ada'],
        [0, taker.toLowerCase()],
        [119, taker.toLowerCase()],
        [120, 'ada'],
      ] as const) {
        await t.clock.travelTo(t.db, Temporal.Instant.from(cover.starts_at).add({ minutes }));
        const request = await t.page('team', 'sre');
        await t.notified(person);
        const page = (await t.status(request)).page.id;
        const resolved = await call(person, 'POST', `/api/pages/${page}/resolve`, {});
        assert.equal(resolved.status, 200, JSON.stringify(resolved.body));
      }
    });

    it('is covered at once in schedules that apply covers', async () => {
      assert.deepEqual(
        (await covers('apply')).filter(({ state }) => state !== 'applied'),
        [],
      );
      const now = await oncalls('apply');
      const expected = published.apply.flatMap((shift) => {
        const [[from, to] = []] = evenings([shift], 'Eve');
        const taker = now.find((piece) => from !== undefined && hoursOf(piece)[0] === from)?.who ?? 'nobody';
        assert.notEqual(taker, 'Eve');
        return from && to ? around(shift, [from, to], taker) : [text(shift)];
      });
      assert.ok(expected.length >= published.apply.length + 4, expected.join('\n'));
      assert.deepEqual(now.map(text), expected);
    });

    it('has their turns in weeks that are planned later, each with its own covers', async () => {
      const planned = published.propose.at(-1)?.to.epochMilliseconds ?? 0;
      await t.clock.travelTo(t.db, NOW.add({ hours: 24 * 7 * 4 }));
      await t.app.duties.runAll();
      const later = (await oncalls('propose')).filter(({ from }) => from.epochMilliseconds >= planned);
      const expected = evenings(later, 'Ada');
      assert.ok(expected.length >= 1, later.map(text).join('\n'));
      const open = (await covers('propose')).filter(({ state }) => state === 'proposed').map(hours);
      assert.deepEqual(
        open.filter(([from = '']) => from >= (expected[0]?.[0] ?? '')),
        expected,
      );
    });
  });
