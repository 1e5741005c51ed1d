import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Tx } from '../db/database.ts';
import { sentences } from '../kit/detail-contract.ts';
import { type Detail, Fault } from '../kit/fault.ts';
import { instantText, instantTextOrNull } from '../kit/instant.ts';
import { route } from '../kit/route.ts';
import { newId } from '../kit/typeid.ts';
import { type Finding, findingsToDetails } from '../kit/validation.ts';
import { t } from '../language/contract.ts';
import type { Means } from '../people/reachability.ts';
import { mayManageSchedules } from '../people/schedule-policy.ts';
import { type AuditEntry, activePeople, organizationZone, recordAudit } from '../people/store.ts';
import { listTeamsOfViewer, type TeamOfViewer } from '../people/team-store.ts';
import { type LinkedSchedule, linksTo } from '../schedules/linked-stages.ts';
import { withReach } from '../schedules/now-reach.ts';
import { parsePattern, storedPattern } from '../schedules/pattern.ts';
import { patternWords } from '../schedules/pattern-words.ts';
import { presentLimits, presentPeople } from '../schedules/person-rules.ts';
import { timelineShifts } from '../schedules/read-store.ts';
import { type PlanRules, presentShares, storedRules } from '../schedules/rules.ts';
import { ignoredRules } from '../schedules/rules-of-strategy.ts';
import {
  ScheduleBody,
  type ScheduleChanges,
  type ScheduleSaved,
  type ScheduleSettings,
  type StageSettings,
  schedulesApi,
} from '../schedules/settings-contract.ts';
import { mentionedPeople, readDefinition } from '../schedules/settings-reading.ts';
import { presentShadows } from '../schedules/shadows.ts';
import {
  deleteSchedule,
  findSchedule,
  keepSchedules,
  linkedSchedules,
  listScheduleOverview,
  lockScheduleWithLinks,
  nameIsTaken,
  type ShownSchedule,
  type ShownStage,
  type StoredSchedule,
} from '../schedules/store.ts';
import { timetable } from '../schedules/timetable.ts';
import { unknownSchedule } from '../schedules/unknown-schedule.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import { planSchedule, saveSchedule } from './actions.ts';
import { publishedValue } from './published-value.ts';
import { type PlanningServices, type Plans, rehearsed, withSolvedPlans } from './solved-plans.ts';

/** Reports all problems of a schedule at once, including those of the schema. */
const AS_A_WHOLE = { attachValidation: true };
/** A forecast covers this many hours and shows at most this many hand-offs. */
const FORECAST = { hours: 24 * 370, most: 8 };
/** Of a new schedule, the shifts of so many hours are shown. */
const FIRST_HOURS = 24 * 28;

