/**
 * `npm run bench -- schedules [quick]`: the cost of planning from the operator's file to published shifts; how fast a
 * late absence is covered, and with how few changes; how long planning blocks the event loop; and whether the list of
 * on-calls gets slower with the number of schedules. Uses a server with an embedded database of its own. `npm test`
 * runs the short form, `quick`.
 */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { applyFile } from '../src/apply/apply.ts';
import { settleDueCovers } from '../src/covers/settle-due.ts';
import { databaseClock } from '../src/db/clock.ts';
import { createDatabase, createPool, type Database } from '../src/db/database.ts';
import { createLog } from '../src/kit/log.ts';
import { createSealing } from '../src/kit/sealing.ts';
import { newId } from '../src/kit/typeid.ts';
import { createSolver } from '../src/planning/threads/solver.ts';
import { line, milliseconds, percentile } from './figures.ts';
import { measureHalts } from './halts.ts';
import { oncallRatio } from './oncalls.ts';
import { type RunningServer, startServer } from './server.ts';

const isQuick = process.argv[2] === 'quick';
const log = createLog('silent');
const solver = createSolver();

type Size = { name: string; people: number; weeks: number; every: 'week' | 'day' };
const SIZES: Size[] = [
  { name: 'weekly, 10 people, 26 weeks', people: 10, weeks: 26, every: 'week' },
  { name: 'daily, 10 people, 26 weeks', people: 10, weeks: 26, every: 'day' },
  { name: 'weekly, 50 people, 52 weeks', people: 50, weeks: 52, every: 'week' },
];
const YEARS: Size[] = [10, 50, 200].map((people) => ({
  ...{ name: `daily, ${people} people, 52 weeks`, people },
  ...{ weeks: 52, every: 'day' },
}));
const QUICK: Size[] = [{ name: 'weekly, 6 people, 8 weeks', people: 6, weeks: 8, every: 'week' }];

const ORGANIZATION = JSON.stringify({
  organization: { name: 'Bench', time_zone: 'UTC' },
  users: [{ email: 'ada@example.com', role: 'owner' }],
  teams: [{ slug: 'sre', members: ['ada@example.com'] }],
});
const opened: { db: Database; server: RunningServer }[] = [];

async function open(): Promise<{ db: Database; server: RunningServer }> {
  const server = await startServer(ORGANIZATION, {}, 'api');
  const db = createDatabase(createPool({ connection: server.connection, max: 4, name: 'bench' }));
  opened.push({ db, server });
  return { db, server };
}

const { db, server } = await open();
try {
  line('from the file to published shifts', 'time', 'solving', 'gap', 'again');
  for (const size of isQuick ? QUICK : SIZES) {
    const scheduleId = await plan(size);
    await mend(scheduleId, isQuick ? 3 : 15);
  }
  for (const size of isQuick ? QUICK : YEARS)
    await measureHalts({ db, solver }, await plan({ ...size, name: `${size.name}, anew` }));
  const schedules = isQuick ? 50 : 1_000;
  const { few, many, ratio } = await oncallRatio(
    { db, server, schedules: 10 },
    { ...(await open()), schedules },
    isQuick ? 50 : 400,
  );
  line('GET oncalls, 10 schedules: median', milliseconds(few));
  line(`GET oncalls, ${schedules} schedules, 5 years: median`, milliseconds(many));
  line('the second as a multiple of the first', ratio.toFixed(2));
} finally {
  for (const one of opened) {
    await one.db.destroy();
    await one.server.stop();
  }
}

async function plan(size: Size): Promise<string> {
  const services = {
    ...{ by: 'operator' as const, db, clock: databaseClock, solver, report: () => undefined },
    sealing: createSealing(randomBytes(32)),
  };
  const text = fileOf(size);
  const timed = async () => {
    const begun = performance.now();
    const applied = await applyFile(services, text, { dryRun: false, prune: false });
    return { applied, seconds: (performance.now() - begun) / 1_000 };
  };
  const { applied, seconds } = await timed();
  const again = await timed();
  const own = applied.plans.find(({ name }) => name === size.name);
  if (!own?.figures) throw new Error(`${size.name} was not solved`);
  if (again.applied.plans.some(({ added, changed, removed }) => added + changed + removed > 0))
    throw new Error(`${size.name} changed when it was planned again`);
  const { figures } = own;
  line(
    size.name,
    `${seconds.toFixed(2)} s`,
    `${figures.seconds.toFixed(2)} s`,
    figures.gap === null ? 'none' : `${(figures.gap * 100).toFixed(3)} %`,
    `${again.seconds.toFixed(2)} s`,
  );
  return own.id;
}

