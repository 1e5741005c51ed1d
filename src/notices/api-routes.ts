import type { FastifyInstance } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { route } from '../kit/route.ts';
import { viewerOf } from '../sessions/contract.ts';
import { noticesApi } from './api-contract.ts';
import { presentNotice } from './inbox.ts';
import { countUnread, listNotices, markRead } from './store.ts';

/** The viewer's inbox of notices. */
export function noticeApiRoutes(api: FastifyInstance, { db, clock }: { db: Database; clock: Clock }): void {
  route(api, noticesApi.list, async (request) => {
    const { organizationId, userId } = viewerOf(request);
    const notices = await listNotices(db, organizationId, userId);
    return { notices: notices.map(presentNotice), unread: await countUnread(db, userId) };
  });

  route(api, noticesApi.markRead, async (request) => {
    const { organizationId, userId } = viewerOf(request);
    const { up_to: upTo } = request.body;
    await markRead(db, await clock.now(db), organizationId, userId, upTo);
    return { unread: await countUnread(db, userId) };
  });
}
