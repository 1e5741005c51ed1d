import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { parseInstant } from '../kit/instant.ts';
import { route } from '../kit/route.ts';
import type { Sealing } from '../kit/sealing.ts';
import { t } from '../language/contract.ts';
import { ISSUE_TRACKERS } from '../moments/integrations/issue-filter.ts';
import { adapterFor, INTEGRATIONS } from '../moments/integrations/registry.ts';
import type { AuditAction } from '../people/audit-contract.ts';
import { teamOf } from '../people/find-team.ts';
import { recordAudit } from '../people/store.ts';
import { closeAllProblems } from '../problems/store.ts';
import { mayRead } from '../sessions/confirmed.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import { changeWebhook, createWebhook, revokeWebhook, rotateWebhook, type WebhookEdit } from './actions.ts';
import {
  type NewWebhookBody,
  type WebhookChangeBody,
  type WebhookDetail,
  webhooksApi,
} from './api-contract.ts';
import { oldUntilOf, withoutNulls } from './bodies.ts';
import { webhookUrl } from './contract.ts';
import { webhookSubject } from './health.ts';
import { mayManage } from './policy.ts';
import { type Presenting, presentWebhook, presentWebhookDetail } from './present.ts';
import {
  findManagedWebhook,
  listFormerTokens,
  listWebhooks,
  lockWebhook,
  type ManagedWebhook,
} from './store.ts';
import { unknownWebhook } from './unknown-webhook.ts';

export type WebhookApiServices = {
  db: Database;
  clock: Clock;
  sealing: Sealing;
  config: { publicUrl: string };
};

