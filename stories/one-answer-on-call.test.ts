/**
 * Who is on call is answered by the public API, the timeline of the dashboard, the view *Now*, calendar feeds and the preview of a
 * page. After any changes, all of them give the same answer. `RUNS=200 npm test -- stories/one-answer-on-call.test.ts` tries more.
 */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** A Wednesday, some days before the clocks of Berlin are put back. */
const NOW = Temporal.Instant.from('2026-10-21T10:00:00Z');
const PEOPLE = ['ada', 'alan', 'grace', 'edsger', 'barbara'];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Calendars have whole seconds. */
const BESIDE_MS = 5_000;

const FORMS = ['two stages', 'layers', 'linked stage'] as const;
type Form = (typeof FORMS)[number];

const person = fc.nat(PEOPLE.length - 1);
const which = fc.nat(20);
const hours = fc.integer({ min: 1, max: 200 });
const stage = fc.integer({ min: 1, max: 2 });
const from = fc.integer({ min: -10, max: 600 });
const kind = <Name extends string>(name: Name) => fc.constant(name);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: kind('override'), person, stage, from, hours }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('end an override'), which }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('hand over'), which, person, half: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('swap'), which, other: which }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('away'), person, from: fc.nat(400), hours }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ kind: kind('members'), stage, seats: fc.integer({ min: 1, max: 2 }) },
      members: fc.uniqueArray(person, { minLength: 1 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: kind('shifts'),
      shifts: fc.constantFrom(
        { every: 'week', handoff: 'Friday 17:00' },
        // The clocks skip or repeat this time when they change.
        { every: 'week', handoff: 'Sunday 02:30' },
        { every: 'day', handoff: '09:00' },
      ),
    }),
  },
  // The first person makes the changes.
  { weight: 1, arbitrary: fc.record({ kind: kind('disable'), person: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('time'), hours: fc.integer({ min: 1, max: 120 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

type Person = { id: string; email: string };
type Shift = { id: string; stage: number; person: Person | null; starts_at: string; ends_at: string };
/** A person on call, such as `1 ada@example.com`, in epoch milliseconds. */
type OnCall = { who: string; from: number; to: number };

let t: Story;
let ada: SignedIn;

before(async () => {
  t = await story({
    organization: ({ url }) => ({
      people: Object.fromEntries(
        PEOPLE.map((name) => [name, { methods: [{ type: 'webhook' as const, value: `${url}${name}` }] }]),
      ),
      teams: { sre: { members: PEOPLE }, leads: { members: PEOPLE } },
    }),
  });
  await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'ada').execute();
  ada = await signIn(t, 'ada');
});
after(() => t.end());

const idOf = (index: number) => t.acme.users[PEOPLE[index] ?? ''] ?? '';
const now = async () => (await t.clock.now(t.db)).epochMilliseconds;
const iso = (ms: number) => new Date(ms).toISOString();
const pick = <One>(list: readonly One[], index: number): One | undefined => list[index % (list.length || 1)];

async function shiftsOf(schedule: string, from: number, to: number): Promise<Shift[]> {
  const path = `/api/schedules/${schedule}/shifts?from=${iso(from)}&to=${iso(to)}`;
  const { status, body } = await ada.call('GET', path);
  assert.equal(status, 200, JSON.stringify(body));
  return body.shifts;
}

async function create(body: Record<string, unknown>): Promise<string> {
  const made = await ada.call('POST', '/api/schedules', { plan_ahead_weeks: 5, ...body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.id;
}

/** Ends everything of the run before, and creates a schedule of this form; `linked`: that of its linked stage. */
async function begin(form: Form): Promise<{ schedule: string; linked: string | null; feed: string }> {
  await t.clock.travelTo(t.db, NOW);
  await t.db.deleteFrom('schedules').execute();
  await t.db.deleteFrom('availabilities').execute();
  await t.db.updateTable('users').set({ disabled_at: null }).execute();
  const all = PEOPLE.map((_, index) => idOf(index));
  const leads = await create({
    ...{ name: 'Leads', team: 'leads', time_zone: 'America/New_York', strategy: 'rotation' },
    shifts: { every: 'week', handoff: 'Wednesday 10:00' },
    stages: [{ stage: 1, members: all.slice(1) }],
  });
  const layer = (name: string, zone: string, from: string, to: string, members: string[]) => ({
    ...{ name, time_zone: zone, seats: 1, members },
    shifts: { every: 'week', handoff: 'Monday 00:00', hours: [{ days: ['mon-sun'], from, to }] },
  });
  const layers = [
    layer('Europe', 'Europe/Berlin', '08:00', '20:00', all.slice(0, 3)),
    layer('America', 'America/New_York', '13:00', '23:30', all.slice(2)),
  ];
  const second = form === 'linked stage' ? { linked_to: { schedule: leads, stage: 1 } } : { members: all };
  const first = form === 'layers' ? { layers } : { members: all };
  const schedule = await create({
    ...{ name: 'Nights', team: 'sre', time_zone: 'Europe/Berlin', strategy: 'fair', cover: 'apply' },
    shifts: { every: 'week', handoff: 'Monday 09:00' },
    stages: [
      { stage: 1, ...first },
      { stage: 2, ...second },
    ],
  });
  const { body } = await ada.call('POST', '/api/calendars', { kind: 'schedule', schedule });
  await t.app.duties.runAll();
  return { schedule, linked: form === 'linked stage' ? leads : null, feed: body.url };
}

/** Does a step, which the service may refuse; returns the status. */
async function act(form: Form, schedule: string, one: Step): Promise<number | null> {
  const at = await now();
  const path = `/api/schedules/${schedule}`;
  const send = async (...call: Parameters<SignedIn['call']>) => (await ada.call(...call)).status;
  const upcoming = async () =>
    (await shiftsOf(schedule, at, at + 60 * DAY_MS)).filter((shift) => shift.person);
  switch (one.kind) {
    case 'override':
      return send('POST', `${path}/overrides`, {
        ...{ stage: one.stage, user: idOf(one.person), starts_at: iso(at + one.from * HOUR_MS) },
        ends_at: iso(at + (one.from + one.hours) * HOUR_MS),
      });
    case 'end an override': {
      const { body } = await ada.call('GET', `${path}/overrides?from=${iso(at)}&to=${iso(at + 60 * DAY_MS)}`);
      const found = pick<{ id: string }>(body.overrides, one.which);
      return found ? send('DELETE', `${path}/overrides/${found.id}`) : null;
    }
    case 'hand over': {
      const shift = pick(await upcoming(), one.which);
      if (!shift) return null;
      const middle = (Math.max(at, Date.parse(shift.starts_at)) + Date.parse(shift.ends_at)) / 2;
      const half = one.half ? { starts_at: iso(Math.floor(middle / 60_000) * 60_000) } : {};
      return send('POST', `/api/shifts/${shift.id}/hand-over`, { to: idOf(one.person), ...half });
    }
    case 'swap': {
      const later = (await upcoming()).filter(({ starts_at }) => Date.parse(starts_at) > at);
      const [shift, other] = [pick(later, one.which), pick(later, one.other)];
      if (!shift || !other) return null;
      const { status, body } = await ada.call('POST', `/api/shifts/${shift.id}/swap`, { with: other.id });
      if (status >= 300) return status;
      const partner = PEOPLE.find((_, index) => idOf(index) === other.person?.id) ?? '';
      return (await (await signIn(t, partner)).call('POST', `/api/swaps/${body.swap.id}/accept`, {})).status;
    }
    case 'away':
      return send('POST', '/api/availabilities', {
        ...{ person: idOf(one.person), type: 'hard_unavailable', name: 'Away' },
        ...{ starts_at: iso(at + one.from * HOUR_MS), ends_at: iso(at + (one.from + one.hours) * HOUR_MS) },
      });
    case 'members': {
      if (form !== 'two stages') return null;
      const stages = [1, 2].map((number) => ({
        ...{ stage: number, seats: number === one.stage ? one.seats : 1 },
        members: number === one.stage ? one.members.map(idOf) : PEOPLE.map((_, index) => idOf(index)),
      }));
      return send('PATCH', path, { stages });
    }
    case 'shifts':
      return send('PATCH', path, { shifts: one.shifts });
    case 'disable':
      return send('POST', `/api/people/${idOf(one.person)}/disable`, {});
    case 'time':
      t.clock.advance({ hours: one.hours });
      await t.app.duties.runAll();
      return null;
  }
}

async function inApi(schedule: string, from: number, to: number): Promise<OnCall[]> {
  const found: OnCall[] = [];
  const path = `/schedules/${schedule}/oncalls?time_range[start]=${iso(from)}&time_range[end]=${iso(to)}`;
  for (let page = 1; ; page++) {
    const { status, body } = await t.get(`${path}&per_page=500&page=${page}`);
    assert.equal(status, 200, JSON.stringify(body));
    const rows = body.oncalls as { stage: number; user: Person; start_time: string; end_time: string }[];
    for (const row of rows)
      found.push({
        who: `${row.stage} ${row.user.email}`,
        ...{ from: Date.parse(row.start_time), to: Date.parse(row.end_time) },
      });
    if (!body.has_more) return found;
  }
}

function onTimeline(shifts: readonly Shift[]): OnCall[] {
  return shifts.flatMap(({ stage, person, starts_at, ends_at }) =>
    person ? [{ who: `${stage} ${person.email}`, from: Date.parse(starts_at), to: Date.parse(ends_at) }] : [],
  );
}

/** Calendars name people and not their stages. */
async function inCalendar(feed: string): Promise<OnCall[]> {
  const users = await t.db.selectFrom('users').select(['name', 'email']).execute();
  const calendar = new ICAL.Component(ICAL.parse(await (await fetch(feed)).text()));
  return calendar.getAllSubcomponents('vevent').flatMap((event) => {
    const [, name] = /^(.*?) on call/.exec(String(event.getFirstPropertyValue('summary'))) ?? [];
    const user = users.find((one) => one.name === name);
    const time = (property: string) =>
      (event.getFirstPropertyValue(property) as ICAL.Time).toJSDate().getTime();
    return user ? [{ who: user.email, from: time('dtstart'), to: time('dtend') }] : [];
  });
}

async function inView(schedule: string): Promise<string[]> {
  type Stage = { stage: number; now: { person: Person }[] };
  const { body } = await ada.call('GET', '/api/on-call');
  const all = body.teams.flatMap((team: { schedules: { id: string; stages: Stage[] }[] }) => team.schedules);
  const found = all.find(({ id }: { id: string }) => id === schedule);
  return found.stages.flatMap((one: Stage) => one.now.map(({ person }) => `${one.stage} ${person.email}`));
}

/** The people whom the stages of a page would notify. Somebody who is away does not hold up the next stage. */
async function inPreview(): Promise<string[]> {
  type PreviewStep = { kind: string; as: string; round: number; people: { person: Person }[] };
  const page = { kind: 'team', recipient: 'sre', urgency: 'high' };
  const { body } = await ada.call('POST', '/api/pages/preview', page);
  const stages = (body.steps as PreviewStep[]).filter(({ as, round }) => as === 'stage' && round === 1);
  return stages.flatMap(({ people }) => people.map(({ person }) => person.email));
}

const at = (list: readonly OnCall[], time: number) =>
  list.flatMap(({ who, from, to }) => (from <= time && time < to ? [who] : [])).toSorted();
const names = (list: readonly string[]) => list.map((who) => who.slice(2)).toSorted();

async function compare(
  { schedule, linked, feed }: Awaited<ReturnType<typeof begin>>,
  log: string,
): Promise<void> {
  const time = await now();
  const [from, to] = [time - 10 * DAY_MS, time + 40 * DAY_MS];
  const own = onTimeline(await shiftsOf(schedule, from, to));
  // The dashboard and calendars show the shifts of a linked stage in the schedule to which it is linked.
  const ofLink = linked ? (await shiftsOf(linked, from, to)).map((shift) => ({ ...shift, stage: 2 })) : [];
  const timeline = [...own, ...onTimeline(ofLink)];
  const [api, calendar] = [await inApi(schedule, from, to), await inCalendar(feed)];
  const edges = [...timeline, ...api, ...calendar].flatMap((one) => [
    one.from + BESIDE_MS,
    one.to - BESIDE_MS,
  ]);
  for (const when of new Set([time, ...edges.filter((one) => one > from && one < to)])) {
    const where = `${iso(when)}, now ${iso(time)}\n${log}`;
    assert.deepEqual(at(api, when), at(timeline, when), `the API at ${where}`);
    // A calendar begins some days ago.
    if (when > time - DAY_MS)
      assert.deepEqual(at(calendar, when), names(at(own, when)), `the calendar at ${where}`);
  }
  const shown = at(timeline, time);
  assert.deepEqual((await inView(schedule)).toSorted(), shown, `Now at ${iso(time)}\n${log}`);
  const paged = new Set(await inPreview());
  assert.deepEqual([...paged].toSorted(), [...new Set(names(shown))], `the preview at ${iso(time)}\n${log}`);
}

it('everything that says who is on call gives the same answer after any changes', async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...FORMS),
    fc.array(step, { minLength: 3, maxLength: 14 }),
    async (form, steps) => {
      const begun = await begin(form);
      let log: string = form;
      await compare(begun, log);
      for (const one of steps) {
        log += `\n${JSON.stringify(one)}: ${await act(form, begun.schedule, one)}`;
        await compare(begun, log);
      }
    },
  );
  const runs =
    process.env.RUNS === undefined ? { seed: 9, numRuns: 9 } : { numRuns: Number(process.env.RUNS) };
  // Each run takes seconds, so a failure is not shrunk; it says what was done.
  await fc.assert(property, { ...runs, endOnFailure: true });
});
