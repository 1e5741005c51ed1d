/**
 * CP-SAT, another solver, with models written from docs/planning.md and docs/planning-rules.md alone, checks
 * plans and repairs that the service made over its API.
 */
import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LIMIT_FIELDS } from '../src/schedules/limits-contract.ts';
import type { Reason } from '../src/schedules/planner.ts';
import {
  type Drawn,
  drawnPlan,
  drawnRepair,
  type Given,
  type PlannedPlace,
  placesOf,
  since,
  withHolidays,
  withHours,
  withLayers,
  withLinkedStage,
} from '../testing/planning/drawn-plans.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const here = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const PYTHON = here('node_modules/.cache/tocsin-test-python/bin/python');
const seeds = (wanted: string | undefined, usual: readonly number[]) => {
  if (!wanted) return usual;
  const numbers = wanted.split(',').map(Number);
  return numbers.length > 1 ? numbers : Array.from({ length: numbers[0] ?? 0 }, (_, index) => index + 1);
};
/**
 * Plans and repairs that are solved quickly. `INDEPENDENT_PLANS=60 INDEPENDENT_REPAIRS=30` is a longer run, and
 * `INDEPENDENT_LAYERS=16,54` runs these again. 60 plans of one kind take two to five minutes.
 */
const PLANS = seeds(process.env.INDEPENDENT_PLANS, [16, 35, 48, 65, 87, 88, 92, 99, 116]);
const HOLIDAYS = seeds(process.env.INDEPENDENT_HOLIDAYS, [1, 2, 7]);
const LINKED = seeds(process.env.INDEPENDENT_LINKED, [1, 2, 5]);
const LAYERS = seeds(process.env.INDEPENDENT_LAYERS, [1, 2, 4]);
const HOURS = seeds(process.env.INDEPENDENT_HOURS, [2, 4, 58]);
const REPAIRS = seeds(process.env.INDEPENDENT_REPAIRS, [13, 14]);

const isInstalled = existsSync(join(dirname(PYTHON), '../installed.txt'));
/** Not every machine has Python and access to PyPI; the run reports that. */
const skip = isInstalled
  ? false
  : 'needs Python 3.10 or later and packages from PyPI; to see what is missing, run: sh scripts/test-python.sh';

const NO_LIMITS = Object.fromEntries(Object.values(LIMIT_FIELDS).map((name) => [name, null]));
/** A Monday. */
const START = Temporal.Instant.from('2027-03-01T10:00:00Z');
const PEOPLE = ['ada', 'ben', 'cleo', 'dan', 'eve', 'fay'];

/** `complete`: whether the best plan is known, not only a bound. */
type Answer = { name: string; wrong: string[]; complete: boolean };

