import { instantText } from '../../kit/instant.ts';
import { type AuditEntry, recordAudit } from '../../people/store.ts';
import { signInPath } from '../../sessions/contract.ts';
import { createSignInLink, notifyOfLink } from '../../sessions/sign-in-link.ts';
import type { Session } from '../session.ts';
import { type Local, withLocal } from './database.ts';
import { findUser } from './people.ts';

export type SignInLinkOptions = { organization?: string; withoutSecondFactor?: boolean };

/** Prints a one-time sign-in link for an existing person, whose role does not change. */
export async function printSignInLink(
  session: Session,
  email: string,
  { organization, withoutSecondFactor }: SignInLinkOptions,
): Promise<void> {
  const { output } = session;
  const made = await withLocal(session, (local) =>
    makeLink(local, email, organization ?? null, withoutSecondFactor === true),
  );
  if (!output.json) output.note(`${made.name} signs in once with this link, until ${made.expires_at}:`);
  output.result(made.url, made);
}

async function makeLink(
  { db, clock, config }: Local,
  email: string,
  organization: string | null,
  withoutSecondFactor: boolean,
) {
  return db.transaction().execute(async (tx) => {
    const at = await clock.now(tx);
    const user = await findUser(tx, email, organization);
    const { token, expiresAt } = await createSignInLink(tx, at, user.organization.id, user.id, {
      withoutSecondFactor,
    });
    const data = { email: user.email, without_second_factor: withoutSecondFactor };
    const entry: AuditEntry = { action: 'sign_in_link.create', subject: user.id, data };
    await recordAudit(tx, at, user.organization.id, null, [entry]);
    await notifyOfLink(tx, at, { organizationId: user.organization.id, userId: user.id }, 'operator');
    return {
      url: config.publicUrl + signInPath(token),
      expires_at: instantText(expiresAt),
      email: user.email,
      name: user.name,
      organization: user.organization.name,
    };
  });
}
