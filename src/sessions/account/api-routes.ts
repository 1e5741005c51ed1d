import type { FastifyInstance } from 'fastify';
import { Fault } from '../../kit/fault.ts';
import { instantText, instantTextOrNull } from '../../kit/instant.ts';
import { route } from '../../kit/route.ts';
import type { Sealing } from '../../kit/sealing.ts';
import { t } from '../../language/contract.ts';
import { endSessions } from '../../people/access-store.ts';
import { accountApi } from '../api-contract.ts';
import type { ArrivalServices } from '../arrival.ts';
import type { Attempts } from '../attempts.ts';
import { browserName, placeWords } from '../browser.ts';
import { personOf } from '../confirmed.ts';
import { viewerOf } from '../contract.ts';
import { passkeyOptions } from '../passkeys/passkeys.ts';
import { relyingParty } from '../passkeys/relying-party.ts';
import { factorsOf, listPasskeys } from '../sign-in-store.ts';
import { endSession, listSessions } from '../store.ts';
import { confirmAgain } from './confirm.ts';
import { passkeyApiRoutes } from './passkey-api-routes.ts';
import { setOwnPassword } from './set-password.ts';
import { codeApiRoutes } from './two-factor-api-routes.ts';
import { ruleApiRoutes } from './two-factor-rule-routes.ts';

export type AccountServices = ArrivalServices & { sealing: Sealing; attempts: Attempts };

/** /api/account: how the viewer signs in, and their sessions. Dangerous changes require re-authentication. */
export function accountApiRoutes(api: FastifyInstance, services: AccountServices): void {
  const { db, clock, config } = services;

  route(api, accountApi.show, async (request) => {
    const viewer = viewerOf(request);
    const { authentication } = viewer;
    const { password, codes, recoveryCodes, oidc, required } = await factorsOf(db, viewer);
    const passkeys = await listPasskeys(db, viewer.organizationId, viewer.userId);
    const sessions = await listSessions(db, clock, viewer);
    return {
      password,
      codes,
      oidc,
      recovery_codes_left: recoveryCodes,
      two_factor_required: required,
      passkeys_possible: relyingParty(config.publicUrl) !== null,
      passkeys: passkeys.map(({ id, name, lastUsedAt, createdAt }) => ({
        id,
        name,
        last_used_at: instantTextOrNull(lastUsedAt),
        created_at: instantText(createdAt),
      })),
      sessions: sessions.map(({ id, hash, userAgent, place, method, lastSeenAt, createdAt }) => ({
        id,
        browser: browserName(userAgent),
        place: placeWords(place),
        method,
        current: authentication.kind === 'session' && authentication.hash === hash,
        last_seen_at: instantText(lastSeenAt),
        created_at: instantText(createdAt),
      })),
    };
  });

  route(api, accountApi.confirm, async (request, reply) =>
    confirmAgain(services, viewerOf(request), request.body, request, reply),
  );
  route(api, accountApi.confirmPasskey, async (request) => passkeyOptions(services, viewerOf(request)));

  /** Refuses until the viewer has re-authenticated; until then secrets are not shown. */
  route(api, accountApi.confirmed, async () => ({ confirmed: true as const }));

  route(api, accountApi.password, async (request) => {
    const viewer = personOf(request);
    return setOwnPassword(services, viewer, viewer.authentication.hash, request.body.password);
  });

  route(api, accountApi.endSession, async (request) => {
    if (!(await endSession(db, clock, viewerOf(request), request.params.id)))
      throw new Fault('not_found', [
        { field: 'id', message: t('is not one of your sessions, or has ended; see /api/account') },
      ]);
    return { ended: 1 };
  });
  route(api, accountApi.endSessions, async (request) => {
    const viewer = viewerOf(request);
    const except = viewer.authentication.kind === 'session' ? viewer.authentication.hash : '';
    return db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      return { ended: await endSessions(tx, at, viewer, except) };
    });
  });

  codeApiRoutes(api, services);
  passkeyApiRoutes(api, services);
  ruleApiRoutes(api, services);
}
