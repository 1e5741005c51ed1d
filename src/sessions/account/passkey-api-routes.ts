import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { Fault } from '../../kit/fault.ts';
import { recordAudit } from '../../people/audit-store.ts';
import { NewPasskey } from '../api-contract.ts';
import { browserName, browserOf } from '../browser.ts';
import { personOf } from '../confirmed.ts';
import { deletePasskey, insertPasskey, listPasskeys } from '../passkeys/passkey-store.ts';
import { newPasskeyOptions, readNewPasskey } from '../passkeys/passkeys.ts';
import { findMe } from '../store.ts';
import { factorsOf } from '../two-factor/two-factor-store.ts';
import type { AccountServices } from './api-routes.ts';
import { stillRequired } from './two-factor-api-routes.ts';

const Params = Type.Object({ id: Type.String({ maxLength: 100 }) });
/** More than anybody needs. */
const MOST = 20;

/** Creates, renames and removes the viewer's passkeys. */
export function passkeyApiRoutes(api: FastifyInstance, services: AccountServices): void {
  const { db, clock } = services;
  const hidden = { hide: true } as const;

  api.post('/account/passkeys/options', { schema: hidden }, async (request) => {
    const viewer = personOf(request);
    const me = await findMe(db, viewer.organizationId, viewer.userId);
    if (!me) throw new Fault('unauthorized');
    return newPasskeyOptions(services, viewer, me.user);
  });

  api.post('/account/passkeys', { schema: { ...hidden, body: NewPasskey } }, async (request) => {
    const viewer = personOf(request);
    const { name, answer } = request.body as NewPasskey;
    if ((await listPasskeys(db, viewer.organizationId, viewer.userId)).length >= MOST) throw tooMany();
    const { organizationId, userId } = viewer;
    const passkey = await readNewPasskey(services, { organizationId, userId }, answer);
    const called = name?.trim() || browserName(browserOf(request).userAgent);
    await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      await insertPasskey(tx, at, passkey, called);
      const entry = { action: 'passkey.created', subject: passkey.id, data: { name: called } };
      await recordAudit(tx, at, organizationId, userId, [entry]);
    });
    return { id: passkey.id, name: called };
  });

  api.delete('/account/passkeys/:id', { schema: { ...hidden, params: Params } }, async (request) => {
    const viewer = personOf(request);
    const { organizationId, userId } = viewer;
    const { id } = request.params as Static<typeof Params>;
    const { required, passkeys, codes } = await factorsOf(db, viewer);
    if (required && passkeys === 1 && !codes) throw stillRequired();
    const removed = await db.transaction().execute(async (tx) => {
      if (!(await deletePasskey(tx, organizationId, userId, id))) return false;
      const entry = { action: 'passkey.removed', subject: id, data: {} };
      await recordAudit(tx, await clock.now(tx), organizationId, userId, [entry]);
      return true;
    });
    if (!removed) throw new Fault('not_found', [{ field: 'id', message: 'is not one of your passkeys' }]);
    return { removed };
  });
}

function tooMany(): Fault {
  return new Fault('conflict', [
    {
      field: 'passkey',
      message: `A person can have at most ${MOST} passkeys; remove one that you no longer use.`,
    },
  ]);
}
