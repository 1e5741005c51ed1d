import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Occurrence, occurrencesFrom } from '../calendars/repetition.ts';
import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText, instantTextOrNull, parseInstant } from '../kit/instant.ts';
import { type RequestOf, route } from '../kit/route.ts';
import { t } from '../language/contract.ts';
import type { AuditAction } from '../people/audit-contract.ts';
import { teamOf } from '../people/find-team.ts';
import { peopleById, recordAudit } from '../people/store.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import { factsOfPage, labelMatchers } from './kept-facts.ts';
import { changeWindow, createWindow, endWindow, type WantedWindow } from './window-actions.ts';
import { MOST_OCCURRENCES, presentOccurrence, previewWindow } from './window-preview.ts';
import { repetitionOf } from './windows.ts';
import { type WindowChangeBody, type WindowShown, windowsApi } from './windows-api-contract.ts';
import { mayManageWindows } from './windows-policy.ts';
import {
  findSilenceable,
  findSource,
  findWindow,
  type ListedWindow,
  listWindows,
  lockWindow,
  type RunningWindow,
  type Silenceable,
} from './windows-store.ts';

type Services = { db: Database; clock: Clock };
type CreateBody = RequestOf<typeof windowsApi.create>['body'];

/** The dashboard's routes for maintenance windows and silences. */
export function windowRoutes(api: FastifyInstance, { db, clock }: Services): void {
  route(api, windowsApi.list, async (request) => {
    const viewer = viewerOf(request);
    const { team, state = null } = request.query;
    const teamId = team === undefined ? null : (await teamOf(db, viewer, team)).id;
    const at = await clock.now(db);
    const windows = await listWindows(db, at, viewer, { teamId, state });
    return { windows: windows.map((window) => presentWindow(viewer, window, at)) };
  });

  route(api, windowsApi.show, async (request) => show(viewerOf(request), request.params.id));

  route(api, windowsApi.create, async (request, reply) => {
    const viewer = viewerOf(request);
    const id = await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      const { wanted } = await wantedOf(tx, viewer, request.body, at);
      const made = await createWindow(tx, at, wanted);
      const { name, silence, effect } = wanted;
      const data = { name, silence, effect, ends_at: instantText(wanted.first.endsAt) };
      await audited(tx, at, viewer, 'window.create', made, data);
      return made;
    });
    reply.code(201);
    return show(viewer, id);
  });

  route(api, windowsApi.preview, async (request) => {
    const viewer = viewerOf(request);
    return db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      const { wanted, labels } = await wantedOf(tx, viewer, { name: 'Preview', ...request.body }, at);
      return previewWindow(tx, at, wanted, labels);
    });
  });

  route(api, windowsApi.change, async (request) => {
    const viewer = viewerOf(request);
    await managing(request, 'window.change', async (tx, at, window) => {
      await changeWindow(tx, at, window, editOf(request.body));
      return { changed: Object.keys(request.body) };
    });
    return show(viewer, request.params.id);
  });

  route(api, windowsApi.end, async (request) => {
    const viewer = viewerOf(request);
    await managing(request, 'window.end', async (tx, at, window) => {
      const people = await peopleById(tx, viewer.organizationId, [viewer.userId]);
      const name = people.get(viewer.userId)?.name ?? 'somebody';
      await endWindow(tx, at, window, { userId: viewer.userId, name });
      return { name: window.name };
    });
    return show(viewer, request.params.id);
  });

  async function show(viewer: Viewer, id: string): Promise<WindowShown> {
    const at = await clock.now(db);
    const window = await findWindow(db, at, viewer, id);
    if (!window) throw unknownWindow();
    return presentWindow(viewer, window, at);
  }

  /** Changes a window that the viewer may manage, and records the change in the audit log. */
  async function managing(
    request: FastifyRequest<{ Params: { id: string } }>,
    action: AuditAction,
    act: (tx: Tx, at: Temporal.Instant, window: RunningWindow) => Promise<Record<string, unknown>>,
  ): Promise<void> {
    const viewer = viewerOf(request);
    const { id } = request.params;
    await db.transaction().execute(async (tx) => {
      const locked = await lockWindow(tx, viewer.organizationId, id);
      const at = await clock.now(tx);
      const window = locked && (await findWindow(tx, at, viewer, id));
      if (!window) throw unknownWindow();
      if (!mayManageWindows(viewer.role, window.relation)) throw notTheirs();
      await audited(tx, at, viewer, action, id, await act(tx, at, locked));
    });
  }
}

