import type { Role } from '../people/contract.ts';

/** Everybody of the organization may read; anyone of the team may act, and who runs the place. */
export function mayAct(role: Role, { ofTheTeam }: { ofTheTeam: boolean }): boolean {
  return ofTheTeam || role === 'owner' || role === 'admin';
}
