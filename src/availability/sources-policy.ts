import type { Role } from '../people/contract.ts';
import { may } from '../people/rights.ts';

/** Who sees and changes the calendars that somebody's absences come from: they themselves, and who runs the place. */
export function mayManageSources(viewer: { userId: string; role: Role }, ofUserId: string): boolean {
  return viewer.userId === ofUserId || may(viewer, 'availability_sources.of_others');
}
