import type { Role } from '../people/contract.ts';

/** What somebody has to do with the team of a webhook. */
export type TeamRelation = { member: boolean; manager: boolean };

/**
 * Who sees URLs and secrets, and makes, changes and ends webhooks: those who run the place, and the team's managers.
 * Everybody of the organization sees that a webhook is there.
 */
export function mayManage(role: Role, { manager }: TeamRelation): boolean {
  return manager || role === 'owner' || role === 'admin';
}

/** Who may have failed calls read again: anyone of the team, and who runs the place. */
export function mayRetry(role: Role, { member }: TeamRelation): boolean {
  return member || role === 'owner' || role === 'admin';
}
