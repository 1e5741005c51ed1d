import type { FastifyInstance } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { idOf } from '../kit/path-id.ts';
import { readQueryNumbers } from '../kit/query-numbers.ts';
import { readReach } from '../people/reach-store.ts';
import { type Means, whyUnreachable } from '../people/reachability.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import {
  type ActionResult,
  type ActionServices,
  acknowledgePage,
  addResponders,
  commentOnPage,
  escalatePage,
  resolvePage,
} from './actions.ts';
import type { Actor } from './actor.ts';
import {
  type ActionAnswer,
  CommentBody,
  ExtendBody,
  type HandledAnswer,
  HandledBody,
  type PageDetail,
  type PageList,
  PageListQuery,
  type PageSummary,
  PeopleBody,
  ReassignBody,
  SnoozeBody,
} from './api-contract.ts';
import { UNDO_SECONDS } from './contract.ts';
import { findNotifiable } from './dashboard-store.ts';
import type { Via } from './event-contract.ts';
import { readPage, readPageDetail, readPages } from './page-detail.ts';
import { findTeam } from './raise.ts';
import { type Assignee, reassignPage } from './reassigning.ts';
import { extendPage, snoozePage } from './reminders.ts';
import { escalateAcknowledged, reopenPage, unacknowledgePage, undoAnswer } from './reopening.ts';

export type PageApiServices = ActionServices & {
  db: Database;
  means: Means;
  /** Wakes the engine, because a step or delivery may be due now. */
  wake(): void;
};

const Params = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** The dashboard's routes that read pages and act on them. */
export function pageApiRoutes(api: FastifyInstance, services: PageApiServices): void {
  const { db } = services;
  api.get(
    '/pages',
    { schema: { hide: true, querystring: PageListQuery }, preValidation: readQueryNumbers },
    async (request): Promise<PageList> => {
      const { limit, ...filters } = request.query as PageListQuery;
      const which = { ...filters, limit: limit + 1 };
      const pages = await readPages(db, viewerOf(request), which);
      return { pages: pages.slice(0, limit), has_more: pages.length > limit };
    },
  );

  api.post('/pages/handled', { schema: { hide: true, body: HandledBody } }, (request) =>
    handleTogether(services, viewerOf(request), (request.body as HandledBody).pages),
  );

  api.get('/pages/:id', { schema: { hide: true, params: Params } }, async (request): Promise<PageDetail> => {
    const detail = await readPageDetail(services, viewerOf(request), idOf(request));
    if (!detail) throw unknownPage();
    return detail;
  });

  action('acknowledge', null, acknowledged, (page, viewer) =>
    acknowledgePage(services, page.id, byViewer(viewer)),
  );
  action('resolve', null, resolved, (page, viewer) => resolvePage(services, page.id, byViewer(viewer)));
  action('escalate', null, escalated, async (page, viewer) => {
    const result = await escalatePage(services, page.id, byViewer(viewer));
    const acknowledged = result.outcome === 'unchanged' && result.state === 'acknowledged';
    return acknowledged ? escalateAcknowledged(services, page.id, byViewer(viewer)) : result;
  });
  action('unacknowledge', null, unacknowledged, (page, viewer) =>
    unacknowledgePage(services, page.id, byViewer(viewer)),
  );
  action('reopen', null, reopened, (page, viewer) => reopenPage(services, page.id, byViewer(viewer)));
  action('undo', null, undone, (page, viewer) => undoAnswer(services, page.id, byViewer(viewer)));
  action('responders', PeopleBody, stillOpen('They are being notified.'), async (page, viewer, body) =>
    addResponders(services, page.id, await notifiable(services, viewer, body), byViewer(viewer)),
  );
  action('reassign', ReassignBody, stillOpen('Reassigned.'), async (page, viewer, body) =>
    reassignPage(services, page.id, await assignee(services, viewer, body as ReassignBody), byViewer(viewer)),
  );
  action('extend', ExtendBody, stillAcknowledged('Extended'), (page, viewer, body) =>
    extendPage(services, page.id, (body as ExtendBody).minutes ?? null, byViewer(viewer)),
  );
  action('snooze', SnoozeBody, stillAcknowledged('Snoozed'), (page, viewer, body) =>
    snoozePage(services, page.id, (body as SnoozeBody).minutes, byViewer(viewer)),
  );
  action(
    'comments',
    CommentBody,
    () => 'Comment added.',
    (page, viewer, body) => commentOnPage(services, page.id, byViewer(viewer), (body as CommentBody).text),
  );

  /** A route that finds a page, checks that the viewer may act on it, acts, and answers with its new state. */
  function action(
    name: string,
    body: TSchema | null,
    message: (result: ActionResult) => string,
    act: (page: PageSummary, viewer: Viewer, body: unknown) => Promise<ActionResult>,
  ): void {
    const schema = { hide: true, params: Params, ...(body ? { body } : {}) };
    api.post(`/pages/:id/${name}`, { schema }, async (request): Promise<ActionAnswer> => {
      const viewer = viewerOf(request);
      const result = await act(await pageToActOn(db, idOf(request), viewer), viewer, request.body);
      services.wake();
      const answer = message(result);
      const page = await readPage(db, viewer, idOf(request));
      if (!page) throw unknownPage();
      return { changed: result.outcome === 'done', message: answer, page };
    });
  }
}