/** Lists, creates, shows, changes and deletes schedules. Every change is planned in the same transaction. */
export function scheduleSettingsRoutes(
  api: FastifyInstance,
  services: PlanningServices & { means: Means },
): void {
  const { db, clock, means } = services;
  route(api, schedulesApi.list, async (request) => {
    const viewer = viewerOf(request);
    const teams = await listTeamsOfViewer(db, viewer);
    return {
      schedules: await withReach(db, means, await listScheduleOverview(db, viewer, await clock.now(db))),
      may_make_for: teams
        .filter(({ relation }) => mayManageSchedules(viewer.role, relation))
        .map(({ id, name, slug }) => ({ id, name, slug })),
    };
  });

  route(
    api,
    schedulesApi.create,
    async (request, reply) => {
      const saved = await save(request, null);
      reply.code(201);
      return saved;
    },
    AS_A_WHOLE,
  );

  route(api, schedulesApi.forecast, async (request) => {
    const { shifts, time_zone } = request.body;
    const read = parsePattern(shifts);
    if ('problems' in read)
      throw new Fault(
        'bad_request',
        read.problems.map(({ field, message }) => ({
          field: field ? `shifts.${field}` : 'shifts',
          message,
        })),
      );
    const at = await clock.now(db);
    const { versions } = storedPattern(read.pattern);
    const until = at.add({ hours: FORECAST.hours });
    const times = timetable(versions, time_zone, new Set(), at, until).handoffs;
    return { text: patternWords(read.pattern), handoffs: times.slice(0, FORECAST.most).map(instantText) };
  });

  route(
    api,
    schedulesApi.firstShifts,
    async (request) => {
      const write = saving(request, null, withoutName(readForm(request)));
      const planned = rehearsed(services, async (tx, at, plans) => {
        const { id } = await write(tx, at, plans);
        const shifts = await timelineShifts(tx, id, { from: at, to: at.add({ hours: FIRST_HOURS }) });
        return {
          refused: null,
          shifts: shifts.map(({ stage, seat, starts_at, ends_at, person }) => ({
            ...{ stage, seat, starts_at, ends_at, person },
          })),
        };
      });
      // A form that is not complete yet is not a mistake.
      return planned.catch((error: unknown) => {
        if (!(error instanceof Fault) || error.status !== 400) throw error;
        return { refused: sentences(error.details), shifts: [] };
      });
    },
    AS_A_WHOLE,
  );

  route(api, schedulesApi.find, async (request) => show(viewerOf(request), request.params.id));

  route(api, schedulesApi.change, async (request) => save(request, request.params.id), AS_A_WHOLE);

  route(
    api,
    schedulesApi.preview,
    async (request) => {
      const { id: _, ...changes } = await rehearsed(services, saving(request, request.params.id));
      return changes;
    },
    AS_A_WHOLE,
  );

  route(api, schedulesApi.remove, async (request) => {
    const viewer = viewerOf(request);
    const { organizationId, userId } = viewer;
    await db.transaction().execute(async (tx) => {
      const schedule = await lockManaged(tx, viewer, request.params.id, await listTeamsOfViewer(tx, viewer));
      if (schedule.enabled) throw stillEnabled(schedule.name);
      const [link] = linksTo(schedule.id, await linkedSchedules(tx, organizationId));
      if (link) throw stillLinked(link.stage, link.schedule.name);
      const at = await clock.now(tx);
      await deleteSchedule(tx, at, organizationId, schedule.id);
      const data = { name: schedule.name };
      const entry: AuditEntry = { action: 'schedule.delete', subject: schedule.id, data };
      await recordAudit(tx, at, organizationId, userId, [entry]);
    });
    return { deleted: true };
  });

  async function show(viewer: Viewer, id: string): Promise<ScheduleSettings> {
    const schedule = await findSchedule(db, viewer, id);
    if (!schedule) throw unknownSchedule();
    return present(schedule, viewer);
  }

  async function save(request: FastifyRequest, id: string | null): Promise<ScheduleSaved> {
    const viewer = viewerOf(request);
    const { id: saved, ...changes } = await withSolvedPlans(services, saving(request, id));
    return { ...(await show(viewer, saved)), ...changes };
  }

  /** Creates a schedule (`id` null) or changes one, plans it, and records it in the audit log. */
  function saving(request: FastifyRequest, id: string | null, form = readForm(request)) {
    const viewer = viewerOf(request);
    const { organizationId, userId } = viewer;
    return async (tx: Tx, at: Temporal.Instant, plans: Plans): Promise<ScheduleChanges & { id: string }> => {
      const teams = await listTeamsOfViewer(tx, viewer);
      const before = id === null ? null : await lockManaged(tx, viewer, id, teams, linkTargets(form));
      const definition = await definitionOf(tx, at, viewer, form, before, teams);
      const outcome = await saveSchedule(tx, at, organizationId, before, definition);
      const { published, isOtherwise, ignored } = await planSchedule(tx, at, outcome.id, plans);
      if (outcome.changes.length > 0) {
        const action = before ? 'schedule.change' : 'schedule.create';
        const data = { name: definition.name, changes: outcome.changes };
        await recordAudit(tx, at, organizationId, userId, [{ action, subject: outcome.id, data }]);
      }
      const { shown: changes } = outcome;
      return {
        ...{ id: outcome.id, changes, published: publishedValue(published), draft_follows: isOtherwise },
        warnings: ignored,
      };
    };
  }
}

