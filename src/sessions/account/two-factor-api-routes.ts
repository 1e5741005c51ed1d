import type { FastifyInstance } from 'fastify';
import type { Tx } from '../../db/database.ts';
import { Fault } from '../../kit/fault.ts';
import { route } from '../../kit/route.ts';
import { randomToken } from '../../kit/sealing.ts';
import { t } from '../../language/contract.ts';
import type { AuditAction } from '../../people/audit-contract.ts';
import { type AuditEntry, recordAudit } from '../../people/store.ts';
import { accountApi, type RecoveryCodes } from '../api-contract.ts';
import { personOf } from '../confirmed.ts';
import {
  dropChallenges,
  dropTwoFactor,
  factorsOf,
  findChallenge,
  keepChallenge,
  lockFactors,
  saveRecoveryCodes,
  saveSecret,
} from '../sign-in-store.ts';
import { findMe } from '../store.ts';
import {
  newRecoveryCodes,
  newSecret,
  recoveryHash,
  secretUri,
  stepOfCode,
} from '../two-factor/one-time-codes.ts';
import type { AccountServices } from './api-routes.ts';

type Owner = { organizationId: string; userId: string };

/** How many minutes people have to install an app and enter its code. */
const PATIENCE = 30;

/** Sets up an authenticator app as second factor, with recovery codes for a lost phone. */
export function codeApiRoutes(api: FastifyInstance, services: AccountServices): void {
  const { db, clock, sealing } = services;

  route(api, accountApi.beginCodes, async (request) => {
    const viewer = personOf(request);
    const me = await findMe(db, viewer.organizationId, viewer.userId);
    if (!me) throw new Fault('unauthorized');
    const secret = await newSecret();
    const token = randomToken();
    await dropChallenges(db, viewer.userId, 'one_time_codes');
    await keepChallenge(db, clock, 'one_time_codes', token, PATIENCE, {
      organizationId: viewer.organizationId,
      userId: viewer.userId,
      data: { secret: sealing.seal(secret).toString('base64') },
    });
    return { secret, uri: await secretUri(secret, me.user.email, me.organization.name), token };
  });

  route(api, accountApi.setUpCodes, async (request) => {
    const viewer = personOf(request);
    const { token, code } = request.body;
    const begun = await findChallenge(db, clock, 'one_time_codes', token);
    if (!begun || begun.userId !== viewer.userId) throw tooLate();
    const sealed = Buffer.from(begun.data.secret ?? '', 'base64');
    return db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      const step = await stepOfCode(sealing.open(sealed), code.replace(/\s/g, ''), at, 0);
      if (step === null) throw wrongCode();
      await saveSecret(tx, at, viewer, sealed, step);
      await dropChallenges(tx, viewer.userId, 'one_time_codes');
      return replaceRecoveryCodes(tx, at, viewer, 'two_factor.set_up');
    });
  });

  route(api, accountApi.replaceRecoveryCodes, async (request) => {
    const viewer = personOf(request);
    if (!(await factorsOf(db, viewer)).codes) throw noApp();
    return db
      .transaction()
      .execute(async (tx) =>
        replaceRecoveryCodes(tx, await clock.now(tx), viewer, 'recovery_codes.replaced'),
      );
  });

  route(api, accountApi.removeCodes, async (request) => {
    const viewer = personOf(request);
    const removed = await db.transaction().execute(async (tx) => {
      const { required, passkeys } = await lockFactors(tx, viewer);
      if (required && passkeys === 0) throw stillRequired();
      if (!(await dropTwoFactor(tx, viewer.userId))) return false;
      const entry: AuditEntry = { action: 'two_factor.removed', subject: viewer.userId, data: {} };
      await recordAudit(tx, await clock.now(tx), viewer.organizationId, viewer.userId, [entry]);
      return true;
    });
    return { removed };
  });
}

async function replaceRecoveryCodes(
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, userId }: Owner,
  action: AuditAction,
): Promise<RecoveryCodes> {
  const codes = newRecoveryCodes();
  const hashes = codes.flatMap((code) => recoveryHash(userId, code) ?? []);
  await saveRecoveryCodes(tx, { organizationId, userId }, hashes);
  await recordAudit(tx, at, organizationId, userId, [{ action, subject: userId, data: {} }]);
  return { recovery_codes: codes };
}

function tooLate(): Fault {
  return new Fault('gone', [
    { field: 'token', message: t('This QR code has expired; start again with a new one.') },
  ]);
}

function wrongCode(): Fault {
  return new Fault('bad_request', [
    {
      field: 'code',
      message: t("is not the one that the app shows now; check that your phone's clock is right"),
    },
  ]);
}

function noApp(): Fault {
  return new Fault('conflict', [
    { field: 'recovery codes', message: t('Recovery codes need an authenticator app; set one up first.') },
  ]);
}

export function stillRequired(): Fault {
  return new Fault('conflict', [
    {
      field: 'second factor',
      message: t(
        'Your organization requires a second factor, and this is your only one; set up another first.',
      ),
    },
  ]);
}
