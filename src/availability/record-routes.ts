import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText, parseInstant } from '../kit/instant.ts';
import { route } from '../kit/route.ts';
import { t } from '../language/contract.ts';
import type { AuditAction } from '../people/audit-contract.ts';
import { teamOf } from '../people/find-team.ts';
import { recordAudit } from '../people/store.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import { upsertAvailabilities } from './actions.ts';
import {
  type NewRecordBody,
  type RecordAnswer,
  type RecordChangeBody,
  type RecordQuery,
  type RecordShown,
  recordsApi,
} from './api-contract.ts';
import type { AvailabilityType } from './contract.ts';
import { maySpeakFor, mustOwnNames } from './policy.ts';
import { readRepetition } from './repeats.ts';
import { addSeries, changeSeries, endSeries, skipTime } from './series.ts';
import type { SourceType } from './sources-api-contract.ts';
import {
  deleteRecord,
  findPersonSeen,
  listRecords,
  listTeamSeen,
  lockRecord,
  lockSeriesOf,
  makePrivate,
  type PersonSeen,
  type StoredRecord,
  updateRecord,
} from './store.ts';

const MAX_RANGE_HOURS = 366 * 24;

/** Routes for single availability records. */
export function recordRoutes(api: FastifyInstance, { db, clock }: { db: Database; clock: Clock }): void {
  route(api, recordsApi.list, async (request) => {
    const viewer = viewerOf(request);
    const query = request.query;
    const range = rangeOf(query.from, query.to, 'from', 'to', MAX_RANGE_HOURS);
    const people = await peopleOf(db, viewer, query);
    const records = await listRecords(
      db,
      viewer,
      people.map(({ id }) => id),
      { from: range.startsAt, to: range.endsAt },
    );
    const byId = new Map(people.map((person) => [person.id, person]));
    return {
      people: people.map(({ id, name, email }) => ({ id, name, email })),
      records: records.flatMap((record) => {
        const person = byId.get(record.userId);
        return person ? [present(record, person, viewer)] : [];
      }),
      may_add: people.every(({ relation }) => maySpeakFor(viewer.role, relation)),
    };
  });

  route(api, recordsApi.create, async (request, reply) => {
    const body = request.body;
    const range = rangeOf(body.starts_at, body.ends_at, 'starts_at', 'ends_at');
    const answer = await changing(request, 'availability.create', async (tx, at, viewer) => {
      const person = await speakingFor(tx, viewer, body.person ?? viewer.userId);
      const repetition = readRepetition(saidTimes(body.type, range, body));
      const said = { userId: person.id, type: body.type, name: body.name?.trim() ?? '' };
      const isPrivate = body.private ?? false;
      if (repetition) {
        const series = { ...said, type: said.type as SourceType, isPrivate, repetition };
        return { person, record: await addSeries({ tx, clock, at, viewer }, series) };
      }
      const [saved] = await upsertAvailabilities(tx, at, viewer.organizationId, [{ ...said, ...range }]);
      if (!saved?.created) throw sameRecord(person);
      if (isPrivate) await makePrivate(tx, saved.record.id);
      return { person, record: await lockedRecord(tx, viewer, saved.record.id) };
    });
    reply.code(201);
    return answer;
  });

  route(api, recordsApi.change, async (request) => {
    const body = request.body;
    return changing(request, 'availability.change', async (tx, at, viewer) => {
      const { person, record } = await ownRecord(tx, viewer, request.params.id);
      const first = record.repeats ?? {
        starts_at: instantText(record.startsAt),
        ends_at: instantText(record.endsAt),
      };
      const range = rangeOf(
        body.starts_at ?? first.starts_at,
        body.ends_at ?? first.ends_at,
        'starts_at',
        'ends_at',
      );
      const type = body.type ?? record.type;
      // Null: the stored name, which the viewer may not see.
      const name = body.name?.trim() ?? null;
      const isPrivate = body.private;
      if (record.private && isPrivate === false) mustOwnNames(viewer, person);
      const repetition = readRepetition(saidTimes(type, range, repeatingBody(body, record)));
      if (repetition && record.repeats) {
        const series = { type: type as SourceType, name, isPrivate, repetition };
        return { person, record: await changeSeries({ tx, clock, at, viewer }, record.repeats.id, series) };
      }
      if (repetition) throw onlyWhenAdded();
      const changed = { ...record, ...range, type, name, private: isPrivate ?? record.private };
      if (!(await updateRecord(tx, at, changed))) throw sameRecord(person);
      return { person, record: await lockedRecord(tx, viewer, record.id) };
    });
  });

  route(api, recordsApi.remove, async (request) =>
    changing(request, 'availability.delete', async (tx, at, viewer) => {
      const found = await ownRecord(tx, viewer, request.params.id);
      const place = { tx, clock, at, viewer };
      const { repeats } = found.record;
      if (!repeats) await deleteRecord(tx, found.record.id);
      else if (request.query.series) await endSeries(place, repeats.id);
      else {
        await skipTime(place, repeats.id, found.record);
        await deleteRecord(tx, found.record.id);
      }
      return found;
    }),
  );

  type Spoken = { person: PersonSeen; record: StoredRecord };

  async function changing(
    request: FastifyRequest,
    action: AuditAction,
    work: (tx: Tx, at: Temporal.Instant, viewer: Viewer) => Promise<Spoken>,
  ): Promise<RecordAnswer> {
    const viewer = viewerOf(request);
    const { organizationId, userId } = viewer;
    const { person, record } = await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      const spoken = await work(tx, at, viewer);
      const { type, startsAt, endsAt, repeats } = spoken.record;
      // Admins read the log.
      const name = spoken.record.private ? '' : spoken.record.name;
      const data = {
        ...{ person: spoken.person.id, type, name, starts_at: startsAt, ends_at: endsAt },
        ...(repeats ? { rrule: repeats.rrule } : {}),
      };
      await recordAudit(tx, at, organizationId, userId, [{ action, subject: spoken.record.id, data }]);
      return spoken;
    });
    return { record: present(record, person, viewer) };
  }
}