/** Marks several unanswered pages as handled. All are checked first; pages that somebody else handled meanwhile are not counted. */
async function handleTogether(
  services: PageApiServices,
  viewer: Viewer,
  ids: readonly string[],
): Promise<HandledAnswer> {
  const pages: PageSummary[] = [];
  for (const id of new Set(ids)) pages.push(await pageToActOn(services.db, id, viewer));
  const open = pages.find(({ state }) => state === 'notifying' || state === 'acknowledged');
  if (open)
    throw new Fault('conflict', [
      {
        field: 'pages',
        message: `names ${open.id}, which is ${open.state}; only expired pages can be marked as handled together`,
      },
    ]);
  let handled = 0;
  for (const { id } of pages) {
    const { outcome } = await resolvePage(services, id, byViewer(viewer));
    if (outcome === 'done') handled++;
  }
  services.wake();
  return { handled };
}

async function pageToActOn(db: Database, id: string, viewer: Viewer): Promise<PageSummary> {
  const page = await readPage(db, viewer, id);
  if (!page) throw unknownPage();
  if (!page.may_act) {
    const whose = page.team ? `the team ${page.team.name}` : 'the person whom it notifies';
    throw new Fault('forbidden', [
      {
        field: 'page',
        message: `belongs to ${whose}; only they and admins can act on it or add you as a responder`,
      },
    ]);
  }
  return page;
}

async function assignee(services: PageApiServices, viewer: Viewer, body: ReassignBody): Promise<Assignee> {
  const { users, team } = body;
  if (users && team === undefined) return { userIds: await notifiable(services, viewer, { users }) };
  if (users || team === undefined) {
    const message = 'and users exclude each other; give one of the two';
    throw new Fault('bad_request', [{ field: 'team', message }]);
  }
  try {
    return { team: { id: await findTeam(services, viewer.organizationId, team.trim()), name: team.trim() } };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault(
      error.code,
      error.details.map((detail) => ({ ...detail, field: 'team' })),
    );
  }
}

