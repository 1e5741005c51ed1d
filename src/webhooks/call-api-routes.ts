import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText, instantTextOrNull } from '../kit/instant.ts';
import { route } from '../kit/route.ts';
import { t } from '../language/contract.ts';
import { storedTextOrNull } from '../language/stored.ts';
import { inWords } from '../pages/own-texts-contract.ts';
import type { Role } from '../people/contract.ts';
import { type AuditEntry, recordAudit } from '../people/store.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import { type CallDetail, type CallShown, callsApi } from './call-contract.ts';
import {
  countUnrecorded,
  findCall,
  type ListedCall,
  listCalls,
  momentsOfCall,
  type WholeCall,
} from './call-list-store.ts';
import { requeueFailed } from './call-store.ts';
import type { WebhookKind } from './contract.ts';
import { mayRetry } from './policy.ts';
import { retryCall, retryFailedCalls } from './retry.ts';
import { findManagedWebhook } from './store.ts';
import { unknownWebhook } from './unknown-webhook.ts';

export type CallApiServices = {
  db: Database;
  clock: Clock;
  /** Wakes the worker, because there are webhook calls to process. */
  wakeCalls(): void;
};

/** The dashboard's routes for received calls: list, show, and retry failed ones. */
export function callApiRoutes(api: FastifyInstance, services: CallApiServices): void {
  allCallsRoutes(api, services);
  const { db, clock } = services;

  route(api, callsApi.list, async (request) => {
    const viewer = viewerOf(request);
    const { webhook, state, limit, before } = request.query;
    const rows = await listCalls(db, viewer, {
      ...{ webhookId: webhook ?? null, state: state ?? null, before: before ?? null },
      limit: limit + 1,
    });
    const shown = rows
      .slice(0, limit)
      .map((row) => ({ ...presentCall(row, viewer.role), moments: row.moments }));
    return { notifications: shown, has_more: rows.length > limit };
  });

  route(api, callsApi.show, async (request) => {
    const viewer = viewerOf(request);
    const call = await storedCallOf(viewer, request.params.id);
    return {
      ...presentCall(call, viewer.role),
      headers: call.headers,
      body: { ...presentBody(call.body), whole: call.whole },
      moments: await momentsOfCall(db, viewer.organizationId, call.id),
    };
  });

  route(api, callsApi.retry, async (request) => {
    const viewer = viewerOf(request);
    const { organizationId, userId } = viewer;
    const call = await storedCallOf(viewer, request.params.id);
    if (!mayRetry(viewer.role, call.relation)) throw notOfTheTeam();
    if (!call.authentic) throw forged();
    if (!isKept(call)) throw notKept();
    await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      await retryCall(tx, at, organizationId, call.id);
      const entry: AuditEntry = { action: 'notification.retry', subject: call.id, data: {} };
      await recordAudit(tx, at, organizationId, userId, [entry]);
    });
    services.wakeCalls();
    return { retried: 1 };
  });

  route(api, callsApi.retryWebhook, async (request) => retryAll(request, 'webhook'));
  route(api, callsApi.retrySource, async (request) => retryAll(request, 'source'));

  async function retryAll(
    request: FastifyRequest<{ Params: { id: string } }>,
    kind: WebhookKind,
  ): Promise<{ retried: number }> {
    const viewer = viewerOf(request);
    const { organizationId, userId } = viewer;
    const webhook = await findManagedWebhook(db, clock, viewer, request.params.id, kind);
    if (!webhook) throw unknownWebhook(kind);
    if (!mayRetry(viewer.role, webhook.relation)) throw notOfTheTeam();
    const retried = await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      const count = await retryFailedCalls(tx, at, organizationId, webhook.id);
      const entry: AuditEntry = { action: `${kind}.retry`, subject: webhook.id, data: { count } };
      await recordAudit(tx, at, organizationId, userId, [entry]);
      return count;
    });
    services.wakeCalls();
    return { retried };
  }

  async function storedCallOf(viewer: Viewer, id: string): Promise<WholeCall> {
    const call = await findCall(db, viewer, id);
    if (call) return call;
    throw new Fault('not_found', [
      {
        field: 'notification',
        message: t(
          'Your organization received no notification with this id, or it was deleted after its retention time; see /api/notifications.',
        ),
      },
    ]);
  }
}

function presentCall(row: ListedCall, role: Role): Omit<CallShown, 'moments'> {
  const { id, webhook, integration, state, reason, attempts, bytes, pages } = row;
  return {
    ...{ id, webhook, integration, state, attempts, bytes },
    pages: pages.map(({ page, ...outcome }) => ({
      ...outcome,
      reason: storedTextOrNull(outcome.reason),
      page: page && inWords(page),
    })),
    reason: storedTextOrNull(reason),
    page_count: row.pageCount,
    received_at: instantText(row.receivedAt),
    processed_at: instantTextOrNull(row.processedAt),
    request_id: row.requestId,
    may_retry: state === 'error' && row.authentic && isKept(row) && mayRetry(role, row.relation),
  };
}

/**
 * False for a call that was refused before its body was read, or whose body is stored only in part: it cannot be retried.
 */
function isKept({ requestId, bytes, whole }: Pick<ListedCall, 'requestId' | 'bytes' | 'whole'>): boolean {
  return whole && (requestId !== null || bytes > 0);
}

function presentBody(body: Buffer): Omit<CallDetail['body'], 'whole'> {
  try {
    return {
      encoding: 'utf-8',
      // With `stream`, a body that was truncated within a character is still valid.
      content: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body, { stream: true }),
    };
  } catch {
    return { encoding: 'base64', content: body.toString('base64') };
  }
}

function notOfTheTeam(): Fault {
  return new Fault('forbidden', [
    {
      field: 'notification',
      message: t('belongs to another team; ask one of its members, an admin or an owner'),
    },
  ]);
}

function forged(): Fault {
  return new Fault('conflict', [
    {
      field: 'notification',
      message: t('This call has no valid signature and is never processed; have its sender repeat it.'),
    },
  ]);
}

function notKept(): Fault {
  return new Fault('conflict', [
    {
      field: 'notification',
      message: t(
        'Tocsin kept only a part of this call, so it cannot be processed again; have its sender repeat it.',
      ),
    },
  ]);
}

/** The routes for all calls at once: counts, and retrying every failed call. */
function allCallsRoutes(api: FastifyInstance, { db, clock, wakeCalls }: CallApiServices): void {
  route(api, callsApi.counts, async (request) =>
    countUnrecorded(db, viewerOf(request).organizationId, request.query.webhook ?? null),
  );

  route(api, callsApi.retryAll, async (request) => {
    const { organizationId, userId, role } = viewerOf(request);
    const everyTeam = mayRetry(role, { member: false, manager: false });
    const retried = await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      const count = await requeueFailed(tx, at, organizationId, { memberId: everyTeam ? null : userId });
      const entry: AuditEntry = { action: 'notification.retry', subject: organizationId, data: { count } };
      await recordAudit(tx, at, organizationId, userId, [entry]);
      return count;
    });
    wakeCalls();
    return { retried };
  });
}
