import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CoverRota, startCovers, weekly } from '../../testing/covers/story.ts';
import { Fault } from '../kit/fault.ts';
import { type Acting, lockRota } from './acting.ts';
import { handOver } from './hand-over.ts';
import { declineCover, offerShift, withdrawCover } from './offer.ts';
import { addOverride, removeOverride } from './override.ts';
import { acceptSwap, proposeSwap } from './swap.ts';
import { applyCover, takeCover } from './take.ts';

const PEOPLE = ['ada', 'alan', 'grace', 'joan', 'linus'];
const HOUR = 3_600_000;

/** A random action; the numbers choose among the existing objects. */
const step = fc.record({
  what: fc.constantFrom(
    ...(['away', 'away', 'back', 'take', 'apply', 'decline', 'offer', 'withdraw', 'hand', 'swap'] as const),
    ...(['override', 'restore', 'later', 'settle'] as const),
  ),
  who: fc.constantFrom(...PEOPLE),
  which: fc.nat(1_000),
  /** Hours from now and of length. */
  from: fc.nat(24 * 28),
  long: fc.integer({ min: 1, max: 24 * 10 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

test('whatever people do, no seat is lost or doubled, nobody is in two places, and the plan stays visible', async (t) => {
  const rota = await startCovers(t, PEOPLE);
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('propose', 'apply'),
      fc.constantFrom(0, 24),
      fc.array(step, { minLength: 5, maxLength: 25 }),
      async (cover, restHours, steps) => {
        await rota.db.deleteFrom('availabilities').execute();
        await rota.db.deleteFrom('schedules').execute();
        const story = { ...weekly, name: `Run ${++runs}`, cover, restHours } as const;
        const { id } = await rota.save({
          ...story,
          shifts: { every: 'day', handoff: '09:00' },
          stages: [{ members: PEOPLE }, { members: PEOPLE, seats: 2 }],
        });
        const before = await rota.shifts(id);
        const done: string[] = [];
        for (const one of steps) {
          done.push(`${one.what} ${await perform(rota, id, one)}`);
          check(before, await rota.shifts(id), done.join('; '));
        }
      },
    ),
    { numRuns: 30 },
  );
});

type Shifts = Awaited<ReturnType<CoverRota['shifts']>>;

function check(before: Shifts, after: Shifts, story: string): void {
  const spans = after.map((shift) => ({
    ...shift,
    start: Date.parse(shift.from),
    end: Date.parse(shift.to),
  }));
  // An override may be after the end of the plan.
  const end = Math.max(...before.map(({ to }) => Date.parse(to)));
  const until = (to: string) => Math.min(Date.parse(to), end);
  const hours = (shifts: Shifts) =>
    shifts.reduce((sum, { from, to }) => sum + Math.max(0, until(to) - Date.parse(from)), 0) / HOUR;
  assert.equal(hours(after), hours(before), `hours are kept: ${story}`);
  for (const [index, one] of spans.entries())
    for (const other of spans.slice(index + 1)) {
      if (one.who === null || one.who !== other.who) continue;
      const together = one.start < other.end && other.start < one.end;
      assert.ok(!together, `${one.who} is in two places at ${one.from} and ${other.from}: ${story}`);
    }
  for (const { stage, seat, planned, from, to } of before) {
    const pieces = after.filter(
      (piece) =>
        piece.stage === stage &&
        piece.seat === seat &&
        // As times, because text with milliseconds sorts before the same second without them.
        Date.parse(piece.from) < Date.parse(to) &&
        Date.parse(from) < Date.parse(piece.to),
    );
    assert.deepEqual(new Set(pieces.map((piece) => piece.planned)), new Set([planned]), `planned: ${story}`);
  }
}

/** Acts as an owner would; a refused action changes nothing. */
async function perform(rota: CoverRota, scheduleId: string, one: Step): Promise<string> {
  const { db, clock, organizationId, people } = rota;
  const now = await clock.now(db);
  const span = { from: now.add({ hours: one.from - 24 }), to: now.add({ hours: one.from - 24 + one.long }) };
  if (one.what === 'away') {
    await rota.away(one.who, span.from.toString(), span.to.toString());
    await rota.settle();
    return one.who;
  }
  if (one.what === 'back') {
    await db
      .deleteFrom('availabilities')
      .where('user_id', '=', people[one.who] ?? '')
      .execute();
    await rota.settle();
    return one.who;
  }
  if (one.what === 'later') rota.clock.advance({ hours: one.which % 30 });
  if (one.what === 'settle' || one.what === 'later') {
    await rota.settle();
    return '';
  }
  try {
    await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      const viewer = { organizationId, userId: people[one.who] ?? '', role: 'owner' as const };
      await act({ tx, at, viewer }, scheduleId, one);
    });
    return one.who;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return `${one.who}, refused`;
  }
}

async function act(doing: Acting, scheduleId: string, one: Step): Promise<void> {
  const { tx, at, viewer } = doing;
  const shifts = await tx
    .selectFrom('shifts')
    .select(['id', 'user_id'])
    .where('schedule_id', '=', scheduleId)
    .where('ends_at', '>', at)
    .orderBy('starts_at')
    .orderBy('stage')
    .orderBy('seat')
    .execute();
  const covers = await tx
    .selectFrom('covers')
    .select('id')
    .where('schedule_id', '=', scheduleId)
    .where('state', 'in', ['open', 'proposed'])
    .orderBy('starts_at')
    .orderBy('stage')
    .orderBy('seat')
    .execute();
  const shift = shifts[one.which % Math.max(1, shifts.length)]?.id ?? '';
  const other = shifts[(one.which * 7 + one.from) % Math.max(1, shifts.length)]?.id ?? '';
  const cover = covers[one.which % Math.max(1, covers.length)]?.id ?? '';
  const part = {
    starts_at: at.add({ hours: one.from }).toString(),
    ends_at: at.add({ hours: one.from + one.long }).toString(),
  };
  const whole = one.which % 2 === 0;
  if (one.what === 'take') await takeCover(doing, cover, whole ? {} : part);
  if (one.what === 'apply') await applyCover(doing, cover);
  if (one.what === 'decline') await declineCover(doing, cover);
  if (one.what === 'withdraw') await withdrawCover(doing, cover);
  if (one.what === 'offer') await offerShift(doing, shift, whole ? {} : part);
  if (one.what === 'hand') await handOver(doing, shift, { to: viewer.userId, ...(whole ? {} : part) });
  if (one.what === 'override')
    await addOverride(doing, scheduleId, { stage: 1 + (one.which % 2), user: viewer.userId, ...part });
  if (one.what === 'swap') {
    const { swapId } = await proposeSwap(doing, shift, { with: other });
    await acceptSwap(doing, swapId);
  }
  if (one.what === 'restore') {
    await lockRota(doing, scheduleId);
    const row = await tx
      .selectFrom('overrides')
      .select('id')
      .where('schedule_id', '=', scheduleId)
      .where('ends_at', '>', at)
      .orderBy('starts_at')
      .orderBy('stage')
      .executeTakeFirst();
    await removeOverride(doing, scheduleId, row?.id ?? '');
  }
}