type Form = { body: ScheduleBody; misshapen: Detail[]; broken: ReadonlySet<string> };

/** The body of a request, the problems that the schema found, and the names of the fields that have them. */
function readForm(request: FastifyRequest): Form {
  const findings = (request.validationError?.validation ?? []) as Finding[];
  const misshapen = findingsToDetails(findings, 'body');
  const broken = new Set(misshapen.map(({ field }) => field.split(/[.[]/)[0] ?? ''));
  return { body: (request.body ?? {}) as ScheduleBody, misshapen, broken };
}

/** The form with a name that no other schedule has: people may see the shifts of a schedule before they name it. */
function withoutName({ body, misshapen, broken }: Form): Form {
  return {
    body: broken.has('body') ? body : { ...body, name: newId('schedule') },
    misshapen: misshapen.filter(({ field }) => field !== 'name'),
    broken: broken.difference(new Set(['name'])),
  };
}

/** The schedules to which the stages of a form are linked. */
function linkTargets({ body, broken }: Form): string[] {
  const { stages = [] } = broken.has('body') || broken.has('stages') ? {} : body;
  return stages.flatMap((stage) => stage.linked_to?.schedule ?? []);
}

async function definitionOf(
  tx: Tx,
  at: Temporal.Instant,
  viewer: Viewer,
  form: Form,
  before: StoredSchedule | null,
  teams: readonly TeamOfViewer[],
) {
  const { body, misshapen, broken } = form;
  if (broken.has('body')) throw new Fault('bad_request', misshapen);
  const asked = broken.has('team') ? undefined : body.team;
  const team = teams.find(({ id, slug }) => asked === id || asked?.toLowerCase() === slug.toLowerCase());
  const name = broken.has('name') ? undefined : body.name?.trim();
  const known = {
    before,
    people: await activePeople(tx, viewer.organizationId, mentionedPeople(body, broken)),
    teamId: team?.id ?? null,
    id: before?.id ?? null,
    others: await othersOf(tx, viewer.organizationId, before, linkTargets(form)),
    nameTaken: name !== undefined && (await nameIsTaken(tx, viewer.organizationId, name, before?.id ?? null)),
    timeZone: await organizationZone(tx, viewer.organizationId),
    at,
  };
  const read = readDefinition(body, known, broken);
  if ('problems' in read) throw new Fault('bad_request', inOrder([...misshapen, ...read.problems]));
  if (team && !mayManageSchedules(viewer.role, team.relation)) throw notTheirs('team');
  return read.definition;
}

/**
 * The other schedules of the organization. Schedules with linked stages stay as they are until the transaction ends, so
 * that none is disabled meanwhile.
 */
async function othersOf(
  tx: Tx,
  organizationId: string,
  before: StoredSchedule | null,
  targets: readonly string[],
): Promise<LinkedSchedule[]> {
  const linked = (before?.stages ?? []).flatMap((stage) => stage.linkedTo?.scheduleId ?? []);
  await keepSchedules(tx, organizationId, [...linked, ...targets]);
  return (await linkedSchedules(tx, organizationId)).filter((one) => one.id !== before?.id);
}

/** Sorts problems by the order of the form fields. */
function inOrder(problems: readonly Detail[]): Detail[] {
  const fields = Object.keys(ScheduleBody.properties);
  const place = ({ field }: Detail) => fields.indexOf(field.split(/[.[]/)[0] ?? '');
  return problems.toSorted((a, b) => place(a) - place(b));
}

/** Locks a schedule that the viewer manages, and keeps those to which its stages are linked or are about to be. */
async function lockManaged(
  tx: Tx,
  viewer: Viewer,
  id: string,
  teams: readonly TeamOfViewer[],
  targets: readonly string[] = [],
): Promise<StoredSchedule> {
  const schedule = await lockScheduleWithLinks(tx, viewer.organizationId, id, targets);
  if (!schedule) throw unknownSchedule();
  const team = teams.find((one) => one.id === schedule.teamId);
  if (!team || !mayManageSchedules(viewer.role, team.relation)) throw notTheirs('schedule');
  return schedule;
}

function present(
  { relation, pattern, stages, links, ...schedule }: ShownSchedule,
  { role }: Viewer,
): ScheduleSettings {
  return {
    ...{ id: schedule.id, name: schedule.name, team: schedule.team, description: schedule.description },
    ...{ enabled: schedule.enabled, time_zone: schedule.timeZone, backstop: schedule.backstop },
    ...{
      strategy: schedule.strategy,
      plan_ahead_weeks: schedule.planAheadWeeks,
      rest_hours: schedule.restHours,
    },
    cover: schedule.cover,
    rounds: schedule.rounds,
    acknowledge_timeout_minutes: schedule.acknowledgeTimeoutMinutes,
    ask_again_medium_minutes: schedule.askAgainMediumMinutes,
    ask_again_low_minutes: schedule.askAgainLowMinutes,
    holidays: schedule.holidays,
    ...presentRules(storedRules(schedule.planning)),
    shifts: pattern,
    shifts_text: patternWords(pattern),
    stages: stages.map(presentStage),
    links,
    warnings: ignoredRules(schedule, storedRules(schedule.planning)),
    planned_until: instantTextOrNull(schedule.plannedUntil),
    created_at: instantText(schedule.createdAt),
    updated_at: instantText(schedule.updatedAt),
    may_manage: mayManageSchedules(role, relation),
  };
}

function presentRules(rules: PlanRules) {
  const {
    weights,
    limits,
    elsewhere,
    countElsewhereSince,
    smallAbsenceHours,
    neverTwoJuniors = false,
    neverTogether = [],
    onlyWith = [],
  } = rules;
  return {
    ...{ weights, limits: presentLimits(limits), elsewhere },
    count_elsewhere: countElsewhereSince !== null,
    never_two_juniors: neverTwoJuniors,
    shadows: presentShadows(rules),
    never_together: neverTogether.map((group) => [...group]),
    only_with: onlyWith.map(({ people, with: others }) => ({
      people: people && [...people],
      with: [...others],
    })),
    small_absence_hours: smallAbsenceHours,
    shares: [...presentShares(rules)].map(([person, percent]) => ({ person, percent })),
    people: presentPeople(rules.people),
  };
}

function presentStage({ escalateAfterSeconds, layers, ...stage }: ShownStage): StageSettings {
  const people = new Map(stage.members.map((person) => [person.id, person]));
  return {
    ...stage,
    escalate_after_minutes: escalateAfterSeconds / 60,
    layers: (layers ?? []).map(({ name, timeZone, pattern, seats, memberIds }) => ({
      ...{ name, time_zone: timeZone, shifts: pattern, seats },
      shifts_text: pattern && patternWords(pattern),
      members: memberIds.flatMap((id) => people.get(id) ?? []),
    })),
  };
}

function notTheirs(field: string): Fault {
  const message = t("is managed by the team's managers, admins and owners; ask one of them");
  return new Fault('forbidden', [{ field, message }]);
}

function stillLinked(stage: number, name: string): Fault {
  const message = t('has a stage to which stage {stage} of {name} is linked; remove that link first', {
    stage,
    name: JSON.stringify(name),
  });
  return new Fault('conflict', [{ field: 'schedule', message }]);
}

function stillEnabled(name: string): Fault {
  const message = t('{name} is enabled and may be answering pages; disable it first', {
    name: JSON.stringify(name),
  });
  return new Fault('conflict', [{ field: 'schedule', message }]);
}