/** The ids of the given people. Everybody must belong to the organization and be reachable. */
async function notifiable(
  { db, means }: Pick<PageApiServices, 'db' | 'means'>,
  viewer: Viewer,
  body: unknown,
): Promise<string[]> {
  const { users } = body as PeopleBody;
  const found = await findNotifiable(db, viewer.organizationId, users);
  const missing = users.filter((user) => !found.has(user));
  if (missing.length > 0)
    throw new Fault(
      'bad_request',
      missing.map((user) => ({
        field: `users[${users.indexOf(user)}]`,
        message: `is ${JSON.stringify(user)}, which matches nobody in your organization; give a user's id or email address`,
      })),
    );
  const reach = await readReach(
    db,
    [...found.values()].map(({ id }) => id),
    means,
  );
  const refused = users.flatMap((user, index) => {
    const person = found.get(user);
    const known = person && reach.get(person.id);
    return person && !known?.reachable
      ? [{ field: `users[${index}]`, message: `names ${whyUnreachable(person.name, known)}` }]
      : [];
  });
  if (refused.length > 0) throw new Fault('bad_request', refused);
  return [...new Set([...found.values()].map(({ id }) => id))];
}

function acknowledged(result: ActionResult): string {
  if (result.outcome === 'done')
    return result.page.state === 'acknowledged'
      ? 'You joined the page.'
      : 'Acknowledged: nobody else will be notified.';
  if (result.outcome === 'unknown') throw unknownPage();
  if (result.state === 'acknowledged') return `${result.by ?? 'Somebody'} had already acknowledged it.`;
  if (result.state === 'resolved') return 'The page was already resolved.';
  return 'The page expired before you answered. Your answer is recorded in the timeline; resolve the page when you have handled it.';
}

function resolved(result: ActionResult): string {
  if (result.outcome === 'unknown') throw unknownPage();
  return result.outcome === 'done' ? 'Resolved.' : 'The page was already resolved.';
}

function escalated(result: ActionResult): string {
  if (result.outcome === 'unknown') throw unknownPage();
  if (result.outcome === 'done') return 'Escalated: the next people are being notified.';
  throw conflict(
    result.page.kind === 'person'
      ? 'is for one person and has no stages; add people or reassign it instead'
      : `is ${result.state}; only an open page can be escalated`,
  );
}

function unacknowledged(result: ActionResult): string {
  if (result.outcome === 'unknown') throw unknownPage();
  if (result.outcome === 'done') return 'Un-acknowledged: the people on call now are notified.';
  throw conflict(`is ${result.state}; only an acknowledged page can be un-acknowledged`);
}

function reopened(result: ActionResult): string {
  if (result.outcome === 'unknown') throw unknownPage();
  if (result.outcome === 'done') return 'Reopened: the people on call now are notified.';
  throw conflict(`is ${result.state}; only a resolved or expired page can be reopened`);
}

function undone(result: ActionResult): string {
  if (result.outcome === 'unknown') throw unknownPage();
  if (result.outcome === 'done') return 'Undone: the page is as it was before.';
  throw conflict(
    `was not acknowledged or resolved by you within the last ${UNDO_SECONDS} seconds; un-acknowledge or reopen it instead`,
  );
}

function stillOpen(message: string) {
  return (result: ActionResult): string => {
    if (result.outcome === 'unknown') throw unknownPage();
    if (result.outcome === 'done') return message;
    throw conflict(`is ${result.state}; raise a new page to notify somebody`);
  };
}

function stillAcknowledged(done: string) {
  return (result: ActionResult): string => {
    if (result.outcome === 'unknown') throw unknownPage();
    if (result.outcome === 'done')
      return `${done}. The person who acknowledged it is notified again when that time ends.`;
    throw conflict(`is ${result.state}; only an acknowledged page can be extended or snoozed`);
  };
}

function byViewer(viewer: Viewer): Actor {
  return { userId: viewer.userId, via: viaOf(viewer) };
}

function viaOf({ pass }: Viewer): Via {
  return pass.kind === 'session' ? 'dashboard' : 'api';
}

function conflict(message: string): Fault {
  return new Fault('conflict', [{ field: 'page', message }]);
}

function unknownPage(): Fault {
  return new Fault('not_found', [
    { field: 'page', message: 'is not a page of your organization; see /api/pages' },
  ]);
}