/**
 * Adds late absences one after the other, and measures the time until a cover is proposed and the number of changes.
 */
async function mend(scheduleId: string, times: number): Promise<void> {
  const shifts = await db
    .selectFrom('shifts')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .where('user_id', 'is not', null)
    .where('starts_at', '>', sql<Temporal.Instant>`now() + interval '14 days'`)
    .orderBy('starts_at')
    .execute();
  await settleDueCovers({ db, clock: databaseClock, solver }, log);
  const [durations, moves]: [number[], number[]] = [[], []];
  let proven = 0;
  for (let round = 0; round < times; round++) {
    const shift = shifts[Math.floor((round * shifts.length) / times)];
    if (!shift?.user_id) continue;
    const at = await databaseClock.now(db);
    const id = newId('availability');
    await db
      .insertInto('availabilities')
      .values({
        ...{ id, organization_id: shift.organization_id, user_id: shift.user_id },
        ...{ type: 'hard_unavailable', name: 'Ill', starts_at: shift.starts_at, ends_at: shift.ends_at },
        ...{ created_at: at, updated_at: at },
      })
      .execute();
    const begun = performance.now();
    await settleDueCovers({ db, clock: databaseClock, solver }, log);
    durations.push(performance.now() - begun);
    const { rows } = await sql<{ moves: number; proven: boolean }>`
      select jsonb_array_length(proposal -> 'moves') as moves, (proposal ->> 'proven')::boolean as proven
      from covers where availability_id = ${id} and proposal is not null`.execute(db);
    moves.push(...rows.map((row) => row.moves));
    proven += rows.filter((row) => row.proven).length;
  }
  line(
    '  mended: median, longest, changes at most, proven',
    milliseconds(percentile(durations, 0.5)),
    milliseconds(Math.max(...durations)),
    String(Math.max(...moves)),
    `${proven} of ${moves.length}`,
  );
}

/** People are away for about a tenth of the time, in stretches of up to two weeks. */
function fileOf({ name, people, weeks, every }: Size): string {
  let state = people * weeks;
  const random = () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4_294_967_296;
  };
  const emails = Array.from({ length: people }, (_, index) => `p${index + 1}@example.com`);
  const today = Temporal.Now.plainDateISO('UTC');
  const availabilities = emails.flatMap((user) => {
    const found: { user: string; type: string; start: string; end: string }[] = [];
    for (let total = 0; total < 0.1 * weeks * 7; ) {
      const start = today.add({ days: 1 + Math.floor(random() * weeks * 7) });
      const days = 1 + Math.floor(random() * 14);
      const type = random() < 0.7 ? 'hard_unavailable' : 'soft_unavailable';
      total += days;
      // Nobody may have two records with the same start.
      if (found.some((one) => one.start.startsWith(`${start}`))) continue;
      found.push({ user, type, start: `${start}T00:00:00Z`, end: `${start.add({ days })}T00:00:00Z` });
    }
    return found;
  });
  const shifts = every === 'week' ? { every, handoff: 'Monday 09:00' } : { every, handoff: '09:00' };
  const stages = [1, 2].map((stage) => ({ stage, members: emails }));
  return JSON.stringify({
    organization: { name: 'Bench' },
    users: emails.map((email) => ({ email })),
    teams: [{ slug: 'sre', members: emails }],
    schedules: [
      // `elsewhere` is `allow`, because schedules of different sizes share their people.
      {
        name,
        team: 'sre',
        strategy: 'fair',
        plan_ahead_weeks: weeks,
        rest_hours: 24,
        elsewhere: 'allow',
        shifts,
        stages,
      },
    ],
    availabilities,
  });
}
