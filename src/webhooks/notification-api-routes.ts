import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText, instantTextOrNull } from '../kit/instant.ts';
import { idOf } from '../kit/path-id.ts';
import { recordAudit } from '../people/audit-store.ts';
import type { Role } from '../people/contract.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import { findManagedWebhook } from './manage-store.ts';
import {
  type NotificationDetail,
  type NotificationList,
  NotificationListQuery,
  type NotificationShown,
} from './notification-contract.ts';
import {
  findNotification,
  type ListedNotification,
  listNotifications,
  momentsOfNotification,
  type WholeNotification,
} from './notification-list-store.ts';
import { mayRetry } from './policy.ts';
import { retryFailedNotifications, retryNotification } from './retry.ts';

export type NotificationApiServices = {
  db: Database;
  clock: Clock;
  /** There are webhook calls to handle. */
  wakeNotifications(): void;
};

const Params = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** Received notifications: list, show as they came, and read failed ones again. */
export function notificationApiRoutes(api: FastifyInstance, services: NotificationApiServices): void {
  const { db, clock } = services;
  const hidden = { hide: true } as const;

  api.get(
    '/notifications',
    { schema: { ...hidden, querystring: NotificationListQuery }, preValidation: readLimit },
    async (request): Promise<NotificationList> => {
      const viewer = viewerOf(request);
      const { webhook, state, limit, before } = request.query as NotificationListQuery;
      const rows = await listNotifications(db, viewer, {
        ...{ webhookId: webhook ?? null, state: state ?? null, before: before ?? null },
        limit: limit + 1,
      });
      const shown = rows.slice(0, limit).map((row) => presentNotification(row, viewer.role));
      return { notifications: shown, has_more: rows.length > limit };
    },
  );

  api.get(
    '/notifications/:id',
    { schema: { ...hidden, params: Params } },
    async (request): Promise<NotificationDetail> => {
      const viewer = viewerOf(request);
      const notification = await notificationOf(viewer, idOf(request));
      return {
        ...presentNotification(notification, viewer.role),
        headers: notification.headers,
        body: { ...presentBody(notification.body), whole: notification.whole },
        moments: await momentsOfNotification(db, viewer.organizationId, notification.id),
      };
    },
  );

  api.post('/notifications/:id/retry', { schema: { ...hidden, params: Params } }, async (request) => {
    const viewer = viewerOf(request);
    const { organizationId, userId } = viewer;
    const notification = await notificationOf(viewer, idOf(request));
    if (!mayRetry(viewer.role, notification.relation)) throw notOfTheTeam();
    if (!notification.authentic) throw forged();
    if (!isKept(notification)) throw notKept();
    await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      await retryNotification(tx, at, organizationId, notification.id);
      const entry = { action: 'notification.retry', subject: notification.id, data: {} };
      await recordAudit(tx, at, organizationId, userId, [entry]);
    });
    services.wakeNotifications();
    return { retried: 1 };
  });

  api.post('/webhooks/:id/retry', { schema: { ...hidden, params: Params } }, async (request) => {
    const viewer = viewerOf(request);
    const { organizationId, userId } = viewer;
    const webhook = await findManagedWebhook(db, clock, viewer, idOf(request));
    if (!webhook)
      throw new Fault('not_found', [
        { field: 'webhook', message: 'is not a webhook of your organization, or was revoked' },
      ]);
    if (!mayRetry(viewer.role, webhook.relation)) throw notOfTheTeam();
    const retried = await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      const count = await retryFailedNotifications(tx, at, organizationId, webhook.id);
      const entry = { action: 'webhook.retry', subject: webhook.id, data: { count } };
      await recordAudit(tx, at, organizationId, userId, [entry]);
      return count;
    });
    services.wakeNotifications();
    return { retried };
  });

  async function notificationOf(viewer: Viewer, id: string): Promise<WholeNotification> {
    const notification = await findNotification(db, viewer, id);
    if (notification) return notification;
    throw new Fault('not_found', [
      {
        field: 'notification',
        message: 'is not one that your organization received, or was forgotten; see /api/notifications',
      },
    ]);
  }
}

function presentNotification(row: ListedNotification, role: Role): NotificationShown {
  const { id, webhook, integration, state, reason, attempts, bytes, moments } = row;
  return {
    ...{ id, webhook, integration, state, reason, attempts, bytes, moments },
    received_at: instantText(row.receivedAt),
    processed_at: instantTextOrNull(row.processedAt),
    request_id: row.requestId,
    may_retry: state === 'error' && row.authentic && isKept(row) && mayRetry(role, row.relation),
  };
}

/** Of a call that was refused before its body was read, or of which only a part is kept, nothing can be read again. */
function isKept({
  requestId,
  bytes,
  whole,
}: Pick<ListedNotification, 'requestId' | 'bytes' | 'whole'>): boolean {
  return whole && (requestId !== null || bytes > 0);
}

function presentBody(body: Buffer): Omit<NotificationDetail['body'], 'whole'> {
  try {
    return {
      encoding: 'utf-8',
      // What was cut short may end within a character.
      content: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body, { stream: true }),
    };
  } catch {
    return { encoding: 'base64', content: body.toString('base64') };
  }
}

/** Everything in a query is text; digits are the number that the schema wants. */
async function readLimit(request: FastifyRequest): Promise<void> {
  const query = request.query as Record<string, unknown>;
  const { limit } = query;
  if (typeof limit === 'string' && /^\d{1,9}$/.test(limit))
    request.query = { ...query, limit: Number(limit) };
}

function notOfTheTeam(): Fault {
  return new Fault('forbidden', [
    {
      field: 'notification',
      message: 'belongs to another team; ask one of its members, an admin or an owner',
    },
  ]);
}

function forged(): Fault {
  return new Fault('conflict', [
    {
      field: 'notification',
      message: 'was not signed by its sender and is never worked on; have the sender send it again',
    },
  ]);
}

function notKept(): Fault {
  return new Fault('conflict', [
    {
      field: 'notification',
      message: 'is not kept as a whole, so that it cannot be read again; have the sender send it again',
    },
  ]);
}
