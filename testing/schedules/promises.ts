import assert from 'node:assert/strict';
import { type Interval, intersects, union, within, without } from '../../src/kit/interval.ts';
import type { Situation } from '../../src/planning/revision.ts';
import { readPlanning } from '../../src/planning/situation.ts';
import { fingerprintOf } from '../../src/planning/store.ts';
import { isAwayFor } from '../../src/schedules/eligibility.ts';
import { findForPlanning } from '../../src/schedules/plan-store.ts';
import { meetByHand } from './juniors-by-hand.ts';
import type { Rota } from './story.ts';

/** A row of shifts as these promises need it; times in epoch milliseconds. */
type Row = Interval & {
  id: string;
  seat: string;
  who: string | null;
  planned: string | null;
  /** Start of the planned shift. */
  begins: number;
  override: boolean;
};
/** All rows of a schedule at an instant. */
export type Rows = { at: number; rows: readonly Row[]; sign: string | null };

export async function rowsOf(rota: Rota, scheduleId: string): Promise<Rows> {
  const at = (await rota.clock.now(rota.db)).epochMilliseconds;
  const found = await rota.db
    .selectFrom('shifts')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .orderBy('stage')
    .orderBy('seat')
    .orderBy('starts_at')
    .execute();
  const rows = found.map((row) => ({
    ...{ id: row.id, seat: `${row.stage}/${row.seat}`, override: row.override_id !== null },
    begins: (row.planned_starts_at ?? row.starts_at).epochMilliseconds,
    ...{ who: rota.handle(row.user_id), planned: rota.handle(row.planned_user_id) },
    ...{ from: row.starts_at.epochMilliseconds, to: row.ends_at.epochMilliseconds },
  }));
  return { at, rows, sign: await fingerprintOf(rota.db, scheduleId) };
}

/** Checks what is promised of every plan after any edit; `before` are the rows just before the edit. */
export async function checkPromises(rota: Rota, scheduleId: string, before: Rows): Promise<void> {
  const after = await rowsOf(rota, scheduleId);
  checkHistory(before, after);
  checkSeats(after);
  await rota.db.transaction().execute(async (tx) => {
    const schedule = await findForPlanning(tx, rota.organizationId, scheduleId);
    assert.ok(schedule);
    const at = Temporal.Instant.fromEpochMilliseconds(after.at);
    const { situation } = await readPlanning(tx, at, schedule);
    for (const { stage, seats, firstSeat = 1, handoffs, windows } of situation.stages) {
      const times = handoffs ?? situation.handoffs;
      const horizon = { from: after.at, to: times.at(-1) ?? after.at };
      const needed = windows ? within(windows, horizon) : [horizon];
      for (let seat = firstSeat; seat < firstSeat + seats; seat++)
        checkHours(`${stage}/${seat}`, after, needed, windows ?? null);
    }
    checkAbsences(rota, before, after, situation);
    checkApart(rota, after, situation);
  });
}

/**
 * The past does not change: who was on call and who was planned stays the same until the edit. A seat that was never
 * planned may begin at the previous hand-off.
 */
function checkHistory(before: Rows, after: Rows): void {
  const past = { from: Number.NEGATIVE_INFINITY, to: before.at };
  const known = Map.groupBy(before.rows, ({ seat }) => seat);
  const kept = after.rows.flatMap((row) =>
    within(union((known.get(row.seat) ?? []).map(({ from, to }) => ({ from, to }))), row).map((span) => ({
      ...row,
      ...span,
    })),
  );
  assert.deepEqual(linesOf(kept, past), linesOf(before.rows, past), 'history changed');
}

function linesOf(rows: readonly Row[], span: Interval): string[] {
  const lines: (Row & { text: string })[] = [];
  for (const row of rows) {
    const [from, to] = [Math.max(row.from, span.from), Math.min(row.to, span.to)];
    if (from >= to) continue;
    const text = `${row.seat} ${row.who} planned ${row.planned}`;
    const last = lines.at(-1);
    if (last?.text === text && last.to === from) last.to = to;
    else lines.push({ ...row, from, to, text });
  }
  return lines.map(({ text, from, to }) => `${text} ${iso(from)}–${iso(to)}`);
}

