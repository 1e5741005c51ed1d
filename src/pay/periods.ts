import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText } from '../kit/instant.ts';
import { t } from '../language/contract.ts';
import { may } from '../people/rights.ts';
import { audit } from '../people/store.ts';
import type { Viewer } from '../sessions/contract.ts';
import {
  LONGEST_PERIOD,
  MOST_OPEN_PERIODS,
  type Period,
  type PeriodDetail,
  type Statement,
} from './api-contract.ts';
import type { Days } from './eras.ts';
import { spanOfDays } from './eras.ts';
import { type Figures, type Ledger, payLedger } from './figures.ts';
import { ensureHolidays } from './holidays.ts';
import { changedSince, presentStatements, summaryOf, totalsOf } from './present.ts';
import {
  countOpenPeriods,
  deletePeriod,
  findOverlapping,
  insertPeriod,
  listPeople,
  listPeriods,
  listStatements,
  listTables,
  lockPay,
  replaceStatements,
  type StoredPeriod,
  setPeriodState,
} from './store.ts';

export type PeriodServices = {
  db: Database;
  clock: Clock;
  /** How many days pages and shifts are kept. */
  retention: { pages: number; schedules: number };
};

/** How long published periods are compared with today. */
const COMPARED_DAYS = 366;
/** Pages are read from this long before a period. */
const READ_BEFORE_DAYS = 50;

export function mayManage({ role }: Pick<Viewer, 'role'>): boolean {
  return may({ role }, 'pay.manage');
}

export async function shownPeriods({ db, clock }: PeriodServices, viewer: Viewer): Promise<Period[]> {
  const now = await clock.now(db);
  const [periods, zones] = await Promise.all([
    listPeriods(db, viewer.organizationId, mayManage(viewer) ? {} : { ofUser: viewer.userId }),
    zonesOf(db, viewer),
  ]);
  return periods.map((period) => presentPeriod(period, now, zones));
}

async function zonesOf(db: Handle, { organizationId }: Viewer): Promise<string[]> {
  return ['UTC', ...(await listTables(db, organizationId)).map(({ timeZone }) => timeZone)];
}

function presentPeriod(
  { figures: _, ...period }: StoredPeriod,
  now: Temporal.Instant,
  zones: readonly string[],
): Period {
  return { ...period, over: endOf(period, zones) <= now.epochMilliseconds };
}

/** When the last day has ended in all zones. */
function endOf(days: Days, zones: readonly string[]): number {
  return Math.max(...zones.map((zone) => spanOfDays(days, zone).to));
}

export async function createPeriod(
  { db, clock }: PeriodServices,
  viewer: Viewer,
  days: Days,
): Promise<Period> {
  const { first, last } = days;
  const count = Temporal.PlainDate.from(first).until(Temporal.PlainDate.from(last)).days + 1;
  if (count < 1)
    throw bad('last', t('is {last}, which is before {first}; give a later day', { last, first }));
  if (count > LONGEST_PERIOD)
    throw bad(
      'last',
      t('makes a period of {count} days, but a period has at most {most}; give an earlier day', {
        count,
        most: LONGEST_PERIOD,
      }),
    );
  return db.transaction().execute(async (tx) => {
    await lockPay(tx, viewer.organizationId);
    const other = await findOverlapping(tx, viewer.organizationId, days);
    if (other)
      throw new Fault('conflict', [
        {
          field: 'first',
          message: t('makes a period that overlaps with that of {first} to {last}; give other days', {
            first: other.first,
            last: other.last,
          }),
        },
      ]);
    if ((await countOpenPeriods(tx, viewer.organizationId)) >= MOST_OPEN_PERIODS)
      throw new Fault('conflict', [
        {
          field: 'first',
          message: t('exceeds the limit of {most} unpublished periods; publish or delete one first', {
            most: MOST_OPEN_PERIODS,
          }),
        },
      ]);
    const at = await clock.now(tx);
    const id = await insertPeriod(tx, at, viewer, days);
    await audit(tx, at, viewer, 'pay_period.create', id, { first, last });
    return presentPeriod(await periodOf(tx, viewer, id), at, await zonesOf(tx, viewer));
  });
}

async function periodOf(db: Handle, { organizationId }: Viewer, id: string): Promise<StoredPeriod> {
  const [period] = await listPeriods(db, organizationId, { id });
  if (!period) throw unknownPeriod();
  return period;
}

function unknownPeriod(): Fault {
  return new Fault('not_found', [
    {
      field: 'period',
      message: t('is not a pay period of your organization that you may see; see /api/pay/periods'),
    },
  ]);
}

type Seen = { period: StoredPeriod; ledger: Ledger; figures: Figures; now: Temporal.Instant };

/** A period as computed today. */
async function compute(
  { clock, retention }: PeriodServices,
  db: Handle,
  viewer: Viewer,
  id: string,
): Promise<Seen> {
  const { organizationId } = viewer;
  const [now, periods] = [await clock.now(db), await listPeriods(db, organizationId)];
  const period = await periodOf(db, viewer, id);
  const ledger = await payLedger(
    db,
    { organizationId, now, keptSince: keptSince(now, retention) },
    period,
    periods,
  );
  return { period, ledger, figures: ledger.figuresOf(period), now };
}