async function audited(
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, userId }: Viewer,
  action: AuditAction,
  subject: string,
  data: Record<string, unknown>,
): Promise<void> {
  await recordAudit(tx, at, organizationId, userId, [{ action, subject, data }]);
}

/** The window of the body, if the viewer may create it, and the matchers by labels of its page. */
async function wantedOf(
  tx: Tx,
  viewer: Viewer,
  body: CreateBody,
  at: Temporal.Instant,
): Promise<{ wanted: WantedWindow; labels: string[] }> {
  const of = await scopeOf(tx, viewer, body);
  const facts = of.from && factsOfPage(of.from);
  const labels = facts ? labelMatchers(facts) : [];
  const startsAt = (body.starts_at ? parseInstant(body.starts_at) : null) ?? at;
  const silence = body.silence ?? of.from !== null;
  const wanted = {
    organizationId: viewer.organizationId,
    teamId: of.teamId,
    sourceId: of.sourceId,
    name: nameOf(body, of.from, silence),
    effect: body.effect ?? 'hold',
    silence,
    match: [...(body.match ?? []), ...fromMatchers(of.from, body, labels)],
    first: { startsAt, endsAt: endOf(body, startsAt) },
    rrule: body.rrule ?? null,
    zone: body.zone ?? null,
    repeatsUntil: body.repeats_until ? parseInstant(body.repeats_until) : null,
    createdBy: viewer.userId,
  };
  return { wanted, labels };
}

/** The matchers of a silence of a page or moment: the labels in the body, or the matchers for its repeats. */
function fromMatchers(
  from: Silenceable | null,
  { page, labels: chosen }: CreateBody,
  known: readonly string[],
): string[] {
  if (chosen === undefined) return from ? [matcherOf(from)] : [];
  if (page === undefined)
    throw problem('labels', t('needs page, because it names labels of that page; give page, or use match'));
  for (const [index, text] of chosen.entries())
    if (!known.includes(text)) throw problem(`labels[${index}]`, notALabel(JSON.stringify(text), known));
  return [...new Set(chosen)];
}

function notALabel(text: string, known: readonly string[]): string {
  if (known.length === 0) return t('is {text}, which is not a label of the page; it has none', { text });
  const labels = known.slice(0, 20).join(', ');
  return t('is {text}, which is not a label of the page; it has {labels}', { text, labels });
}

function endOf({ ends_at, minutes }: CreateBody, startsAt: Temporal.Instant): Temporal.Instant {
  if (ends_at !== undefined && minutes !== undefined)
    throw problem('minutes', t('cannot be combined with ends_at; give only one of them'));
  const end = ends_at === undefined ? null : parseInstant(ends_at);
  if (end) return end;
  if (minutes !== undefined) return startsAt.add({ minutes });
  throw problem('ends_at', t('is missing; give the time at which it ends, or minutes'));
}

function nameOf({ name }: CreateBody, from: Silenceable | null, silence: boolean): string {
  if (name !== undefined) return name.trim();
  if (from) return from.title.slice(0, 200);
  if (silence) return 'Silence';
  throw problem('name', t('is missing; give a name by which people recognize the window'));
}

/** The matcher for repeats of the page or moment: its dedup key, or otherwise its title. */
function matcherOf({ dedupKey, title }: Silenceable): string {
  return dedupKey === null ? `title=${title}` : `dedup_key=${dedupKey}`;
}

