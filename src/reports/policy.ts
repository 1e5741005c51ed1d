import type { Role } from '../people/contract.ts';
import { may } from '../people/rights.ts';

type Reader = { userId: string; role: Role; managesTeam: boolean };

/**
 * Everybody may see how the load is shared, because people only believe in fairness that they can see. A person's
 * response times are shown only to that person, the team's managers, owners and admins.
 */
export function maySeeAnswers({ userId, role, managesTeam }: Reader): (ofUserId: string) => boolean {
  const all = may({ role, manages: managesTeam }, 'reports.answers');
  return (ofUserId) => all || ofUserId === userId;
}
