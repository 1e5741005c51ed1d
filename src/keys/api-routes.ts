import type { FastifyInstance } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText, instantTextOrNull, parseInstant } from '../kit/instant.ts';
import { route } from '../kit/route.ts';
import { newId } from '../kit/typeid.ts';
import { t } from '../language/contract.ts';
import { type AuditEntry, recordAudit } from '../people/store.ts';
import { viewerOf } from '../sessions/contract.ts';
import { type ApiKey, keysApi } from './api-contract.ts';
import { isScope } from './contract.ts';
import { newKey } from './key.ts';
import { insertKey, listOwnKeys, type OwnKey, revokeOwnKey } from './store.ts';

/** The viewer's own API keys: list, create (the key is shown once), revoke. */
export function keyApiRoutes(api: FastifyInstance, { db, clock }: { db: Database; clock: Clock }): void {
  route(api, keysApi.list, async (request) => {
    const { organizationId, userId } = viewerOf(request);
    return { keys: (await listOwnKeys(db, organizationId, userId)).map(presentKey) };
  });

  route(api, keysApi.create, async (request) => {
    const { organizationId, userId } = viewerOf(request);
    const { name, expires_at, scopes = null, full = false } = request.body;
    if (full && scopes !== null) throw fullAndScoped();
    const expiresAt = expires_at === undefined ? null : parseInstant(expires_at);
    const made = newKey();
    const id = newId('api_key');
    await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      if (expiresAt && Temporal.Instant.compare(expiresAt, at) <= 0) throw alreadyExpired();
      const key = {
        ...{ id, organizationId, userId, name: name.trim(), ...made, scopes, full, expiresAt },
        madeBy: userId,
      };
      await insertKey(tx, clock, key);
      await recordAudit(tx, at, organizationId, userId, [
        { action: 'key.created', subject: id, data: { name: key.name, hint: made.hint, scopes, full } },
      ]);
    });
    return { id, key: made.key };
  });

  route(api, keysApi.revoke, async (request) => {
    const viewer = viewerOf(request);
    const { id } = request.params;
    const revoked = await db.transaction().execute(async (tx) => {
      if (!(await revokeOwnKey(tx, clock, viewer, id))) return false;
      const entry: AuditEntry = { action: 'key.revoked', subject: id, data: {} };
      await recordAudit(tx, await clock.now(tx), viewer.organizationId, viewer.userId, [entry]);
      return true;
    });
    if (!revoked)
      throw new Fault('not_found', [
        { field: 'id', message: t('is not one of your keys, or was revoked; see /api/keys') },
      ]);
    return { revoked: true };
  });
}

function fullAndScoped(): Fault {
  return new Fault('bad_request', [
    { field: 'full', message: t('A key has either full access or scopes; leave out one of the two.') },
  ]);
}

function alreadyExpired(): Fault {
  return new Fault('bad_request', [
    { field: 'expires_at', message: t('is in the past; give a later time, or leave it out') },
  ]);
}

function presentKey({ scopes, expiresAt, lastUsedAt, createdAt, ...key }: OwnKey): ApiKey {
  return {
    ...key,
    scopes: scopes?.filter(isScope) ?? null,
    expires_at: instantTextOrNull(expiresAt),
    last_used_at: instantTextOrNull(lastUsedAt),
    created_at: instantText(createdAt),
  };
}
