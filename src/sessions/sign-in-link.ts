import type { Handle, Tx } from '../db/database.ts';
import { randomToken, sha256 } from '../kit/sealing.ts';
import { t } from '../language/contract.ts';
import { queueNotices } from '../notices/store.ts';
import { insertSignInLink } from './store.ts';

/** A link works once, within a day. */
const LINK_LIFETIME = Temporal.Duration.from({ hours: 24 });

/** Creates a one-time sign-in link for a person. Only the hash of its token is stored. */
export async function createSignInLink(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  userId: string,
  /** `madeBy` is null for the operator on the command line, who may also waive the second factor. */
  {
    madeBy = null,
    withoutSecondFactor = false,
  }: { madeBy?: string | null; withoutSecondFactor?: boolean } = {},
): Promise<{ token: string; expiresAt: Temporal.Instant }> {
  const token = randomToken();
  const expiresAt = at.add(LINK_LIFETIME);
  await insertSignInLink(db, at, {
    ...{ organizationId, userId, tokenHash: sha256(token), expiresAt, madeBy, withoutSecondFactor },
  });
  return { token, expiresAt };
}

const MADE_BY = {
  self: () =>
    t(
      'A one-time link to sign in as you was created from one of your sessions. If that was not you, end all sessions under Account and change your password. Either one invalidates the link.',
    ),
  admin: () =>
    t('An admin created a one-time link to sign in as you. If you did not ask for it, ask them why.'),
  operator: () =>
    t(
      'An operator of this service created a one-time link to sign in as you. If you did not ask for it, ask them why.',
    ),
};

/** Notifies a person of each link that was created for them, so that nobody signs in as them unnoticed. */
export async function notifyOfLink(
  tx: Tx,
  at: Temporal.Instant,
  owner: { organizationId: string; userId: string },
  madeBy: keyof typeof MADE_BY,
): Promise<void> {
  await queueNotices(tx, at, () => [
    {
      ...{ ...owner, kind: 'sign_in_link.made', dedupKey: null, path: '/account' },
      subject: t('A sign-in link was created for you'),
      text: MADE_BY[madeBy](),
    },
  ]);
}
