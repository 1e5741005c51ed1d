import type { FastifyInstance } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText, instantTextOrNull } from '../kit/instant.ts';
import { route } from '../kit/route.ts';
import { t } from '../language/contract.ts';
import { may } from '../people/rights.ts';
import { findSchedule, type ShownSchedule } from '../schedules/store.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import { type HandoffNote, handoffsApi, type NextHandoff } from './api-contract.ts';
import { handoffFacts } from './note.ts';
import {
  changesAt,
  findDraft,
  type HandoffSchedule,
  listNotes,
  nextHandoff,
  type StoredNote,
  saveDraft,
  sinceWhen,
} from './store.ts';
import { shownFacts } from './words.ts';

/** Hand-offs whose notes are listed. */
const MOST_NOTES = 20;

/** The dashboard's routes for the notes of hand-offs. */
export function handoffRoutes(api: FastifyInstance, { db, clock }: { db: Database; clock: Clock }): void {
  route(api, handoffsApi.next, async (request) => {
    const viewer = viewerOf(request);
    return presentNext(db, await clock.now(db), viewer, await scheduleOf(db, viewer, request.params.id));
  });

  route(api, handoffsApi.write, async (request) => {
    const viewer = viewerOf(request);
    const schedule = await scheduleOf(db, viewer, request.params.id);
    if (!mayWrite(viewer, schedule))
      throw new Fault('forbidden', [
        {
          field: 'schedule',
          message: t('belongs to another team; its members, admins and owners write its hand-off notes'),
        },
      ]);
    return db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      const { text, revision } = request.body;
      const saved = await saveDraft(tx, at, noteScheduleOf(viewer, schedule), {
        ...{ text: text.trim(), revision, userId: viewer.userId },
      });
      if (!saved) throw changedMeanwhile();
      return presentNext(tx, at, viewer, schedule);
    });
  });

  route(api, handoffsApi.list, async (request) => {
    const viewer = viewerOf(request);
    const schedule = await scheduleOf(db, viewer, request.params.id);
    const notes = await listNotes(db, viewer.organizationId, { scheduleId: schedule.id, limit: MOST_NOTES });
    return { notes: notes.map(presentNote) };
  });

  route(api, handoffsApi.show, async (request) => {
    const { organizationId } = viewerOf(request);
    const [note] = await listNotes(db, organizationId, { id: request.params.id });
    if (!note)
      throw new Fault('not_found', [
        {
          field: 'handoff',
          message: t(
            'is not a hand-off of your organization, or is older than 400 days; see /api/schedules/:id/handoffs',
          ),
        },
      ]);
    return presentNote(note);
  });
}

async function scheduleOf(db: Handle, viewer: Viewer, id: string): Promise<ShownSchedule> {
  const schedule = await findSchedule(db, viewer, id);
  if (schedule) return schedule;
  throw new Fault('not_found', [
    { field: 'schedule', message: t('is not a schedule of your organization; see /api/schedules') },
  ]);
}

function mayWrite({ role }: Viewer, { relation }: ShownSchedule): boolean {
  return may({ role, manages: relation.manager, ofTheTeam: relation.member }, 'team.handoffs');
}

function noteScheduleOf({ organizationId }: Viewer, { id, name, team }: ShownSchedule): HandoffSchedule {
  return { organizationId, teamId: team.id, teamSlug: team.slug, scheduleId: id, name };
}

async function presentNext(
  db: Handle,
  now: Temporal.Instant,
  viewer: Viewer,
  schedule: ShownSchedule,
): Promise<NextHandoff> {
  const next = schedule.enabled ? await nextHandoff(db, schedule.id, now) : null;
  const changes = next ? await changesAt(db, schedule.id, next) : [];
  const since = await sinceWhen(db, schedule.id, next ?? now);
  const of = noteScheduleOf(viewer, schedule);
  const draft = await findDraft(db, schedule.id);
  return {
    schedule: { id: schedule.id, name: schedule.name },
    at: instantTextOrNull(next),
    since: instantText(since),
    changes,
    facts: shownFacts(await handoffFacts(db, of, { since, at: next ?? now, now, changes })),
    text: draft?.text ?? '',
    revision: draft?.revision ?? 0,
    written_by: draft?.writtenBy ?? null,
    written_at: instantTextOrNull(draft?.writtenAt ?? null),
    may_write: mayWrite(viewer, schedule),
  };
}

function presentNote(note: StoredNote): HandoffNote {
  const { id, scheduleId, scheduleName, at, since, changes, text, writtenBy, facts } = note;
  return {
    ...{ id, changes, text, facts: shownFacts(facts) },
    schedule: { id: scheduleId, name: scheduleName },
    at: instantText(at),
    since: instantText(since),
    written_by: writtenBy,
  };
}

function changedMeanwhile(): Fault {
  return new Fault('conflict', [
    {
      field: 'revision',
      message: t(
        'is out of date, because somebody else changed the note or the hand-off took place; read the note again, then save',
      ),
    },
  ]);
}