/** No seat has two rows at once, and nobody is planned for two seats at once. */
function checkSeats({ at, rows }: Rows): void {
  const coming = rows.filter(({ to }) => to > at);
  for (const [index, row] of coming.entries())
    for (const other of coming.slice(index + 1)) {
      if (row.from >= other.to || other.from >= row.to) continue;
      assert.notEqual(row.seat, other.seat, `two rows at once: ${textOf(row)}, ${textOf(other)}`);
      assert.ok(
        row.planned === null || row.planned !== other.planned,
        `planned twice at once: ${textOf(row)}, ${textOf(other)}`,
      );
    }
}

/** Every covered hour has a row; outside covered hours there are only overrides. */
function checkHours(
  seat: string,
  { at, rows }: Rows,
  needed: readonly Interval[],
  windows: readonly Interval[] | null,
): void {
  const own = rows.filter((row) => row.seat === seat && row.to > at);
  const there = union(own.map(({ from, to }) => ({ from, to })));
  assert.deepEqual(without(needed, there).map(spanText), [], `a hole in ${seat}`);
  if (!windows) return;
  for (const row of own) {
    if (row.override && row.planned === null) continue;
    const coming = { from: Math.max(row.from, at), to: row.to };
    assert.deepEqual(without([coming], windows).map(spanText), [], `outside of hours: ${textOf(row)}`);
  }
}

/**
 * Nobody is newly planned while they are ineligible. A current shift continues, and a shift that waits for a cover
 * stays with its person, even if other hours made it longer.
 */
function checkAbsences(
  { people }: Rota,
  before: Rows,
  after: Rows,
  { records, smallAbsenceMs }: Pick<Situation, 'records' | 'smallAbsenceMs'>,
): void {
  const shifts = Map.groupBy(after.rows, ({ seat, begins, planned }) => `${seat} ${begins} ${planned}`);
  for (const [row, ...others] of shifts.values()) {
    if (!row) continue;
    const parts = union(
      [row, ...others].map(({ from, to }) => ({
        from: Math.max(from, after.at),
        to: Math.max(to, after.at),
      })),
    );
    const [first, last] = [parts[0], parts.at(-1)];
    if (row.planned === null || row.begins < after.at || !first || !last) continue;
    const coming = { from: first.from, to: last.to, parts };
    const own = records.get(people[row.planned] ?? '') ?? [];
    if (!isAwayFor(own, coming, smallAbsenceMs)) continue;
    const had = before.rows.filter(({ seat, planned }) => seat === row.seat && planned === row.planned);
    const isTheirs = had.some((one) => intersects(one, coming));
    const absences = own.filter(({ type }) => type === 'hard_unavailable');
    const waits = had.some((other) => other.begins === row.begins && isAway(absences, other));
    assert.ok(isTheirs || waits, `planned while away: ${textOf(row)}`);
  }
}

/**
 * Of people who may not be on call together, at most one is planned. Current shifts stay, as do overrides and shifts
 * that wait for a cover.
 */
function checkApart({ people }: Rota, { at, rows }: Rows, { apart = [], records }: Situation): void {
  const had = rows.flatMap((row) => {
    const userId = people[row.who ?? ''];
    return userId === undefined || row.override || row.to <= at ? [] : [{ ...row, userId }];
  });
  const decided = had.filter(({ begins, userId, ...row }) => {
    const absences = (records.get(userId) ?? []).filter(({ type }) => type === 'hard_unavailable');
    return begins > at && !isAway(absences, row);
  });
  for (const { people: group } of apart)
    assert.equal(meetByHand(group, had, decided), false, `two kept apart: ${had.map(textOf).join(', ')}`);
}

function isAway(absences: readonly Interval[], span: Interval): boolean {
  return absences.some((absence) => intersects(absence, span));
}

function textOf({ seat, who, planned, from, to }: Row): string {
  return `${seat} ${who} planned ${planned} ${iso(from)}–${iso(to)}`;
}

function spanText({ from, to }: Interval): string {
  return `${iso(from)}–${iso(to)}`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}