/** The dashboard's routes for webhooks: list, create, show with URL and secret, change, rotate, revoke. */
export function webhookApiRoutes(api: FastifyInstance, services: WebhookApiServices): void {
  const { db, clock, sealing } = services;

  route(api, webhooksApi.integrations, async () => ({
    integrations: INTEGRATIONS.map((name) => ({
      name,
      signs: adapterFor(name)?.verify !== undefined,
      filters: ISSUE_TRACKERS.includes(name),
    })),
  }));

  route(api, webhooksApi.list, async (request) => {
    const viewer = viewerOf(request);
    const { team } = request.query;
    const teamId = team === undefined ? null : (await teamOf(db, viewer, team)).id;
    const webhooks = await listWebhooks(db, clock, viewer, teamId, 'webhook');
    const formers = await listFormerTokens(
      db,
      clock,
      webhooks.map(({ id }) => id),
    );
    const presenting = await presentingTo(viewer);
    return { webhooks: webhooks.map((webhook) => presentWebhook(webhook, formers, presenting)) };
  });

  route(api, webhooksApi.show, async (request) => {
    const viewer = viewerOf(request);
    return show(viewer, request.params.id, await presentingTo(viewer));
  });

  route(
    api,
    webhooksApi.create,
    async (request, reply) => {
      const viewer = viewerOf(request);
      const id = await db.transaction().execute((tx) => create(tx, viewer, request.body));
      reply.code(201);
      return show(viewer, id, await presentingMade(viewer));
    },
    { preValidation: withoutNulls },
  );

  route(api, webhooksApi.change, async (request) => {
    const viewer = viewerOf(request);
    const edit = editOf(request.body);
    await managing(request, 'webhook.change', async (tx, at, webhook) => {
      await changeWebhook(tx, at, sealing, viewer.organizationId, webhook, edit);
      return { changed: Object.keys(edit), ...(edit.name === undefined ? {} : { name: edit.name }) };
    });
    return show(viewer, request.params.id, await presentingTo(viewer));
  });

  route(api, webhooksApi.rotate, async (request) => {
    const viewer = viewerOf(request);
    await managing(request, 'webhook.rotate', async (tx, at, webhook) => {
      const oldUntil = oldUntilOf(request.body.old_until, at);
      await rotateWebhook(tx, at, sealing, viewer.organizationId, webhook.id, oldUntil);
      return { old_until: oldUntil?.toString() ?? null };
    });
    return show(viewer, request.params.id, await presentingMade(viewer));
  });

  route(api, webhooksApi.revoke, async (request) => {
    const { organizationId } = viewerOf(request);
    await managing(request, 'webhook.revoke', async (tx, at, webhook) => {
      await revokeWebhook(tx, at, organizationId, webhook.id);
      await closeAllProblems(tx, clock, [webhookSubject(webhook.id)]);
      return { name: webhook.name };
    });
    return { revoked: true };
  });

  async function presentingTo(viewer: Viewer): Promise<Presenting> {
    return {
      sealing,
      role: viewer.role,
      secrets: await mayRead(services, viewer),
      urlOf: (token, type) => webhookUrl(services.config.publicUrl, token, type),
    };
  }

  async function presentingMade(viewer: Viewer): Promise<Presenting> {
    return { ...(await presentingTo(viewer)), madeUrl: true };
  }

  async function show(viewer: Viewer, id: string, presenting: Presenting): Promise<WebhookDetail> {
    const webhook = await webhookOf(db, viewer, id);
    return presentWebhookDetail(webhook, await listFormerTokens(db, clock, [id]), presenting);
  }

  async function webhookOf(handle: Handle, viewer: Viewer, id: string): Promise<ManagedWebhook> {
    const webhook = await findManagedWebhook(handle, clock, viewer, id, 'webhook');
    if (!webhook) throw unknownWebhook('webhook');
    return webhook;
  }

  async function create(tx: Tx, viewer: Viewer, body: NewWebhookBody): Promise<string> {
    const { organizationId, userId } = viewer;
    const team = await teamOf(tx, viewer, body.team);
    if (!mayManage(viewer.role, team.relation)) throw notTheirs();
    const at = await clock.now(tx);
    const { id } = await createWebhook(tx, at, sealing, {
      ...{ organizationId, teamId: team.id, name: body.name.trim(), type: body.type, createdBy: userId },
      expiresAt: body.expires_at === undefined ? null : parseInstant(body.expires_at),
      signingSecret: body.signing_secret ?? null,
      settings: body.settings ?? {},
    });
    const data = { name: body.name.trim(), type: body.type, team: body.team };
    await recordAudit(tx, at, organizationId, userId, [{ action: 'webhook.create', subject: id, data }]);
    return id;
  }

  /** Changes a webhook that the viewer may manage, and records the change in the audit log. */
  async function managing(
    request: FastifyRequest<{ Params: { id: string } }>,
    action: AuditAction,
    act: (tx: Tx, at: Temporal.Instant, webhook: ManagedWebhook) => Promise<Record<string, unknown>>,
  ): Promise<void> {
    const viewer = viewerOf(request);
    const { organizationId, userId } = viewer;
    const { id } = request.params;
    await db.transaction().execute(async (tx) => {
      if (!(await lockWebhook(tx, organizationId, id))) throw unknownWebhook('webhook');
      const webhook = await webhookOf(tx, viewer, id);
      if (!mayManage(viewer.role, webhook.relation)) throw notTheirs();
      const at = await clock.now(tx);
      const data = await act(tx, at, webhook);
      await recordAudit(tx, at, organizationId, userId, [{ action, subject: id, data }]);
    });
  }
}

function editOf({ name, expires_at, signing_secret, settings }: WebhookChangeBody): WebhookEdit {
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(expires_at === undefined ? {} : { expiresAt: expires_at === null ? null : parseInstant(expires_at) }),
    ...(signing_secret === undefined ? {} : { signingSecret: signing_secret }),
    ...(settings === undefined ? {} : { settings }),
  };
}

function notTheirs(): Fault {
  return new Fault('forbidden', [
    { field: 'webhook', message: t("is managed by the team's managers, admins and owners; ask one of them") },
  ]);
}
