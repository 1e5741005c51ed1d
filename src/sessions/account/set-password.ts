import { Fault } from '../../kit/fault.ts';
import { endSessions } from '../../people/access-store.ts';
import { type AuditEntry, recordAudit } from '../../people/store.ts';
import { hashPassword } from '../passwords/hashing.ts';
import { passwordProblems } from '../passwords/password.ts';
import { knownOf, savePassword } from '../sign-in-store.ts';
import type { AccountServices } from './api-routes.ts';

/**
 * Sets or changes a password and ends all other sessions of the person. @throws Fault 400 if the password is too weak
 */
export async function setOwnPassword(
  { db, clock }: AccountServices,
  owner: { organizationId: string; userId: string },
  sessionHash: string,
  password: string,
): Promise<{ changed: true }> {
  const problems = passwordProblems(password, await knownOf(db, owner.organizationId, owner.userId));
  if (problems.length > 0) throw new Fault('bad_request', problems);
  const hash = await hashPassword(password);
  await db.transaction().execute(async (tx) => {
    const at = await clock.now(tx);
    await savePassword(tx, at, owner, hash);
    await endSessions(tx, at, owner, sessionHash);
    const entry: AuditEntry = { action: 'password.changed', subject: owner.userId, data: {} };
    await recordAudit(tx, at, owner.organizationId, owner.userId, [entry]);
  });
  return { changed: true };
}
