import type { FastifyInstance } from 'fastify';
import { Fault } from '../../kit/fault.ts';
import { route } from '../../kit/route.ts';
import { t } from '../../language/contract.ts';
import { type AuditEntry, recordAudit } from '../../people/store.ts';
import { accountApi } from '../api-contract.ts';
import { browserName, browserOf } from '../browser.ts';
import { personOf } from '../confirmed.ts';
import { newPasskeyOptions, readNewPasskey } from '../passkeys/passkeys.ts';
import { deletePasskey, insertPasskey, listPasskeys, lockFactors } from '../sign-in-store.ts';
import { findMe } from '../store.ts';
import type { AccountServices } from './api-routes.ts';
import { stillRequired } from './two-factor-api-routes.ts';

/** More than anybody needs. */
const MOST = 20;

/** Creates, renames and removes the viewer's passkeys. */
export function passkeyApiRoutes(api: FastifyInstance, services: AccountServices): void {
  const { db, clock } = services;

  route(api, accountApi.passkeyOptions, async (request) => {
    const viewer = personOf(request);
    const me = await findMe(db, viewer.organizationId, viewer.userId);
    if (!me) throw new Fault('unauthorized');
    return newPasskeyOptions(services, viewer, me.user);
  });

  route(api, accountApi.createPasskey, async (request) => {
    const viewer = personOf(request);
    const { name, answer } = request.body;
    if ((await listPasskeys(db, viewer.organizationId, viewer.userId)).length >= MOST) throw tooMany();
    const { organizationId, userId } = viewer;
    const passkey = await readNewPasskey(services, { organizationId, userId }, answer);
    const called = name?.trim() || browserName(browserOf(request).userAgent);
    await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      await insertPasskey(tx, at, passkey, called);
      const entry: AuditEntry = { action: 'passkey.created', subject: passkey.id, data: { name: called } };
      await recordAudit(tx, at, organizationId, userId, [entry]);
    });
    return { id: passkey.id, name: called };
  });

  route(api, accountApi.removePasskey, async (request) => {
    const viewer = personOf(request);
    const { organizationId, userId } = viewer;
    const { id } = request.params;
    const removed = await db.transaction().execute(async (tx) => {
      const { required, passkeys, codes } = await lockFactors(tx, viewer);
      if (required && passkeys === 1 && !codes) throw stillRequired();
      if (!(await deletePasskey(tx, organizationId, userId, id))) return false;
      const entry: AuditEntry = { action: 'passkey.removed', subject: id, data: {} };
      await recordAudit(tx, await clock.now(tx), organizationId, userId, [entry]);
      return true;
    });
    if (!removed)
      throw new Fault('not_found', [
        { field: 'id', message: t('is not one of your passkeys; see /api/account') },
      ]);
    return { removed };
  });
}

function tooMany(): Fault {
  return new Fault('conflict', [
    {
      field: 'passkey',
      message: t('A person can have at most {most} passkeys; remove one that you no longer use.', {
        most: MOST,
      }),
    },
  ]);
}
