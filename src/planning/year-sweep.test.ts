import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Api, startApi } from '../../testing/schedules/api.ts';

const ZONES = [
  'America/New_York',
  'Europe/Paris',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Pacific/Apia',
  'America/St_Johns',
  'Europe/Dublin',
];
const YEAR = { start: '2026-11-23T00:00:00Z', end: '2027-11-15T00:00:00Z' };
const WEEKEND = { days: ['sat-sun'], from: '00:00', to: '24:00' };
const DAYTIME = { days: ['mon-fri'], from: '08:00', to: '20:00' };
const NIGHTS = { days: ['mon-thu'], from: '20:00', to: '08:00' };
const FRIDAY = { days: ['fri'], from: '20:00', to: '24:00' };
const MONDAY = { days: ['mon'], from: '00:00', to: '08:00' };

/** Each stage has its own pattern and people. */
const STAGES = [
  { shifts: { every: 'week', handoff: 'Monday 09:00' } },
  { shifts: { every: 'day', handoff: '02:30' } },
  { shifts: { every: '12 hours', handoff: '08:00' } },
  { shifts: { every: '7 hours', handoff: '00:00' } },
  { shifts: { rrule: 'FREQ=WEEKLY;BYDAY=MO,TH', handoff: '17:00' } },
  { shifts: { every: 'week', hours: [{ days: ['mon-fri'], from: '09:00', to: '17:00' }] } },
  {
    layers: [
      { shifts: { every: 'week', hours: [DAYTIME] } },
      { shifts: { every: 'day', handoff: '20:00', hours: [NIGHTS, FRIDAY, MONDAY] } },
      { shifts: { every: 'week', handoff: 'Saturday 00:00', hours: [WEEKEND] } },
    ],
  },
];

type Shift = { from: number; to: number; who: string };

function local(ms: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
}

/** All shifts of the year by stage, read page by page, as any program reads them. */
async function readYear({ get }: Api, id: string): Promise<Map<number, Shift[]>> {
  const range = `time_range[start]=${YEAR.start}&time_range[end]=${YEAR.end}`;
  const shifts: (Shift & { stage: number })[] = [];
  for (let page = 1; ; page++) {
    const { status, body } = await get(`/schedules/${id}/oncalls?${range}&per_page=500&page=${page}`);
    assert.equal(status, 200);
    for (const entry of body.oncalls as {
      stage: number;
      start_time: string;
      end_time: string;
      user: { name: string };
    }[])
      shifts.push({
        ...{ stage: entry.stage, who: entry.user.name },
        ...{ from: Date.parse(entry.start_time), to: Date.parse(entry.end_time) },
      });
    if (!body.has_more) return Map.groupBy(shifts, ({ stage }) => stage);
  }
}

function assertWhole(shifts: readonly Shift[], what: string): void {
  for (const [index, shift] of shifts.slice(1).entries())
    assert.equal(shift.from, shifts[index]?.to, `${what}: no hole, no overlap`);
  assert.ok((shifts[0]?.from ?? Number.NaN) <= Date.parse(YEAR.start), what);
  assert.ok((shifts.at(-1)?.to ?? Number.NaN) >= Date.parse(YEAR.end), what);
}

/** The configured local time, or the next existing time if the clocks skip it. */
function assertAt(shifts: readonly Shift[], zone: string, times: readonly string[]): void {
  for (const { from } of shifts) {
    const start = local(from, zone);
    const wanted = times.map((time) =>
      start.toPlainDate().toZonedDateTime({ timeZone: zone, plainTime: time }),
    );
    assert.ok(
      wanted.some((time) => time.epochMilliseconds === from),
      `${zone}: ${start} is none of ${times.join(', ')}`,
    );
  }
}

/** Opening hours of every day of the year, computed day by day. */
function assertOpen(shifts: readonly Shift[], zone: string): void {
  const wanted: string[] = [];
  const last = Date.parse(YEAR.end);
  for (let date = Temporal.PlainDate.from('2026-11-22'); ; date = date.add({ days: 1 })) {
    const at = (plainTime: string) => date.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds;
    if (at('09:00') >= last) break;
    if (date.dayOfWeek < 6 && at('17:00') > Date.parse(YEAR.start))
      wanted.push(`${at('09:00')} ${at('17:00')}`);
  }
  assert.deepEqual(
    shifts.map(({ from, to }) => `${from} ${to}`),
    wanted,
  );
  const weeks = Map.groupBy(shifts, ({ from }) => {
    const { yearOfWeek, weekOfYear } = local(from, zone);
    return `${yearOfWeek} ${weekOfYear}`;
  });
  for (const week of weeks.values())
    assert.equal(new Set(week.map(({ who }) => who)).size, 1, 'one person a week');
}

describe('a year of every pattern', () => {
  for (const zone of ZONES)
    it(`follows the clocks of ${zone}`, async (t) => {
      const handles = STAGES.flatMap((_, index) =>
        ['x', 'y', 'z', 'u', 'v', 'w'].map((name) => `${name}${index + 1}`),
      );
      const api = await startApi(t, handles);
      const people = (index: number, layer: number) =>
        handles.slice(index * 6 + layer * 2, index * 6 + layer * 2 + 2);
      const { id } = await api.rota.save({
        ...{ timeZone: zone, planAheadWeeks: 53 },
        stages: STAGES.map(({ shifts, layers = [{ shifts }] }, index) => ({
          layers: layers.map((layer, at) => ({ ...layer, members: people(index, at) })),
        })),
      });
      const year = await readYear(api, id);
      const of = (stage: number) => year.get(stage) ?? assert.fail(`stage ${stage} has no shifts`);
      for (const stage of [1, 2, 3, 4, 5, 7]) assertWhole(of(stage), `${zone}, stage ${stage}`);
      assertAt(of(1), zone, ['09:00']);
      assert.ok(of(1).every(({ from }) => local(from, zone).dayOfWeek === 1));
      assertAt(of(2), zone, ['02:30']);
      assertAt(of(3), zone, ['08:00', '20:00']);
      assert.ok(of(4).every(({ from, to }) => to - from === 7 * 3_600_000));
      assertAt(of(5), zone, ['17:00']);
      assert.ok(of(5).every(({ from }) => [1, 4].includes(local(from, zone).dayOfWeek)));
      assertOpen(of(6), zone);
      assertAt(of(7), zone, ['00:00', '08:00', '20:00']);
      const again = await api.rota.plan(id);
      assert.deepEqual([again.added, again.changed, again.removed], [0, 0, 0]);
    });
});
