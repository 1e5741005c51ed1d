import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from '../db/database.ts';
import type { AnswerOf } from '../kit/endpoint-contract.ts';
import { Fault } from '../kit/fault.ts';
import { route } from '../kit/route.ts';
import { t } from '../language/contract.ts';
import { readReach } from '../people/contact-store.ts';
import { type Means, namesUnreachable } from '../people/reachability.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import {
  type ActionResult,
  type ActionServices,
  acknowledgePage,
  addResponders,
  commentOnPage,
  resolvePage,
} from './actions.ts';
import type { Actor } from './actor.ts';
import { type PageSummary, type PeopleBody, pagesApi, type ReassignBody } from './api-contract.ts';
import { UNDO_SECONDS } from './contract.ts';
import { escalatedText } from './escalated.ts';
import { type EscalationResult, escalateAcknowledged, escalatePage } from './escalating.ts';
import type { Via } from './event-contract.ts';
import { readPage, readPageDetail, readPages, unknownPage } from './page-detail.ts';
import { isState } from './page-state-text.ts';
import { findTeam } from './raise.ts';
import { peopleByIdOrAddress } from './read-store.ts';
import { type Assignee, reassignPage } from './reassigning.ts';
import { extendPage, snoozePage } from './reminders.ts';
import { reopenPage, unacknowledgePage, undoAnswer } from './reopening.ts';

export type PageApiServices = ActionServices & {
  db: Database;
  means: Means;
  /** Wakes the engine, because a step or delivery may be due now. */
  wake(): void;
};

/** The dashboard's routes that read pages and act on them. */
export function pageApiRoutes(api: FastifyInstance, services: PageApiServices): void {
  const { db } = services;

  route(api, pagesApi.list, async (request) => {
    const { limit, ...filters } = request.query;
    const pages = await readPages(db, viewerOf(request), { ...filters, limit: limit + 1 });
    return { pages: pages.slice(0, limit), has_more: pages.length > limit };
  });

  route(api, pagesApi.handled, async (request) =>
    handleTogether(services, viewerOf(request), request.body.pages),
  );

  route(api, pagesApi.show, async (request) => {
    const detail = await readPageDetail(services, viewerOf(request), request.params.id);
    if (!detail) throw unknownPage();
    return detail;
  });

  route(api, pagesApi.acknowledge, (request) =>
    act(request, acknowledged, (page, by) => acknowledgePage(services, page.id, by)),
  );
  route(api, pagesApi.resolve, (request) =>
    act(request, resolved, (page, by) => resolvePage(services, page.id, by)),
  );
  route(api, pagesApi.escalate, (request) =>
    act(request, escalated, async (page, by) => {
      const result = await escalatePage(services, page.id, by);
      const acknowledged = result.outcome === 'unchanged' && result.state === 'acknowledged';
      return acknowledged ? escalateAcknowledged(services, page.id, by) : result;
    }),
  );
  route(api, pagesApi.unacknowledge, (request) =>
    act(request, unacknowledged, (page, by) => unacknowledgePage(services, page.id, by)),
  );
  route(api, pagesApi.reopen, (request) =>
    act(request, reopened, (page, by) => reopenPage(services, page.id, by)),
  );
  route(api, pagesApi.undo, (request) =>
    act(request, undone, (page, by) => undoAnswer(services, page.id, by)),
  );
  route(api, pagesApi.responders, (request) =>
    act(request, stillOpen(t('They are being notified.')), async (page, by) =>
      addResponders(services, page.id, await notifiable(services, viewerOf(request), request.body), by),
    ),
  );
  route(api, pagesApi.reassign, (request) =>
    act(request, stillOpen(t('Reassigned.')), async (page, by) =>
      reassignPage(services, page.id, await assignee(services, viewerOf(request), request.body), by),
    ),
  );
  route(api, pagesApi.extend, (request) =>
    act(
      request,
      stillAcknowledged(t('Extended. The person who acknowledged it is notified again when that time ends.')),
      (page, by) => extendPage(services, page.id, request.body.minutes ?? null, by),
    ),
  );
  route(api, pagesApi.snooze, (request) =>
    act(
      request,
      stillAcknowledged(t('Snoozed. The person who acknowledged it is notified again when that time ends.')),
      (page, by) => snoozePage(services, page.id, request.body.minutes, by),
    ),
  );
  route(api, pagesApi.comments, (request) =>
    act(
      request,
      () => t('Comment added.'),
      (page, by) => commentOnPage(services, page.id, by, request.body.text),
    ),
  );

  /** Finds the page of the request, checks that the viewer may act on it, acts, and returns its new state. */
  async function act<Result extends ActionResult>(
    request: FastifyRequest<{ Params: { id: string } }>,
    message: (result: Result) => string,
    action: (page: PageSummary, by: Actor) => Promise<Result>,
  ): Promise<AnswerOf<typeof pagesApi.acknowledge>> {
    const viewer = viewerOf(request);
    const { id } = request.params;
    const result = await action(await pageToActOn(db, id, viewer), byViewer(viewer));
    services.wake();
    const answer = message(result);
    const page = await readPage(db, viewer, id);
    if (!page) throw unknownPage();
    return { changed: result.outcome === 'done', message: answer, page };
  }
}

/**
 * Marks several unanswered pages as handled. All are checked first. Pages that somebody else handled meanwhile are not
 * counted.
 */
