import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText, instantTextOrNull } from '../kit/instant.ts';
import { route } from '../kit/route.ts';
import { randomToken, type Sealing, sha256 } from '../kit/sealing.ts';
import { newId } from '../kit/typeid.ts';
import { unhurried } from '../kit/unhurried.ts';
import { inLanguage } from '../language/ambient.ts';
import { t } from '../language/contract.ts';
import { audit } from '../people/store.ts';
import { findTeamOfViewer } from '../people/team-store.ts';
import { mayRead } from '../sessions/confirmed.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import { calendarPath, type FeedShown, feedsApi, type NewFeedBody } from './api-contract.ts';
import { feedCalendar } from './feed-calendar.ts';
import {
  deleteFeed,
  type FeedSubject,
  type FeedToken,
  findFeed,
  insertFeed,
  listFeeds,
  noteFeedUsed,
  type OwnFeed,
  rotateFeed,
  shiftsOfFeed,
} from './feed-store.ts';
import { findScheduleOfViewer } from './holiday-calendar-store.ts';

export type FeedServices = { db: Database; clock: Clock; sealing: Sealing; config: { publicUrl: string } };

/** 256 bits in base64url; no other text is a token. */
const TOKEN = /^([A-Za-z0-9_-]{43})\.ics$/;

/** Routes for the viewer's own feeds: list, create, rotate the address, revoke. */
export function feedApiRoutes(api: FastifyInstance, services: FeedServices): void {
  const { db, clock, sealing } = services;

  route(api, feedsApi.list, async (request) => {
    const viewer = viewerOf(request);
    const feeds = await listFeeds(db, viewer, null);
    const readable = await mayRead(services, viewer);
    return { feeds: feeds.map((feed) => present(feed, readable)) };
  });

  route(api, feedsApi.find, async (request) => show(viewerOf(request), request.params.id));

  route(api, feedsApi.create, async (request, reply) => {
    const viewer = viewerOf(request);
    const subject = await subjectOf(db, viewer, request.body);
    const made = await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      const feed = await insertFeed(tx, at, viewer, newId('calendar_feed'), subject, newToken(sealing));
      if (feed.created) await audit(tx, at, viewer, 'calendar.create', feed.id, subject);
      return feed;
    });
    reply.code(made.created ? 201 : 200);
    return show(viewer, made.id);
  });

  route(api, feedsApi.rotate, async (request) => {
    const viewer = viewerOf(request);
    const id = request.params.id;
    await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      if (!(await rotateFeed(tx, at, viewer, id, newToken(sealing)))) throw unknownFeed();
      await audit(tx, at, viewer, 'calendar.rotate', id, {});
    });
    return show(viewer, id);
  });

  route(api, feedsApi.revoke, async (request) => {
    const viewer = viewerOf(request);
    const id = request.params.id;
    await db.transaction().execute(async (tx) => {
      if (!(await deleteFeed(tx, viewer, id))) throw unknownFeed();
      await audit(tx, await clock.now(tx), viewer, 'calendar.revoke', id, {});
    });
    return { revoked: true };
  });

  async function show(viewer: Viewer, id: string): Promise<FeedShown> {
    const [feed] = await listFeeds(db, viewer, id);
    if (!feed) throw unknownFeed();
    return present(feed, await mayRead(services, viewer));
  }

  function present(
    { tokenSealed, createdAt, rotatedAt, lastUsedAt, ...feed }: OwnFeed,
    readable: boolean,
  ): FeedShown {
    return {
      ...feed,
      url: readable ? services.config.publicUrl + calendarPath(sealing.open(tokenSealed)) : null,
      created_at: instantText(createdAt),
      rotated_at: instantTextOrNull(rotatedAt),
      last_used_at: instantTextOrNull(lastUsedAt),
    };
  }
}

/** GET /calendar/<token>.ics, without a session: the token in the address grants access. */
export function feedRoutes(listener: FastifyInstance, services: FeedServices): void {
  const { db, clock, config } = services;
  const hidden = { schema: { hide: true } } as const;
  listener.get<{ Params: { file: string } }>('/calendar/:file', hidden, async (request, reply) => {
    const token = TOKEN.exec(request.params.file)?.[1];
    // Invalid tokens go through the same look-up, so that timing reveals nothing.
    const feed = await findFeed(db, sha256(token ?? ''));
    if (!feed)
      throw new Fault('not_found', [
        {
          field: 'calendar',
          message: t(
            'does not exist at this address, or was revoked; copy the current address from the dashboard',
          ),
        },
      ]);
    const at = await clock.now(db);
    await noteFeedUsed(db, at, feed.id);
    const shifts = await shiftsOfFeed(db, at, feed);
    const text = await inLanguage(feed.language, () =>
      unhurried(feedCalendar(feed, shifts, config.publicUrl)),
    );
    return sendCalendar(request, reply, text);
  });
}

function sendCalendar(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const etag = `"${sha256(text).toString('base64url').slice(0, 22)}"`;
  reply.headers({
    etag,
    'cache-control': 'private, max-age=300',
    'content-type': 'text/calendar; charset=utf-8',
    'content-disposition': 'inline; filename="on-call.ics"',
  });
  const known = String(request.headers['if-none-match'] ?? '').split(/\s*,\s*/);
  if (known.includes(etag) || known.includes(`W/${etag}`)) return reply.code(304).send();
  return reply.send(text);
}

function newToken(sealing: Sealing): FeedToken {
  const token = randomToken();
  return { hash: sha256(token), sealed: sealing.seal(token) };
}

async function subjectOf(
  db: Handle,
  viewer: Viewer,
  { kind, team, schedule }: NewFeedBody,
): Promise<FeedSubject> {
  if (kind === 'person') return { kind, teamId: null, scheduleId: null };
  const name = kind === 'team' ? team : schedule;
  const find = kind === 'team' ? findTeamOfViewer : findScheduleOfViewer;
  const id = name === undefined ? null : ((await find(db, viewer, name))?.id ?? null);
  if (id !== null)
    return { kind, teamId: kind === 'team' ? id : null, scheduleId: kind === 'schedule' ? id : null };
  throw new Fault('bad_request', [{ field: kind, message: subjectProblem(kind, name) }]);
}

function subjectProblem(kind: 'team' | 'schedule', name: string | undefined): string {
  if (kind === 'team')
    return name === undefined
      ? t('is missing; give its slug or id')
      : t('is not a team of your organization; give its slug or id');
  return name === undefined
    ? t('is missing; give its id')
    : t('is not a schedule of your organization; give its id');
}

function unknownFeed(): Fault {
  return new Fault('not_found', [
    {
      field: 'calendar',
      message: t('is not one of your calendar feeds, or was revoked; see /api/calendars'),
    },
  ]);
}
