import type { Clock } from '../../db/clock.ts';
import type { Tx } from '../../db/database.ts';
import { Fault } from '../../kit/fault.ts';
import { instantText } from '../../kit/instant.ts';
import { t } from '../../language/contract.ts';
import { queueMessage } from '../../notices/store.ts';
import type { Role } from '../../people/contract.ts';
import { recordAudit } from '../../people/store.ts';
import { signInPath, type Viewer } from '../contract.ts';
import type { SignInLinkMade } from '../invitation-contract.ts';
import { createSignInLink, notifyOfLink } from '../sign-in-link.ts';
import { lockForLink } from './invitation-store.ts';
import type { Inviting } from './inviting.ts';

/**
 * A one-time link for a person who cannot sign in. It is sent by email if email is set up, and handed over otherwise. The
 * person is notified of it, so that nobody signs in as them unnoticed.
 */
export async function makeSignInLink(
  tx: Tx,
  clock: Clock,
  viewer: Viewer,
  userId: string,
  { publicUrl, emails }: Inviting,
  mayFor: (role: Role) => boolean,
): Promise<SignInLinkMade> {
  const { organizationId } = viewer;
  const person = await lockForLink(tx, organizationId, userId);
  if (!person) throw noActivePerson();
  if (!mayFor(person.role))
    throw new Fault('forbidden', [
      {
        field: 'id',
        message: t(
          'is {name}, {role, select, owner {owner} admin {admin} other {member}}; only people with at least that role can do this',
          {
            name: person.name,
            role: person.role,
          },
        ),
      },
    ]);
  const at = await clock.now(tx);
  const { token, expiresAt } = await createSignInLink(tx, at, organizationId, userId, {
    madeBy: viewer.userId,
  });
  const url = publicUrl + signInPath(token);
  await recordAudit(tx, at, organizationId, viewer.userId, [
    { action: 'sign_in_link.create', subject: userId, data: { email: person.email } },
  ]);
  if (emails)
    await queueMessage(tx, at, {
      ...{ organizationId, channel: 'email', address: person.email, dedupKey: null, expiresAt, url },
      readerId: userId,
      words: () => ({
        subject: t('Your link to sign in to Tocsin'),
        text: t(
          'Hello {name},\n\nSign in to {organization} on Tocsin with this link. It works once, within a day.',
          { name: person.name, organization: person.organization },
        ),
      }),
    });
  await notifyOfLink(tx, at, { organizationId, userId }, userId === viewer.userId ? 'self' : 'admin');
  return { url, expires_at: instantText(expiresAt), emailed: emails };
}

export function noActivePerson(): Fault {
  return new Fault('not_found', [
    { field: 'id', message: t('No active person of your organization has this id.') },
  ]);
}
