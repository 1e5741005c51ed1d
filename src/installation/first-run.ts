import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText } from '../kit/instant.ts';
import type { Sealing } from '../kit/sealing.ts';
import { newId } from '../kit/typeid.ts';
import { t } from '../language/contract.ts';
import { isEmail } from '../people/email.ts';
import { addUser } from '../people/new-user.ts';
import { type AuditEntry, insertOrganization, recordAudit } from '../people/store.ts';
import { passwordProblems } from '../sessions/passwords/password.ts';
import type { Arrival } from '../sessions/sessions.ts';
import { savePassword } from '../sessions/sign-in-store.ts';
import { isEmpty } from '../sessions/store.ts';
import type { FirstOwner } from './api-contract.ts';
import { beginningOf, lockInstallation } from './store.ts';

/** The token follows this path as the fragment, which browsers do not send, so it appears in no log. */
const FIRST_RUN_PATH = '/welcome';

/**
 * The link that creates the first owner of an empty installation; null if somebody exists. It is the same on every node
 * and after every restart, and useless after it was used.
 */
export async function firstRunLink(
  db: Database,
  sealing: Sealing,
  publicUrl: string,
): Promise<string | null> {
  if (!(await isEmpty(db))) return null;
  return `${publicUrl}${FIRST_RUN_PATH}#${tokenOf(sealing, await beginningOf(db))}`;
}

function tokenOf(sealing: Sealing, begun: Temporal.Instant): string {
  return sealing.sign('first run', instantText(begun));
}

/** Validates the first owner's input and returns all errors. */
export function firstOwnerProblems({ email, name, organization, password }: FirstOwner) {
  return [
    ...(isEmail(email.trim())
      ? []
      : [{ field: 'email', message: t('is not an address; give an email address such as ada@example.com') }]),
    ...(password === undefined ? [] : passwordProblems(password, [email, name, organization])),
  ];
}

/**
 * Makes the organization and its owner in the caller's transaction. Of two concurrent calls, the second fails with 410.
 * @throws Fault 403 for a wrong token, 410 when somebody exists
 */
export async function makeFirstOwner(
  tx: Tx,
  clock: Clock,
  sealing: Sealing,
  owner: FirstOwner,
  passwordHash: string | null,
): Promise<Arrival> {
  const begun = await lockInstallation(tx);
  if (!sealing.verify('first run', instantText(begun), owner.token)) throw wrongLink();
  if (!(await isEmpty(tx))) throw alreadyDone();
  const at = await clock.now(tx);
  const organizationId = newId('organization');
  const timeZone = owner.time_zone;
  const { language } = owner;
  await insertOrganization(tx, at, {
    id: organizationId,
    name: owner.organization.trim(),
    timeZone,
    language,
  });
  const person = { email: owner.email.trim(), name: owner.name.trim(), timeZone };
  // The link proves that this person started the service, so the address need not be verified.
  const user = await addUser(tx, at, organizationId, { ...person, role: 'owner', emailVerified: true });
  if (passwordHash) await savePassword(tx, at, { organizationId, userId: user.id }, passwordHash);
  const entry: AuditEntry = {
    action: 'organization.create',
    subject: organizationId,
    data: { name: owner.organization },
  };
  await recordAudit(tx, at, organizationId, user.id, [entry]);
  return { organizationId, userId: user.id, method: 'first_run' };
}

function wrongLink(): Fault {
  return new Fault('forbidden', [
    {
      field: 'link',
      message: t(
        'is not the one that this service printed; copy it whole from its terminal, or from welcome-link in its DATA_DIR',
      ),
    },
  ]);
}

function alreadyDone(): Fault {
  return new Fault('gone', [
    { field: 'link', message: t('was already used; sign in, or ask an owner for an invitation') },
  ]);
}
