import type { FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../../kit/fault.ts';
import { sha256 } from '../../kit/sealing.ts';
import { t } from '../../language/contract.ts';
import type { Confirmation } from '../api-contract.ts';
import type { Subject } from '../attempts.ts';
import type { Viewer } from '../contract.ts';
import { whoseIsPasskey } from '../passkeys/passkeys.ts';
import { verifyPassword } from '../passwords/hashing.ts';
import { newSessionToken, sessionCookie } from '../session.ts';
import { findPassword } from '../sign-in-store.ts';
import { renewSession } from '../store.ts';
import { checkCode } from '../two-factor/check-code.ts';
import type { AccountServices } from './api-routes.ts';

/**
 * Re-authenticates the signed-in person. The session continues with a new token. @throws Fault 401 if the password,
 * code or passkey is wrong
 */
export async function confirmAgain(
  services: AccountServices,
  viewer: Viewer,
  shown: Confirmation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ confirmed: true }> {
  const { attempts, db, clock, config, sessions } = services;
  const subjects: Subject[] = [{ kind: 'account', name: `confirm ${viewer.userId}` }];
  await attempts.spend(subjects);
  if (!(await isRight(services, viewer, shown))) throw notRight();
  await attempts.forgive(subjects);
  const cookie = sessionCookie(config.publicUrl);
  const former = request.cookies[cookie.name] ?? '';
  const { token, hash } = newSessionToken();
  const renewed = await db
    .transaction()
    .execute((tx) => renewSession(tx, clock, sha256(former).toString('base64'), hash));
  if (!renewed)
    throw new Fault('unauthorized', [
      { field: 'session', message: t('This session has ended; sign in again.') },
    ]);
  sessions.forget(former);
  reply.setCookie(cookie.name, token, cookie.options);
  return { confirmed: true };
}

async function isRight(services: AccountServices, viewer: Viewer, shown: Confirmation): Promise<boolean> {
  const { organizationId, userId } = viewer;
  if (shown.passkey) return (await whoseIsPasskey(services, viewer, shown.passkey)).userId === userId;
  if (shown.code !== undefined) return (await checkCode(services, userId, shown.code)) !== null;
  if (shown.password === undefined) return false;
  return verifyPassword(shown.password, await findPassword(services.db, organizationId, userId));
}

function notRight(): Fault {
  return new Fault('bad_request', [{ field: 'confirmation', message: t('is wrong; try again') }]);
}
