import type { FastifyInstance } from 'fastify';
import { Fault } from '../../kit/fault.ts';
import { route } from '../../kit/route.ts';
import { t } from '../../language/contract.ts';
import { may } from '../../people/rights.ts';
import { type AuditEntry, recordAudit } from '../../people/store.ts';
import { type TwoFactorState, twoFactorApi } from '../api-contract.ts';
import { personOf } from '../confirmed.ts';
import { type Viewer, viewerOf } from '../contract.ts';
import { factorsOf, requireTwoFactor, twoFactorOf } from '../sign-in-store.ts';
import type { AccountServices } from './api-routes.ts';

/** /api/two-factor: whether the organization requires a second factor of everybody. */
export function ruleApiRoutes(api: FastifyInstance, services: AccountServices): void {
  const { db, clock } = services;
  const state = async ({ organizationId, role }: Viewer): Promise<TwoFactorState> => ({
    ...(await twoFactorOf(db, organizationId)),
    may_change: may({ role }, 'organization.require_two_factor'),
  });

  route(api, twoFactorApi.show, async (request) => state(viewerOf(request)));

  route(api, twoFactorApi.change, async (request) => {
    const viewer = personOf(request);
    if (!may(viewer, 'organization.require_two_factor')) throw onlyOwners();
    const { required } = request.body;
    const own = await factorsOf(db, viewer);
    if (required && !own.codes && own.passkeys === 0) throw yoursFirst();
    await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      await requireTwoFactor(tx, at, viewer.organizationId, required);
      const entry: AuditEntry = {
        action: 'organization.two_factor',
        subject: viewer.organizationId,
        data: { required },
      };
      await recordAudit(tx, at, viewer.organizationId, viewer.userId, [entry]);
    });
    return state(viewer);
  });
}

function onlyOwners(): Fault {
  return new Fault('forbidden', [
    { field: 'required', message: t('Only owners can change this; ask one of them.') },
  ]);
}

function yoursFirst(): Fault {
  return new Fault('conflict', [
    {
      field: 'second factor',
      message: t('Set up a second factor of your own first, under Account.'),
    },
  ]);
}
