import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database, Handle, Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { parseInstant } from '../kit/instant.ts';
import { route } from '../kit/route.ts';
import type { Sealing } from '../kit/sealing.ts';
import { t } from '../language/contract.ts';
import type { AuditAction } from '../people/audit-contract.ts';
import { teamOf } from '../people/find-team.ts';
import { recordAudit } from '../people/store.ts';
import { closeAllProblems } from '../problems/store.ts';
import { mayRead } from '../sessions/confirmed.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import { oldUntilOf, withoutNulls } from '../webhooks/bodies.ts';
import { webhookSubject } from '../webhooks/health.ts';
import { mayManage } from '../webhooks/policy.ts';
import type { Presenting } from '../webhooks/present.ts';
import { listFormerTokens, lockWebhook } from '../webhooks/store.ts';
import { unknownWebhook } from '../webhooks/unknown-webhook.ts';
import { type NewSourceBody, type SourceChangeBody, type SourceDetail, sourcesApi } from './api-contract.ts';
import { SourceSettings } from './contract.ts';
import { findSource, listSources } from './find.ts';
import {
  changeSource,
  createSource,
  type ManagedSource,
  type Managing,
  revokeSource,
  rotateSource,
  type SourceEdit,
} from './manage.ts';
import { presentSource, presentSourceDetail, presentType } from './present.ts';
import { SOURCE_TYPES } from './source.ts';
import { sourceUrl } from './url.ts';

export type SourceApiServices = {
  db: Database;
  clock: Clock;
  sealing: Sealing;
  config: { publicUrl: string };
};