/** One process for all tests, because it takes half a second to start. */
function cpSat() {
  const child = spawn(PYTHON, [here('testing/clients/plan_model.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(task: object): Promise<Answer> {
      child.stdin.write(`${JSON.stringify(task)}\n`);
      const { value, done } = await answers.next();
      if (done) throw new Error('CP-SAT ended without an answer; its error message is above');
      return JSON.parse(value);
    },
    async end(): Promise<void> {
      child.stdin.end();
      await ended;
    },
  };
}

describe('another solver', { skip }, () => {
  let t: Story;
  let ada: SignedIn;
  let schedule = '';
  /** The other schedule, in which some people are on call as well. */
  let other = '';
  /** The public holidays of the schedule, as the service gives them. */
  let free: string[] = [];
  let model: ReturnType<typeof cpSat>;
  const id = (name: string) => t.acme.users[name] ?? '';
  const nameOf = (userId: string) => PEOPLE.find((name) => id(name) === userId) ?? null;

  before(async () => {
    model = cpSat();
    t = await story({
      organization: {
        people: Object.fromEntries(PEOPLE.map((name) => [name, {}])),
        teams: { sre: { members: PEOPLE }, web: { members: PEOPLE } },
      },
    });
    await t.db.updateTable('users').set({ role: 'admin' }).execute();
    await t.clock.travelTo(t.db, START);
    ada = await signIn(t, 'ada');
  });
  after(async () => {
    await model?.end();
    await t?.end();
  });

  async function call(method: string, path: string, body?: unknown) {
    const answer = await ada.call(method, path, body);
    assert.ok(
      answer.status < 300,
      `${method} ${path} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`,
    );
    return answer.body;
  }

  async function clear(): Promise<void> {
    await t.db.deleteFrom('availabilities').execute();
    await t.db.updateTable('schedule_stages').set({ linked_schedule_id: null }).execute();
    await t.db.deleteFrom('schedules').execute();
    await t.db.deleteFrom('holiday_calendars').execute();
  }

  const away = (record: Drawn['records'][number]) =>
    call('POST', '/api/availabilities', {
      ...{ person: id(record.who), type: record.type, name: '' },
      starts_at: new Date(record.from).toISOString(),
      ends_at: new Date(record.to).toISOString(),
    });

  /** Everything that a schedule contains; `reversed`: with its lists in another order. */
  function bodyOf(drawn: Drawn, reversed = false) {
    const order = <T>(list: readonly T[]) => (reversed ? list.toReversed() : [...list]);
    return {
      ...{ name: 'SRE', team: 'sre', time_zone: drawn.zone, strategy: 'fair' },
      plan_ahead_weeks: drawn.weeks,
      ...{ rest_hours: drawn.restHours, small_absence_hours: drawn.smallHours },
      shifts: drawn.shifts,
      ...{
        limits: { ...NO_LIMITS, ...drawn.limits },
        weights: drawn.weights,
        never_two_juniors: drawn.neverTwoJuniors,
        never_together: order(drawn.neverTogether).map((group) => order(group).map(id)),
        shadows: order(drawn.shadows).map(({ who, of }) => ({
          person: id(who),
          of: of === null ? null : id(of),
        })),
        only_with: drawn.onlyWith.map((rule) => ({
          people: rule.people?.map(id) ?? null,
          with: order(rule.with).map(id),
        })),
      },
      ...{ elsewhere: drawn.elsewhere, count_elsewhere: drawn.countElsewhere },
      shares: order(Object.entries(drawn.shares)).map(([who, percent]) => ({ person: id(who), percent })),
      people: order(Object.entries(drawn.people)).map(([who, rules]) => ({ person: id(who), ...rules })),
      stages: order([
        ...drawn.stages.map(({ stage, seats, members, layers }) => ({
          ...{ stage, seats, members: order(members).map(id) },
          ...(layers
            ? {
                layers: layers.map(({ zone, members: own, ...layer }) => ({
                  ...layer,
                  ...(zone ? { time_zone: zone } : {}),
                  members: order(own).map(id),
                })),
              }
            : {}),
        })),
        ...(drawn.linkedStage === undefined
          ? []
          : [{ stage: drawn.linkedStage, members: [], linked_to: { schedule: other, stage: 1 } }]),
      ]),
    };
  }

  async function made(drawn: Drawn, reversed = false): Promise<void> {
    await clear();
    for (const record of reversed ? drawn.records.toReversed() : drawn.records) await away(record);
    const calendars = [
      ...(drawn.holidays
        ? [{ name: 'Days', days: drawn.holidays.map((date) => ({ date, name: 'Free' })) }]
        : []),
      ...(drawn.country ? [{ name: 'Country', ...drawn.country }] : []),
    ];
    free = [];
    for (const calendar of calendars) {
      const { days } = await call('POST', '/api/holiday-calendars', calendar);
      free.push(...(days as { date: string }[]).map(({ date }) => date));
    }
    if (drawn.isElsewhere)
      ({ id: other } = await call('POST', '/api/schedules', {
        ...{ name: 'Web', team: 'web', time_zone: drawn.zone, strategy: 'rotation', elsewhere: 'allow' },
        ...{ plan_ahead_weeks: drawn.weeks + 1, shifts: { every: 'week', handoff: 'Wednesday 10:00' } },
        stages: [{ stage: 1, members: ['ada', 'cleo', 'eve'].map(id) }],
      }));
    schedule = (await call('POST', '/api/schedules', bodyOf(drawn, reversed))).id;
  }

  const rows = (scheduleName: string) =>
    t.db
      .selectFrom('shifts')
      .innerJoin('schedules', 'schedules.id', 'shifts.schedule_id')
      .where('schedules.name', '=', scheduleName)
      .select([
        'stage',
        'seat',
        'starts_at',
        'ends_at',
        'planned_user_id',
        'planned_starts_at',
        'planned_ends_at',
        'shifts.user_id',
        'reason',
      ])
      .orderBy('starts_at')
      .orderBy('stage')
      .orderBy('seat')
      .execute();

  /** `plannedFrom`: where the shift begins of which this is a part. */
  type ShownPlace = PlannedPlace & { plannedFrom: number };

  async function shifts(): Promise<ShownPlace[]> {
    const now = (await t.clock.now(t.db)).epochMilliseconds;
    const { shifts: found } = await call(
      'GET',
      `/api/schedules/${schedule}/shifts?from=${new Date(now).toISOString()}&to=${new Date(now + 300 * 86_400_000).toISOString()}`,
    );
    type Shown = {
      stage: number;
      seat: number;
      starts_at: string;
      ends_at: string;
      person: { id: string } | null;
    };
    const keyOf = (stage: number, seat: number, to: number) => `${stage} ${seat} ${to}`;
    const starts = new Map(
      (await rows('SRE')).map(({ stage, seat, ends_at, planned_starts_at }) => [
        keyOf(stage, seat, ends_at.epochMilliseconds),
        planned_starts_at?.epochMilliseconds,
      ]),
    );
    return (found as Shown[]).map(({ stage, seat, starts_at, ends_at, person }) => {
      const [from, to] = [Date.parse(starts_at), Date.parse(ends_at)];
      const plannedFrom = starts.get(keyOf(stage, seat, to)) ?? from;
      return { stage, seat, from, to, who: person && nameOf(person.id), plannedFrom };
    });
  }

  async function elsewhere(): Promise<Record<string, [number, number][]>> {
    const found: Record<string, [number, number][]> = {};
    for (const { user_id, starts_at, ends_at } of await rows('Web')) {
      const who = nameOf(user_id ?? '');
      if (!who) continue;
      found[who] ??= [];
      found[who].push([starts_at.epochMilliseconds, ends_at.epochMilliseconds]);
    }
    return found;
  }

  /** Whether the service shows this as the place or a part of it. */
  const isOf = (place: PlannedPlace, { stage, seat, to }: PlannedPlace) =>
    stage === place.stage && seat === place.seat && place.from < to && to <= place.to;

  /**
   * A place with its person. Somebody may have only the rest of a shift that runs when the schedule is made. The part that
   * has ended when the schedule is edited is not shown, and counts.
   */
  function withPerson(
    place: PlannedPlace,
    have: readonly ShownPlace[],
    before?: readonly ShownPlace[],
  ): PlannedPlace {
    const pieces = have.filter((one) => isOf(place, one));
    const who = pieces.find(({ to }) => to === place.to)?.who ?? null;
    const now = who && (place.parts || pieces.length === 1) ? pieces : [];
    const known = before?.filter((one) => isOf(place, one)) ?? now;
    const begun = known.map(({ from, plannedFrom }) => (place.parts ? plannedFrom : from));
    return { ...since(place, begun.length > 0 ? Math.min(...begun) : place.from), who };
  }

  /** The problem for CP-SAT, with shifts from hand-offs and hours that the test computes itself. */
  async function given(name: string, drawn: Drawn, before?: ShownPlace[]): Promise<Given> {
    const { plan } = await call('GET', `/api/schedules/${schedule}/plan`);
    const now = Date.parse(plan.starts_at);
    const have = await shifts();
    const wholes = placesOf(drawn, now);
    const found = wholes.map((place) => withPerson(place, have, before));
    // If somebody has only the rest of a running shift, all was solved again with the rest of those that nobody has.
    const isRest = !before && found.some(({ from, who }, index) => who && from !== wholes[index]?.from);
    const places = found.map((place) => (isRest && place.who === null ? since(place, now) : place));
    const inHours = places.filter(({ parts }) => parts);
    for (const place of inHours) {
      const shown = have.filter((one) => isOf(place, one));
      const left = since(place, now).parts ?? [];
      assert.deepEqual(
        shown.map(({ from, to, who }) => [Math.max(from, now), to, who]),
        left.map(([from, to]) => [from, to, place.who]),
        `one person has all the hours of a shift: ${name}`,
      );
    }
    const others = have.filter((one) => !inHours.some((place) => isOf(place, one)));
    const isWhole =
      others.every(({ stage, seat, from, to }) =>
        places.some((one) => one.stage === stage && one.seat === seat && one.to === to && one.from <= from),
      ) && others.length + inHours.length === places.length;
    const pieces = [...inHours, ...others];
    return {
      ...{
        kind: 'plan',
        name,
        now,
        ...drawn,
        elsewhereShifts: await elsewhere(),
        slots: places,
        holidays: free,
      },
      ...(isWhole ? {} : { pieces }),
      ...{ figures: plan.figures, ...(before ? { before } : {}) },
    };
  }

  type Moved = { stage: number; seat: number; starts_at: string; ends_at: string; gains: { id: string } };
  type Proposed = Omit<Moved, 'gains'> & { proposal: { moves: Moved[]; proven: boolean } | null };
  const length = ({ starts_at, ends_at }: { starts_at: string; ends_at: string }) =>
    Date.parse(ends_at) - Date.parse(starts_at);

  /** What all proposals together change, and the time in milliseconds that they leave uncovered. */
  async function repairsFound(now: number) {
    const from = new Date(now).toISOString();
    const { covers } = await call('GET', `/api/schedules/${schedule}/covers?from=${from}`);
    const found = covers as Proposed[];
    const all = found.flatMap(({ proposal }) => proposal?.moves ?? []);
    const moves = [...new Map(all.map((move) => [JSON.stringify(move), move])).values()];
    const uncovered = found.reduce((sum, cover) => {
      const isOf = ({ stage, seat, starts_at, ends_at }: Moved) =>
        stage === cover.stage &&
        seat === cover.seat &&
        starts_at < cover.ends_at &&
        cover.starts_at < ends_at;
      return sum + length(cover) - moves.filter(isOf).reduce((covered, move) => covered + length(move), 0);
    }, 0);
    const proven = found.every(({ proposal }) => proposal?.proven ?? true);
    return { uncovered, changes: moves.length, proven };
  }

  const told = (places: readonly PlannedPlace[]) =>
    places.map(({ stage, seat, to, who }) => `${stage} ${seat} ${to} ${who}`).sort();

  /** The plans and repairs that CP-SAT finds wrong, or could not solve to the end. */
  async function disputed(tasks: readonly object[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (const task of tasks) answers.push(await model.ask(task));
    return answers.filter(({ wrong, complete }) => wrong.length > 0 || !complete);
  }

  /** Makes a plan, the same plan again, and a plan after an edit, and has CP-SAT check them. */
  async function check(all: readonly (Drawn & { seed: number })[]): Promise<void> {
    const tasks: Given[] = [];
    const wrong: string[] = [];
    const same = (now: string[], first: string[], what: string) => {
      const differ = now.filter((one) => !first.includes(one)).length;
      if (differ > 0) wrong.push(`${differ} of ${first.length} differ ${what}`);
    };
    for (const { seed, ...drawn } of all) {
      await made(drawn);
      const name = `plan ${seed} ${drawn.what}`;
      const task = await given(name, drawn);
      tasks.push(task);
      const first = told(await shifts());
      const isBest = task.figures?.gap === 0 && !task.pieces;
      // Planned again from its own result. A plan that is not proven optimal, or that shares shifts, may improve.
      if (isBest) {
        await t.db.updateTable('schedules').set({ settled: null }).execute();
        await call('PATCH', `/api/schedules/${schedule}`, { rest_hours: drawn.restHours });
        const isShared = (await rows('SRE')).some(({ reason }) => (reason as Reason | null)?.shared);
        if (!isShared) same(told(await shifts()), first, `planned again: ${name}`);
      }
      if (seed % 3 === 0 && isBest) {
        await made(drawn, true);
        same(told(await shifts()), first, `in another order: ${name} ${JSON.stringify(task.figures)}`);
      }
      // A new rule forbids some published shifts.
      if (seed % 2 === 0 && drawn.edit) {
        await made(drawn);
        const published = await shifts();
        const edited = { ...drawn, ...drawn.edit };
        const { changes } = await call('PATCH', `/api/schedules/${schedule}`, bodyOf(edited));
        if (changes.length > 0) tasks.push(await given(`edit ${seed} ${drawn.what}`, edited, published));
      }
    }
    assert.deepEqual([...(await disputed(tasks)), ...wrong], []);
  }

  const drawnPlans = async (
    all: readonly number[],
    vary: (drawn: Drawn, seed: number, now: number) => Drawn,
  ) => {
    const now = (await t.clock.now(t.db)).epochMilliseconds;
    return all.map((seed) => ({ ...vary(drawnPlan(seed, now), seed, now), seed }));
  };

  it(`finds no better plan, and the same rules kept (${PLANS.length} plans)`, async () => {
    await check(await drawnPlans(PLANS, (drawn) => drawn));
  });

  it(`finds no better plan with public holidays (${HOLIDAYS.length} plans)`, async () => {
    await check(await drawnPlans(HOLIDAYS, withHolidays));
  });

  it(`finds no better plan beside a linked stage (${LINKED.length} plans)`, async () => {
    await check(await drawnPlans(LINKED, withLinkedStage));
  });

  it(`finds no better plan for a stage in layers (${LAYERS.length} plans)`, async () => {
    await check(await drawnPlans(LAYERS, withLayers));
  });

  it(`finds no better plan for layers with hours (${HOURS.length} plans)`, async () => {
    // At other times of the day and of the week, so that shifts run, pause or are about to begin.
    for (const seed of HOURS) {
      await t.clock.travelTo(t.db, START.add({ hours: 29 * (seed % 7) }));
      await check(await drawnPlans([seed], withHours));
    }
    await t.clock.travelTo(t.db, START);
  });

  it(`finds no repair with fewer changes (${REPAIRS.length} repairs)`, async () => {
    const tasks: object[] = [];
    for (const seed of REPAIRS) {
      const now = (await t.clock.now(t.db)).epochMilliseconds;
      const drawn = drawnRepair(seed, now);
      await made(drawn);
      const published = await shifts();
      const task = await given('', drawn);
      const late = drawn.late(published);
      for (const record of late) await away(record);
      await t.app.duties.runAll();
      await t.app.duties.runAll();
      const found = await repairsFound(now);
      tasks.push({
        ...task,
        ...{ kind: 'repair', name: `repair ${seed} ${drawn.what}`, shifts: published },
        records: [...drawn.records, ...late],
        ...found,
      });
      t.receiver.inbox.takeAll();
    }
    assert.deepEqual(await disputed(tasks), []);
  });
});