/** The first day whose shifts and pages are all still stored. */
function keptSince(now: Temporal.Instant, { pages, schedules }: PeriodServices['retention']): string {
  return dayBefore(now, Math.min(COMPARED_DAYS, pages - READ_BEFORE_DAYS, schedules - READ_BEFORE_DAYS));
}

function dayBefore(now: Temporal.Instant, days: number): string {
  return now.toZonedDateTimeISO('UTC').toPlainDate().subtract({ days }).toString();
}

/** Whether a draft has a day whose pages or shifts have been deleted. Other periods keep what was computed in time. */
function isIncomplete(
  { state, first }: StoredPeriod,
  now: Temporal.Instant,
  { pages, schedules }: PeriodServices['retention'],
): boolean {
  return state === 'draft' && first <= dayBefore(now, Math.min(pages, schedules));
}

/** With their holidays, which are computed outside of transactions. */
async function prepared(services: PeriodServices, viewer: Viewer, id: string): Promise<StoredPeriod> {
  const period = await periodOf(services.db, viewer, id);
  const since = Temporal.PlainDate.from(period.first).subtract({ days: COMPARED_DAYS }).toString();
  await ensureHolidays(services.db, viewer.organizationId, { first: since, last: period.last });
  return period;
}

export async function shownPeriod(
  services: PeriodServices,
  viewer: Viewer,
  id: string,
): Promise<PeriodDetail> {
  const { db, clock } = services;
  if (!mayManage(viewer)) {
    const period = await ownPeriod(db, viewer, id);
    const [stored, zones, now] = [
      await ownStatements(db, viewer, id),
      await zonesOf(db, viewer),
      await clock.now(db),
    ];
    return {
      ...presentPeriod(period, now, zones),
      figures: period.figures ?? '',
      statements: stored.map(summaryOf),
      totals: totalsOf(stored),
      ...{ unpriced: [], changed: [], incomplete: false, may_manage: false },
    };
  }
  await prepared(services, viewer, id);
  const seen = await compute(services, db, viewer, id);
  const { period, ledger, figures, now } = seen;
  const statements = await statementsOf(db, viewer, seen);
  const people = new Map(ledger.people.map(({ person }) => [person.id, person]));
  return {
    ...presentPeriod(period, now, ['UTC', ...ledger.tables.map(({ timeZone }) => timeZone)]),
    figures: period.state === 'draft' ? figures.digest : (period.figures ?? ''),
    statements: statements.map(summaryOf),
    totals: totalsOf(statements),
    unpriced: figures.unpriced.flatMap(({ userId, spans }) => {
      const person = people.get(userId);
      const from = spans[0]?.from ?? 0;
      return person
        ? [
            {
              person,
              from: instantText(Temporal.Instant.fromEpochMilliseconds(from)),
              milliseconds: spans.reduce((sum, span) => sum + span.to - span.from, 0),
            },
          ]
        : [];
    }),
    changed: changedSince(period, statements, ledger, figures),
    incomplete: isIncomplete(period, now, services.retention),
    may_manage: true,
  };
}

/** The statements of a draft as they are now, and those of other periods as they were checked. */
async function statementsOf(
  db: Handle,
  viewer: Viewer,
  { period, ledger, figures }: Seen,
): Promise<Statement[]> {
  const rows =
    period.state === 'draft'
      ? figures.statements
      : await listStatements(db, viewer.organizationId, [period.id]);
  return presentStatements(rows, ledger);
}

async function ownPeriod(db: Handle, viewer: Viewer, id: string): Promise<StoredPeriod> {
  const [period] = await listPeriods(db, viewer.organizationId, { id, ofUser: viewer.userId });
  if (!period) throw unknownPeriod();
  return period;
}

async function ownStatements(db: Handle, viewer: Viewer, id: string): Promise<Statement[]> {
  const [rows, people, tables] = await Promise.all([
    listStatements(db, viewer.organizationId, [id]),
    listPeople(db, viewer.organizationId, viewer.userId),
    listTables(db, viewer.organizationId),
  ]);
  return presentStatements(
    rows.filter(({ userId }) => userId === viewer.userId),
    { people, tables },
  );
}

export async function shownStatements(
  services: PeriodServices,
  viewer: Viewer,
  id: string,
  userId: string,
): Promise<Statement[]> {
  const { db, clock } = services;
  if (!mayManage(viewer)) {
    await ownPeriod(db, viewer, id);
    if (userId === viewer.userId) return ownStatements(db, viewer, id);
    throw new Fault('forbidden', [
      {
        field: 'person',
        message: t('is another person, whose pay only they, admins and owners may see; leave it out'),
      },
    ]);
  }
  const all = await exportedStatements(services, viewer, id);
  const own = all.filter(({ person }) => person.id === userId);
  if (own.length === 0)
    throw new Fault('not_found', [
      { field: 'person', message: t('has no statement in this period; choose somebody else') },
    ]);
  if (userId !== viewer.userId)
    await audit(db, await clock.now(db), viewer, 'pay.view', userId, { period: id });
  return own;
}

