import type { Role } from '../people/contract.ts';
import { may } from '../people/rights.ts';

/** A person's calendar sources may be seen and changed by themselves, and by admins and owners. */
export function mayManageSources(viewer: { userId: string; role: Role }, ofUserId: string): boolean {
  return viewer.userId === ofUserId || may(viewer, 'availability_sources.of_others');
}