async function handleTogether(
  services: PageApiServices,
  viewer: Viewer,
  ids: readonly string[],
): Promise<{ handled: number }> {
  const pages: PageSummary[] = [];
  for (const id of new Set(ids)) pages.push(await pageToActOn(services.db, id, viewer));
  const open = pages.find(({ state }) => state === 'notifying' || state === 'acknowledged');
  if (open)
    throw new Fault('conflict', [
      {
        field: 'pages',
        message: t('names {id}, which {isState}; only expired pages can be marked as handled together', {
          id: open.id,
          isState: isState(open.state),
        }),
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
    throw new Fault('forbidden', [
      {
        field: 'page',
        message: page.team
          ? t('belongs to the team {name}; only they and admins can act on it or add you as a responder', {
              name: page.team.name,
            })
          : t(
              'belongs to the person whom it notifies; only they and admins can act on it or add you as a responder',
            ),
      },
    ]);
  }
  return page;
}

async function assignee(services: PageApiServices, viewer: Viewer, body: ReassignBody): Promise<Assignee> {
  const { users, team } = body;
  if (users && team === undefined) return { userIds: await notifiable(services, viewer, { users }) };
  if (users || team === undefined) {
    const message = t('cannot be combined with users; give only one of them');
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
  { users }: PeopleBody,
): Promise<string[]> {
  const found = await peopleByIdOrAddress(db, viewer.organizationId, users);
  const missing = users.filter((user) => !found.has(user));
  if (missing.length > 0)
    throw new Fault(
      'bad_request',
      missing.map((user) => ({
        field: `users[${users.indexOf(user)}]`,
        message: t(
          "is {user}, which matches nobody in your organization; give a user's id or email address",
          { user: JSON.stringify(user) },
        ),
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
      ? [
          {
            field: `users[${index}]`,
            message: namesUnreachable(person.name, known),
          },
        ]
      : [];
  });
  if (refused.length > 0) throw new Fault('bad_request', refused);
  return [...new Set([...found.values()].map(({ id }) => id))];
}

function acknowledged(result: ActionResult): string {
  if (result.outcome === 'done')
    return result.page.state === 'acknowledged'
      ? t('You joined the page.')
      : t('Acknowledged: nobody else will be notified.');
  if (result.outcome === 'unknown') throw unknownPage();
  if (result.state === 'acknowledged')
    return result.by === null
      ? t('Somebody had already acknowledged it.')
      : t('{name} had already acknowledged it.', { name: result.by });
  if (result.state === 'resolved') return t('The page was already resolved.');
  return t(
    'The page expired before you answered. Your answer is recorded in the timeline; resolve the page when you have handled it.',
  );
}

function resolved(result: ActionResult): string {
  if (result.outcome === 'unknown') throw unknownPage();
  return result.outcome === 'done' ? t('Resolved.') : t('The page was already resolved.');
}

function escalated(result: EscalationResult): string {
  if (result.outcome === 'unknown') throw unknownPage();
  if (result.outcome === 'done') return escalatedText(result);
  throw conflict(
    result.page.kind === 'person'
      ? t('is for one person and has no stages; add people or reassign it instead')
      : t('{isState}; only an open page can be escalated', { isState: isState(result.state) }),
  );
}

function unacknowledged(result: ActionResult): string {
  if (result.outcome === 'unknown') throw unknownPage();
  if (result.outcome === 'done') return t('Un-acknowledged: the page notifies people again.');
  throw conflict(
    t('{isState}; only an acknowledged page can be un-acknowledged', { isState: isState(result.state) }),
  );
}

function reopened(result: ActionResult): string {
  if (result.outcome === 'unknown') throw unknownPage();
  if (result.outcome === 'done') return t('Reopened: the page notifies people again.');
  throw conflict(
    t('{isState}; only a resolved or expired page can be reopened', { isState: isState(result.state) }),
  );
}

function undone(result: ActionResult): string {
  if (result.outcome === 'unknown') throw unknownPage();
  if (result.outcome === 'done') return t('Undone: the page is as it was before.');
  throw conflict(
    t(
      'was not acknowledged or resolved by you within the last {seconds} seconds; un-acknowledge or reopen it instead',
      { seconds: UNDO_SECONDS },
    ),
  );
}

function stillOpen(message: string) {
  return (result: ActionResult): string => {
    if (result.outcome === 'unknown') throw unknownPage();
    if (result.outcome === 'done') return message;
    if (result.state === 'notifying' || result.state === 'acknowledged')
      throw conflict(
        t('has already notified them, and does not do so again in this round; reassign it to them instead'),
      );
    throw conflict(t('{isState}; raise a new page to notify somebody', { isState: isState(result.state) }));
  };
}

function stillAcknowledged(done: string) {
  return (result: ActionResult): string => {
    if (result.outcome === 'unknown') throw unknownPage();
    if (result.outcome === 'done') return done;
    throw conflict(
      t('{isState}; only an acknowledged page can be extended or snoozed', {
        isState: isState(result.state),
      }),
    );
  };
}

function byViewer(viewer: Viewer): Actor {
  return { userId: viewer.userId, via: viaOf(viewer) };
}

function viaOf({ authentication }: Viewer): Via {
  return authentication.kind === 'session' ? 'dashboard' : 'api';
}

function conflict(message: string): Fault {
  return new Fault('conflict', [{ field: 'page', message }]);
}
