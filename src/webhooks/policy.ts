import type { Role } from '../people/contract.ts';
import { may } from '../people/rights.ts';

/** What a person is to the team of a webhook. */
export type TeamRelation = { member: boolean; manager: boolean };

/** Seeing URLs and secrets, and creating, changing and revoking webhooks. Everybody sees that a webhook exists. */
export function mayManage(role: Role, { manager }: TeamRelation): boolean {
  return may({ role, manages: manager }, 'team.webhooks');
}

/** Processing failed calls again. */
export function mayRetry(role: Role, { member }: TeamRelation): boolean {
  return may({ role, ofTheTeam: member }, 'team.respond');
}
