import type { Tx } from '../db/database.ts';
import { t } from '../language/contract.ts';
import { queueNotices } from '../notices/store.ts';
import { endAccess, runnersBut, secretsSeenBy } from '../people/access-store.ts';
import type { Role } from '../people/contract.ts';
import type { AccessEnded } from '../people/person-contract.ts';

/** Webhooks that are listed one by one. */
const MOST_LISTED = 100;
/** The number of webhooks that a notice names. */
const MOST_NAMED = 10;

/**
 * Ends everything that a person holds or has created for others, after they were disabled or lost a role, and notifies
 * the owners and admins of the secrets that this person could read. Call it while the person still has their role and
 * teams.
 */
export async function endAuthority(
  tx: Tx,
  at: Temporal.Instant,
  owner: { organizationId: string; userId: string },
  { name, to }: { name: string; to: Role | 'disabled' },
): Promise<AccessEnded> {
  const { webhooks, total } = await secretsSeenBy(tx, owner, MOST_LISTED);
  const ended = await endAccess(tx, at, owner);
  if (total > 0) {
    const named = webhooks.slice(0, MOST_NAMED).map((webhook) => `${webhook.name} (${webhook.team})`);
    const values = { name, webhooks: named.join(', '), count: Math.max(0, total - MOST_NAMED) };
    const runners = await runnersBut(tx, owner);
    await queueNotices(tx, at, () =>
      runners.map((userId) => ({
        ...{ organizationId: owner.organizationId, userId, kind: 'person.secrets', dedupKey: null },
        path: `/people/${owner.userId}`,
        subject: subjectFor(name, to),
        text: t(
          "{name} could read the URLs and signing secrets of these webhooks and sources: {webhooks}{count, plural, =0 {} other { and # more}}. With such a URL, anybody can create moments, or page people if it is a page source. Give each one a new URL and, if it has one, a new signing secret. Also change the providers' credentials that they knew in the service's configuration.",
          values,
        ),
      })),
    );
  }
  return { ...ended, to_rotate: webhooks, to_rotate_total: total };
}

function subjectFor(name: string, to: Role | 'disabled'): string {
  if (to === 'disabled') return t('{name} was disabled: rotate the secrets that they could read', { name });
  return t(
    '{name} is {role, select, owner {owner} admin {admin} member {member} other {viewer}} now: rotate the secrets that they could read',
    { name, role: to },
  );
}