/** Everybody's statements. */
export async function exportedStatements(
  services: PeriodServices,
  viewer: Viewer,
  id: string,
): Promise<Statement[]> {
  const { db } = services;
  const period = await prepared(services, viewer, id);
  if (period.state !== 'draft') {
    const { organizationId } = viewer;
    const [rows, people, tables] = await Promise.all([
      listStatements(db, organizationId, [id]),
      listPeople(db, organizationId),
      listTables(db, organizationId),
    ]);
    return presentStatements(rows, { people, tables });
  }
  return statementsOf(db, viewer, await compute(services, db, viewer, id));
}

export async function checkPeriod(
  services: PeriodServices,
  viewer: Viewer,
  id: string,
  figures: string,
): Promise<Period> {
  return change(services, viewer, id, 'draft', async (tx, { period, figures: now, now: at, ledger }) => {
    const zones = ['UTC', ...ledger.tables.map(({ timeZone }) => timeZone)];
    if (endOf(period, zones) > at.epochMilliseconds)
      throw new Fault('conflict', [
        {
          field: 'period',
          message: t('has not ended in every time zone yet; check it after {last}', { last: period.last }),
        },
      ]);
    const [unpriced] = now.unpriced;
    if (unpriced) throw notPriced(unpriced.userId, now.unpriced.length, ledger);
    if (figures !== now.digest)
      throw new Fault('conflict', [
        {
          field: 'figures',
          message: t(
            'The figures are out of date, because something changed in the meantime. Check the period again.',
          ),
        },
      ]);
    await replaceStatements(tx, viewer.organizationId, id, now.statements);
    await setPeriodState(tx, at, viewer, id, { state: 'checked', figures });
    await audit(tx, at, viewer, 'pay_period.check', id, { first: period.first, last: period.last });
  });
}

function notPriced(userId: string, count: number, { people }: Ledger): Fault {
  const name = people.find(({ person }) => person.id === userId)?.person.name ?? t('somebody');
  const message =
    count > 1
      ? t(
          'has times of {name} and {count} more without rates; add rates, assign a table, or mark them as not paid',
          { name, count: count - 1 },
        )
      : t('has times of {name} without rates; add rates, assign a table, or mark them as not paid', { name });
  return new Fault('conflict', [{ field: 'period', message }]);
}

export async function reopenPeriod(services: PeriodServices, viewer: Viewer, id: string): Promise<Period> {
  return change(services, viewer, id, 'checked', async (tx, { period, now }) => {
    await replaceStatements(tx, viewer.organizationId, id, []);
    await setPeriodState(tx, now, viewer, id, { state: 'draft' });
    await audit(tx, now, viewer, 'pay_period.reopen', id, { first: period.first, last: period.last });
  });
}

export async function publishPeriod(services: PeriodServices, viewer: Viewer, id: string): Promise<Period> {
  return change(services, viewer, id, 'checked', async (tx, { period, figures, now, ledger }) => {
    const [unpriced] = figures.unpriced;
    if (unpriced) throw notPriced(unpriced.userId, figures.unpriced.length, ledger);
    if (figures.digest !== period.figures)
      throw new Fault('conflict', [
        {
          field: 'period',
          message: t('has changed since it was checked; make it a draft again, and check it'),
        },
      ]);
    await setPeriodState(tx, now, viewer, id, { state: 'published' });
    await audit(tx, now, viewer, 'pay_period.publish', id, { first: period.first, last: period.last });
  });
}

export async function removePeriod({ db, clock }: PeriodServices, viewer: Viewer, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockPay(tx, viewer.organizationId);
    const { first, last, state } = await periodOf(tx, viewer, id);
    if (state === 'published')
      throw new Fault('conflict', [
        {
          field: 'period',
          message: t('is published and cannot be changed; the next period contains corrections'),
        },
      ]);
    await deletePeriod(tx, viewer.organizationId, id);
    await audit(tx, await clock.now(tx), viewer, 'pay_period.delete', id, { first, last });
  });
}

/** Changes the state of a period while nothing else about pay changes. */
async function change(
  services: PeriodServices,
  viewer: Viewer,
  id: string,
  from: StoredPeriod['state'],
  work: (tx: Tx, seen: Seen) => Promise<void>,
): Promise<Period> {
  await prepared(services, viewer, id);
  return services.db.transaction().execute(async (tx) => {
    await lockPay(tx, viewer.organizationId);
    const seen = await compute(services, tx, viewer, id);
    if (seen.period.state !== from)
      throw new Fault('conflict', [
        {
          field: 'period',
          message: t(
            'is {state, select, draft {a draft} checked {checked} other {published}}, but has to be {from, select, draft {a draft} checked {checked} other {published}} for this; reload it',
            {
              state: seen.period.state,
              from,
            },
          ),
        },
      ]);
    await work(tx, seen);
    return presentPeriod(await periodOf(tx, viewer, id), seen.now, await zonesOf(tx, viewer));
  });
}

function bad(field: string, message: string): Fault {
  return new Fault('bad_request', [{ field, message }]);
}