async function peopleOf(db: Handle, viewer: Viewer, { person, team }: RecordQuery): Promise<PersonSeen[]> {
  if (team !== undefined) return listTeamSeen(db, viewer, (await teamOf(db, viewer, team)).id);
  const found = await findPersonSeen(db, viewer, person ?? viewer.userId);
  if (!found) throw unknownPerson();
  return [found];
}

async function speakingFor(tx: Tx, viewer: Viewer, id: string): Promise<PersonSeen> {
  const person = await findPersonSeen(tx, viewer, id);
  if (!person) throw unknownPerson();
  if (maySpeakFor(viewer.role, person.relation)) return person;
  const message = t('is managed by {name}, the managers of their teams, admins and owners; ask one of them', {
    name: person.name,
  });
  throw new Fault('forbidden', [{ field: 'person', message }]);
}

async function lockedRecord(tx: Tx, viewer: Viewer, id: string): Promise<StoredRecord> {
  const record = await lockRecord(tx, viewer, id);
  if (!record) throw new Error(`the record ${id}, which was just saved, is gone`);
  return record;
}

async function ownRecord(tx: Tx, viewer: Viewer, id: string) {
  await lockSeriesOf(tx, viewer.organizationId, id);
  const record = await lockRecord(tx, viewer, id);
  if (!record) throw unknownRecord();
  const person = await speakingFor(tx, viewer, record.userId);
  if (record.source) {
    const { name } = record.source;
    const message = name
      ? t('follows the calendar {name}; change it there', { name: JSON.stringify(name) })
      : t('follows a private calendar; change it there');
    throw new Fault('conflict', [{ field: 'record', message }]);
  }
  return { person, record };
}

function rangeOf(
  from: string,
  to: string,
  first: string,
  second: string,
  mostHours = Number.POSITIVE_INFINITY,
) {
  const [startsAt, endsAt] = [parseInstant(from), parseInstant(to)];
  if (!startsAt || !endsAt) throw new Error('a time that was checked cannot be read');
  const hours = startsAt.until(endsAt).total('hours');
  if (hours <= 0) throw badRange(second, t('is not after {first}; give a later time', { first }));
  if (hours > mostHours)
    throw badRange(
      second,
      t('is more than {mostHours} days after {first}; give a shorter range', {
        mostHours: mostHours / 24,
        first,
      }),
    );
  return { startsAt, endsAt };
}

type Repeating = Pick<NewRecordBody, 'rrule' | 'zone'> & {
  repeats_until?: string | null;
  /** The end before a change that does not mention it. */
  kept?: string | null;
};

function saidTimes(
  type: AvailabilityType,
  first: { startsAt: Temporal.Instant; endsAt: Temporal.Instant },
  { rrule, zone, repeats_until: until, kept }: Repeating,
) {
  const instant = (text: string | null | undefined) => (text ? parseInstant(text) : null);
  return {
    ...{ type, first, rrule: rrule ?? null, zone: zone ?? null },
    ...{ until: instant(until), kept: instant(kept) },
  };
}

/** How a record repeats after a change: fields that are absent stay as they are. */
function repeatingBody(body: RecordChangeBody, { repeats }: StoredRecord): Repeating {
  if (!repeats) return body;
  const kept = body.repeats_until === undefined ? repeats.until : null;
  return { ...body, rrule: body.rrule ?? repeats.rrule, zone: body.zone ?? repeats.zone, kept };
}

function onlyWhenAdded(): Fault {
  const message = t(
    'cannot be added to a record that does not repeat; remove the record, and add one that repeats',
  );
  return new Fault('bad_request', [{ field: 'rrule', message }]);
}

function present(record: StoredRecord, person: PersonSeen, { role }: Viewer): RecordShown {
  const { id, type, name, source, repeats } = record;
  return {
    id,
    person: { id: person.id, name: person.name, email: person.email },
    ...{
      type,
      name,
      private: record.private,
      name_hidden: record.hidden,
      starts_at: instantText(record.startsAt),
      ends_at: instantText(record.endsAt),
    },
    ...{ source, repeats },
    may_change: source === null && maySpeakFor(role, person.relation),
  };
}

function badRange(field: string, message: string): Fault {
  return new Fault('bad_request', [{ field, message }]);
}

function unknownPerson(): Fault {
  return new Fault('not_found', [
    { field: 'person', message: t('is not a person of your organization; see /api/people') },
  ]);
}

function unknownRecord(): Fault {
  const message = t('is not an availability of your organization; see /api/availabilities');
  return new Fault('not_found', [{ field: 'record', message }]);
}

function sameRecord({ name }: PersonSeen): Fault {
  const message = t('already exists: {name} has the same entry for the same time; change that one instead', {
    name,
  });
  return new Fault('conflict', [{ field: 'record', message }]);
}
