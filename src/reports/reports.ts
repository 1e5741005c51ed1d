import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText } from '../kit/instant.ts';
import { clip, type Interval } from '../kit/interval.ts';
import { unhurried } from '../kit/unhurried.ts';
import { t } from '../language/contract.ts';
import { organizationZone } from '../people/store.ts';
import { findTeamOfViewer } from '../people/team-store.ts';
import { type Measure, measurer } from '../schedules/burdens.ts';
import type { Viewer } from '../sessions/contract.ts';
import type {
  About,
  FairnessReport,
  LoadReport,
  ReportQuery,
  ResponsesReport,
  WithheldReport,
} from './api-contract.ts';
import { type Carried, carryIn, type ScheduleFacts } from './carried.ts';
import { clocksOf } from './clocks.ts';
import { fairnessOf } from './fairness.ts';
import { loadOf } from './load.ts';
import { type Period, periodOf } from './period.ts';
import { maySeeAnswers } from './policy.ts';
import { responsesOf, weeksOf } from './responses.ts';
import {
  aroundShifts,
  findSchedule,
  listAnswers,
  listEverybody,
  listHeat,
  listNotified,
  listRecords,
  listScheduleFacts,
  listSources,
  listWithheld,
  listWithheldOfTeams,
  type PageScope,
  type RecordRow,
  type Scope,
} from './store.ts';
import type { Wish } from './wishes.ts';
import { withheldOf } from './withheld.ts';

export type ReportServices = { db: Database; clock: Clock };

/** The period and the people of a report. */
type Asked = {
  about: About;
  period: Period;
  span: Interval;
  scope: Scope;
  pages: PageScope;
  managesTeam: boolean;
};

/** The load of each person, and how far apart they are. */
export async function fairnessReport(
  services: ReportServices,
  viewer: Viewer,
  query: ReportQuery,
): Promise<FairnessReport> {
  const { db } = services;
  const { about, period, span, scope, pages, managesTeam } = await askedFor(services, viewer, query);
  const people = await listEverybody(db, viewer.organizationId);
  const around = await aroundShifts(db, scope, period);
  const [schedules, notified, records] = await Promise.all([
    listScheduleFacts(db, scope, around),
    listNotified(db, pages, period, clocksOf(people, span)),
    listRecords(db, viewer.organizationId, around),
  ]);
  const ledger = await unhurried(
    fairnessOf({
      people: people.map(({ id, name, email }) => ({ id, name, email })),
      carried: await unhurried(carriedIn(schedules, records, span)),
      notified,
      wishes: records.filter(isWish).filter((wish) => clip(wish, span)),
      maySeeAnswers: maySeeAnswers({ ...viewer, managesTeam }),
    }),
  );
  return { ...about, ...ledger };
}

/** How pages were answered, week by week. */
export async function responsesReport(
  services: ReportServices,
  viewer: Viewer,
  query: ReportQuery,
): Promise<ResponsesReport> {
  const { about, period, pages } = await askedFor(services, viewer, query);
  const weeks = weeksOf(period, about.time_zone);
  const rows = await listAnswers(
    services.db,
    pages,
    period,
    weeks.map(({ from }) => from),
  );
  return { ...about, ...responsesOf(rows, weeks) };
}

/** When pages notify people, and where the pages come from. */
export async function loadReport(
  services: ReportServices,
  viewer: Viewer,
  query: ReportQuery,
): Promise<LoadReport> {
  const { db } = services;
  const { about, period, span, pages } = await askedFor(services, viewer, query);
  const clocks = clocksOf(await listEverybody(db, viewer.organizationId), span);
  const [heat, sources] = await Promise.all([
    listHeat(db, pages, period, clocks),
    listSources(db, pages, period, clocks),
  ]);
  return { ...about, ...loadOf(heat, sources) };
}

/** The events that maintenance windows and silences held back. */
export async function withheldReport(
  services: ReportServices,
  viewer: Viewer,
  query: ReportQuery,
): Promise<WithheldReport> {
  const { about, period, scope } = await askedFor(services, viewer, query);
  const [teams, windows] = await Promise.all([
    listWithheldOfTeams(services.db, scope, period),
    listWithheld(services.db, scope, period),
  ]);
  return { ...about, ...withheldOf({ teams, windows }) };
}

function* carriedIn(
  schedules: readonly ScheduleFacts[],
  records: readonly RecordRow[],
  span: Interval,
): Generator<void, Map<string, Carried>> {
  const absences = Map.groupBy(
    records.filter(({ type }) => type === 'hard_unavailable'),
    ({ userId }) => userId,
  );
  const ledger = new Map<string, Carried>();
  const measures = new Map<string, Measure>();
  for (const schedule of schedules) {
    const { timeZone, holidays } = schedule.calendar;
    const calendar = `${timeZone} ${[...holidays].sort().join(' ')}`;
    const measure = measures.get(calendar) ?? measurer(schedule.calendar);
    measures.set(calendar, measure);
    yield;
    carryIn(ledger, schedule, measure, absences, span);
    yield;
  }
  return ledger;
}

function isWish(record: RecordRow): record is Wish {
  return record.type !== 'hard_unavailable';
}

async function askedFor({ db, clock }: ReportServices, viewer: Viewer, query: ReportQuery): Promise<Asked> {
  const { organizationId } = viewer;
  const now = await clock.now(db);
  const period = periodOf(query, now);
  const schedule =
    query.schedule === undefined ? null : await findSchedule(db, organizationId, query.schedule);
  if (query.schedule !== undefined && !schedule) throw unknown('schedule', query.schedule);
  const name = query.team ?? schedule?.teamId;
  const team = name === undefined ? null : await findTeamOfViewer(db, viewer, name);
  if (query.team !== undefined && !team) throw unknown('team', query.team);
  if (schedule && team && schedule.teamId !== team.id)
    throw new Fault('bad_request', [
      {
        field: 'schedule',
        message: t('belongs to a different team than {name}; name only one of them', { name: team.name }),
      },
    ]);
  const teamId = team?.id ?? null;
  return {
    about: {
      from: instantText(period.from),
      to: instantText(period.to),
      now: instantText(now),
      time_zone: await organizationZone(db, organizationId),
      team: team && { id: team.id, name: team.name, slug: team.slug },
      schedule: schedule && { id: schedule.id, name: schedule.name },
    },
    period,
    span: { from: period.from.epochMilliseconds, to: period.to.epochMilliseconds },
    scope: { organizationId, teamId, scheduleId: schedule?.id ?? null },
    pages: { organizationId, teamId: schedule ? null : teamId, schedule },
    managesTeam: team?.relation.manager ?? false,
  };
}

function unknown(field: 'schedule' | 'team', name: string): Fault {
  const value = JSON.stringify(name);
  const message =
    field === 'team'
      ? t('is {value}, which is not a team of your organization; give its slug or id', { value })
      : t('is {value}, which is not a schedule of your organization; give its id', { value });
  return new Fault('bad_request', [{ field, message }]);
}
