import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import type { Role } from '../people/contract.ts';
import { may } from '../people/rights.ts';

/** The viewer's relation to the person of a record. */
export type PersonRelation = { self: boolean; managed: boolean };

/**
 * A person's records may be changed by themselves, by managers of their teams, and by admins and owners. Everybody in
 * the organization may read them, in order to find covers.
 */
export function maySpeakFor(role: Role, { self, managed }: PersonRelation): boolean {
  return self || may({ role, manages: managed }, 'availabilities.of_others');
}

/**
 * Only the person themselves makes private names visible to others. @throws Fault `forbidden` if the viewer is somebody
 * else
 */
export function mustOwnNames(viewer: { userId: string }, owner: { id: string; name: string }): void {
  if (viewer.userId === owner.id) return;
  const message = t('is false, but {name} made this private, and only they may change that; leave it out', {
    name: owner.name,
  });
  throw new Fault('forbidden', [{ field: 'private', message }]);
}
