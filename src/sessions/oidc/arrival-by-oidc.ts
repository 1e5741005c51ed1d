import type { Clock } from '../../db/clock.ts';
import type { Tx } from '../../db/database.ts';
import { t } from '../../language/contract.ts';
import { queueNotices } from '../../notices/store.ts';
import { dropUnprovedWaysIn, isAddressProved, proveAddress } from '../../people/access-store.ts';
import { type AuditEntry, recordAudit } from '../../people/store.ts';
import { accept } from '../invitations/accepting.ts';
import { invitationsTo } from '../invitations/invitation-store.ts';
import type { Arrival } from '../sessions.ts';
import { findByAddress, findIdentity, hasIdentity, linkIdentity } from '../sign-in-store.ts';
import type { Identity } from './provider.ts';

/** Why an identity cannot sign in; the sign-in page explains each. */
export type Unwelcome = 'unknown' | 'unverified' | 'domain' | 'second';

/** Whether this identity may sign in at all: its address is verified and its domain is allowed. */
export function objection(identity: Identity, emailDomains: readonly string[]): Unwelcome | null {
  if (!identity.emailVerified || !identity.email.includes('@')) return 'unverified';
  const domain = identity.email.slice(identity.email.lastIndexOf('@') + 1).toLowerCase();
  return emailDomains.length > 0 && !emailDomains.includes(domain) ? 'domain' : null;
}

/**
 * Finds the person of an identity: by an earlier sign-in, by its verified address, or by an invitation to that address.
 * Creates an account only for people who were invited.
 */
export async function whoIs(tx: Tx, clock: Clock, identity: Identity): Promise<Arrival | Unwelcome> {
  const { issuer, subject, email, name } = identity;
  const known = await findIdentity(tx, issuer, subject);
  if (known?.disabled) return 'unknown';
  if (known) return { organizationId: known.organizationId, userId: known.userId, method: 'oidc' };
  const at = await clock.now(tx);
  const there = await findByAddress(tx, email);
  // The provider has two identities for one address. An admin has to decide which one signs in.
  if (there && (await hasIdentity(tx, issuer, there))) return 'second';
  if (there) await provedNow(tx, at, there);
  const who = there ?? (await invited(tx, clock, email, name));
  if (!who) return 'unknown';
  await linkIdentity(tx, at, issuer, subject, who);
  const entry: AuditEntry = { action: 'identity.linked', subject: who.userId, data: { issuer } };
  await recordAudit(tx, at, who.organizationId, who.userId, [entry]);
  return { organizationId: who.organizationId, userId: who.userId, method: 'oidc' };
}

/** The provider is the first to verify this address, so a password or passkey from before may belong to somebody else. */
async function provedNow(
  tx: Tx,
  at: Temporal.Instant,
  owner: { organizationId: string; userId: string },
): Promise<void> {
  if (!(await isAddressProved(tx, owner))) {
    await dropUnprovedWaysIn(tx, at, owner);
    await queueNotices(tx, at, () => [
      {
        ...{ ...owner, kind: 'account.proved', dedupKey: null, path: '/account' },
        subject: t('Earlier ways to sign in as you were removed'),
        text: t(
          'You signed in through your identity provider for the first time, which proved that your address is yours. Passwords, passkeys, second factors, sessions and API keys from before were removed, because nobody had proved that until then. Set up a new password or passkey under Account if you want one.',
        ),
      },
    ]);
  }
  await proveAddress(tx, at, owner);
}

async function invited(tx: Tx, clock: Clock, email: string, name: string): Promise<Arrival | null> {
  const [invitation] = await invitationsTo(tx, clock, email);
  if (!invitation) return null;
  return accept(tx, clock, invitation, {
    name: invitation.name ?? name,
    timeZone: 'UTC',
    language: null,
    passwordHash: null,
    emailVerified: true,
    method: 'oidc',
  });
}
