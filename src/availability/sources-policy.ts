import type { Role } from '../people/contract.ts';

/** Who sees and changes the calendars that somebody's absences come from: they themselves, and who runs the place. */
export function mayManageSources(viewer: { userId: string; role: Role }, ofUserId: string): boolean {
  return viewer.userId === ofUserId || viewer.role === 'owner' || viewer.role === 'admin';
}