type WindowScope = { teamId: string; sourceId: string | null; from: Silenceable | null };

/** The team and the source of the body, or of the page or moment. */
async function scopeOf(tx: Tx, viewer: Viewer, body: CreateBody): Promise<WindowScope> {
  const { team, source, page, moment } = body;
  if (team !== undefined) await mustManage(tx, viewer, team);
  const from =
    page === undefined && moment === undefined
      ? null
      : await findSilenceable(tx, viewer.organizationId, { page, moment });
  const field = page === undefined ? 'moment' : 'page';
  if (from === null && (page !== undefined || moment !== undefined))
    throw problem(field, t('is unknown; give the id of a page or a moment of your organization'));
  if (from && (from.sourceId === null || from.teamId === null))
    throw problem(
      field,
      t('did not come from a page source, so it cannot be silenced; silence an alert of a page source'),
    );
  const found = source === undefined ? null : await findSource(tx, viewer.organizationId, source);
  if (source !== undefined && !found)
    throw problem('source', t('is not a page source of your organization; see /api/sources'));
  const teamId = from?.teamId ?? found?.teamId ?? null;
  const sourceId = from?.sourceId ?? found?.id ?? null;
  if (teamId === null && team === undefined)
    throw problem('team', t('is missing; give the slug or id of the team whose sources it applies to'));
  const named = await mustManage(tx, viewer, team ?? teamId ?? '');
  if (teamId !== null && teamId !== named)
    throw problem('team', t('is not the team of the source; leave it out'));
  return { teamId: named, sourceId, from };
}

async function mustManage(tx: Tx, viewer: Viewer, team: string): Promise<string> {
  const { id, relation } = await teamOf(tx, viewer, team);
  if (!mayManageWindows(viewer.role, relation)) throw notTheirs();
  return id;
}

function editOf({ name, effect, match, ends_at, repeats_until }: WindowChangeBody) {
  const endsAt = ends_at === undefined ? null : parseInstant(ends_at);
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(effect === undefined ? {} : { effect }),
    ...(match === undefined ? {} : { match }),
    ...(endsAt === null ? {} : { endsAt }),
    ...(repeats_until === undefined
      ? {}
      : { repeatsUntil: repeats_until === null ? null : parseInstant(repeats_until) }),
  };
}

function presentWindow(viewer: Viewer, window: ListedWindow, at: Temporal.Instant): WindowShown {
  const { id, name, team, source, match, effect, silence, state, zone, owner, held } = window;
  return {
    ...{ id, name, team, source, match, effect, silence, state, zone, owner, held },
    starts_at: instantText(window.startsAt),
    ends_at: instantText(window.endsAt),
    occurrences: window.state === 'over' ? [] : occurrencesOf(window, at).map(presentOccurrence),
    rrule: window.recurrence,
    repeats_until: instantTextOrNull(window.repeatsUntil),
    created_at: instantText(window.createdAt),
    over_at: instantTextOrNull(window.overAt),
    ended_by: window.endedBy,
    event_count: window.events,
    held_count: window.things,
    may_change: window.state !== 'over' && mayManageWindows(viewer.role, window.relation),
  };
}

function occurrencesOf(window: ListedWindow, at: Temporal.Instant): Occurrence[] {
  const repetition = repetitionOf(window);
  return repetition ? occurrencesFrom(repetition, at, MOST_OCCURRENCES) : [window];
}

function problem(field: string, message: string): Fault {
  return new Fault('bad_request', [{ field, message }]);
}

function unknownWindow(): Fault {
  return new Fault('not_found', [
    { field: 'window', message: t('is not a window of your organization, or is over; see /api/windows') },
  ]);
}

function notTheirs(): Fault {
  return new Fault('forbidden', [
    {
      field: 'window',
      message: t('is managed by the people of the team, admins and owners; ask one of them'),
    },
  ]);
}
