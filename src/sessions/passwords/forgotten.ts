import type { Clock } from '../../db/clock.ts';
import type { Database, Tx } from '../../db/database.ts';
import { Fault } from '../../kit/fault.ts';
import { randomToken } from '../../kit/sealing.ts';
import { t } from '../../language/contract.ts';
import { queueMessage } from '../../notices/store.ts';
import { endSessions, proveAddress } from '../../people/access-store.ts';
import { type AuditEntry, recordAudit } from '../../people/store.ts';
import {
  type Addressee,
  findAddressees,
  findChallenge,
  keepChallenge,
  knownOf,
  savePassword,
  takeChallenge,
} from '../sign-in-store.ts';
import { hashPassword } from './hashing.ts';
import { passwordProblems } from './password.ts';

type ForgottenServices = { db: Database; clock: Clock; config: { publicUrl: string } };

/** How long a link for a new password is valid. */
const MINUTES = 60;

/** Sends a link to each account with this address. The answer does not reveal whether there is one. */
export async function sendNewPasswordLink(services: ForgottenServices, email: string): Promise<void> {
  const { db, clock } = services;
  await db.transaction().execute(async (tx) => {
    const at = await clock.now(tx);
    for (const addressee of await findAddressees(tx, email)) await sendLink(services, tx, at, addressee);
  });
}

async function sendLink(
  { clock, config }: ForgottenServices,
  tx: Tx,
  at: Temporal.Instant,
  { organizationId, userId, name, email, organization }: Addressee,
): Promise<void> {
  const token = randomToken();
  await keepChallenge(tx, clock, 'new_password', token, MINUTES, { organizationId, userId, data: {} });
  await queueMessage(tx, at, {
    organizationId,
    channel: 'email',
    address: email,
    readerId: userId,
    words: () => ({
      subject: t('A new password for Tocsin'),
      text: t(
        'Hello {name},\n\nSomebody, probably you, asked for a new password for {organization} on Tocsin. Choose one with this link within an hour. If it was not you, ignore this email: nothing has changed.',
        { name, organization },
      ),
    }),
    url: `${config.publicUrl}/new-password#${token}`,
    dedupKey: null,
    expiresAt: at.add({ minutes: MINUTES }),
  });
}

/**
 * Sets a new password with a link, and ends all sessions of the person. @throws Fault 400 if the password is too weak,
 * 410 if the link was used or is too old
 */
export async function setForgottenPassword(
  { db, clock }: ForgottenServices,
  token: string,
  password: string,
): Promise<{ organizationId: string; userId: string }> {
  const asked = await findChallenge(db, clock, 'new_password', token);
  if (!asked?.organizationId || !asked.userId) throw linkIsOver();
  const owner = { organizationId: asked.organizationId, userId: asked.userId };
  const problems = passwordProblems(password, await knownOf(db, owner.organizationId, owner.userId));
  if (problems.length > 0) throw new Fault('bad_request', problems);
  const hash = await hashPassword(password);
  await db.transaction().execute(async (tx) => {
    if (!(await takeChallenge(tx, clock, 'new_password', token))) throw linkIsOver();
    const at = await clock.now(tx);
    await savePassword(tx, at, owner, hash);
    await endSessions(tx, at, owner);
    // The link was mailed to their address.
    await proveAddress(tx, at, owner);
    const entry: AuditEntry = { action: 'password.reset', subject: owner.userId, data: {} };
    await recordAudit(tx, at, owner.organizationId, owner.userId, [entry]);
  });
  return owner;
}

function linkIsOver(): Fault {
  return new Fault('gone', [
    {
      field: 'link',
      message: t('This link was used, is older than an hour, or is incomplete; request a new one.'),
    },
  ]);
}
