import type { Role } from '../people/contract.ts';

/** What somebody has to do with a page. */
export type Relation = { ofTheTeam: boolean; asked: boolean };

/** Everybody of the organization may read; anyone of the team or asked for help may act, and who runs the place. */
export function mayAct(role: Role, { ofTheTeam, asked }: Relation): boolean {
  return ofTheTeam || asked || role === 'owner' || role === 'admin';
}