/** The routes of page sources: list, create, show with URL and secret, change, rotate, revoke. */
export function sourceApiRoutes(api: FastifyInstance, services: SourceApiServices): void {
  const { db, clock, sealing } = services;

  route(api, sourcesApi.types, async () => ({ types: SOURCE_TYPES.map(presentType) }));

  route(api, sourcesApi.list, async (request) => {
    const viewer = viewerOf(request);
    const { team } = request.query;
    const teamId = team === undefined ? null : (await teamOf(db, viewer, team)).id;
    const sources = await listSources(db, clock, viewer, teamId);
    const formers = await listFormerTokens(
      db,
      clock,
      sources.map(({ id }) => id),
    );
    const presenting = await presentingTo(viewer);
    return {
      sources: sources.map((source) => presentSource(source, formers, presenting)),
      types: [...SOURCE_TYPES],
    };
  });

  route(api, sourcesApi.show, async (request) => {
    const viewer = viewerOf(request);
    return show(viewer, request.params.id, await presentingTo(viewer));
  });

  route(
    api,
    sourcesApi.create,
    async (request, reply) => {
      const viewer = viewerOf(request);
      const { id, key } = await db.transaction().execute((tx) => create(tx, viewer, request.body));
      reply.code(201);
      return { ...(await show(viewer, id, await presentingMade(viewer))), key };
    },
    { preValidation: [withoutNulls, withoutStraySettings] },
  );

  route(
    api,
    sourcesApi.change,
    async (request) => {
      const viewer = viewerOf(request);
      const edit = editOf(request.body);
      await managing(request, 'source.change', async (by, source) => {
        await changeSource(by, viewer.organizationId, source, edit);
        return { changed: Object.keys(edit), ...(edit.name === undefined ? {} : { name: edit.name }) };
      });
      return show(viewer, request.params.id, await presentingTo(viewer));
    },
    { preValidation: withoutStraySettings },
  );

  route(api, sourcesApi.rotate, async (request) => {
    const viewer = viewerOf(request);
    const { old_until, key = null } = request.body;
    let made: string | null = null;
    await managing(request, 'source.rotate', async (by, source) => {
      const oldUntil = oldUntilOf(old_until, by.at);
      made = (await rotateSource(by, viewer.organizationId, source, { key, oldUntil })).key;
      return { old_until: oldUntil?.toString() ?? null };
    });
    return { ...(await show(viewer, request.params.id, await presentingMade(viewer))), key: made };
  });

  route(api, sourcesApi.revoke, async (request) => {
    const { organizationId } = viewerOf(request);
    await managing(request, 'source.revoke', async ({ tx, at }, source) => {
      await revokeSource({ tx, at }, organizationId, source.id);
      await closeAllProblems(tx, clock, [webhookSubject(source.id)]);
      return { name: source.name };
    });
    return { revoked: true };
  });

  async function presentingTo(viewer: Viewer): Promise<Presenting> {
    return {
      sealing,
      role: viewer.role,
      secrets: await mayRead(services, viewer),
      urlOf: (token, type) => sourceUrl(services.config.publicUrl, token, type),
    };
  }

  async function presentingMade(viewer: Viewer): Promise<Presenting> {
    return { ...(await presentingTo(viewer)), madeUrl: true };
  }

  async function show(viewer: Viewer, id: string, presenting: Presenting): Promise<SourceDetail> {
    const source = await sourceOf(db, viewer, id);
    return presentSourceDetail(source, await listFormerTokens(db, clock, [id]), presenting);
  }

  async function sourceOf(handle: Handle, viewer: Viewer, id: string): Promise<ManagedSource> {
    const source = await findSource(handle, clock, viewer, id);
    if (!source) throw unknownWebhook('source');
    return source;
  }

  async function create(tx: Tx, viewer: Viewer, body: NewSourceBody) {
    const { organizationId, userId } = viewer;
    const team = await teamOf(tx, viewer, body.team);
    if (!mayManage(viewer.role, team.relation)) throw notTheirs();
    const at = await clock.now(tx);
    const made = await createSource(
      { tx, at, sealing },
      {
        ...{ organizationId, teamId: team.id, name: body.name.trim(), type: body.type, createdBy: userId },
        expiresAt: body.expires_at === undefined ? null : parseInstant(body.expires_at),
        signingSecret: body.signing_secret ?? null,
        intervalMinutes: body.interval_minutes ?? null,
        key: body.key ?? null,
        settings: body.settings ?? {},
      },
    );
    const data = { name: body.name.trim(), type: body.type, team: body.team };
    await recordAudit(tx, at, organizationId, userId, [{ action: 'source.create', subject: made.id, data }]);
    return made;
  }

  /** Changes a source that the viewer may manage, and records the change in the audit log. */
  async function managing(
    request: FastifyRequest<{ Params: { id: string } }>,
    action: AuditAction,
    act: (by: Managing, source: ManagedSource) => Promise<Record<string, unknown>>,
  ): Promise<void> {
    const viewer = viewerOf(request);
    const { organizationId, userId } = viewer;
    const { id } = request.params;
    await db.transaction().execute(async (tx) => {
      if (!(await lockWebhook(tx, organizationId, id))) throw unknownWebhook('source');
      const source = await sourceOf(tx, viewer, id);
      if (!mayManage(viewer.role, source.relation)) throw notTheirs();
      const at = await clock.now(tx);
      const data = await act({ tx, at, sealing }, source);
      await recordAudit(tx, at, organizationId, userId, [{ action, subject: id, data }]);
    });
  }
}

/** Refuses settings beside `settings`, where they would have no effect. */
async function withoutStraySettings({ body }: FastifyRequest): Promise<void> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const stray = Object.keys(SourceSettings.properties).filter((name) => Object.hasOwn(body, name));
  if (stray.length === 0) return;
  throw new Fault(
    'bad_request',
    stray.map((field) => ({
      field,
      message: t('is a setting and has no effect here; give it inside settings, as in {example}', {
        example: `{"settings": {"${field}": …}}`,
      }),
    })),
  );
}

function editOf(body: SourceChangeBody): SourceEdit {
  const { name, expires_at, signing_secret, interval_minutes, settings } = body;
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(expires_at === undefined ? {} : { expiresAt: expires_at === null ? null : parseInstant(expires_at) }),
    ...(signing_secret === undefined ? {} : { signingSecret: signing_secret }),
    ...(interval_minutes === undefined ? {} : { intervalMinutes: interval_minutes }),
    ...(settings === undefined ? {} : { settings }),
  };
}

function notTheirs(): Fault {
  return new Fault('forbidden', [
    { field: 'source', message: t("is managed by the team's managers, admins and owners; ask one of them") },
  ]);
}
