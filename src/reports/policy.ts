import type { Role } from '../people/contract.ts';
import { may } from '../people/rights.ts';

type Reader = { userId: string; role: Role; managesTeam: boolean };

/**
 * What people carry everybody may see: fairness that is not seen is not believed. How fast somebody answers is between
 * them and those who answer for the team.
 */
export function maySeeAnswers({ userId, role, managesTeam }: Reader): (ofUserId: string) => boolean {
  const all = may({ role, manages: managesTeam }, 'reports.answers');
  return (ofUserId) => all || ofUserId === userId;
}
