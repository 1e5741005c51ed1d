import type { Database } from '../db/database.ts';
import { findRareMoments, type ListedMoment, listMoments, type MomentFilter } from './store.ts';

/** These are read first, because common matches fill a page of the list with them, and they are stored side by side. */
const NEWEST = 500;

type Viewer = { organizationId: string; userId: string };

/** A page of the list, newest first. Its cost depends on the number of rows shown, not on the number of moments. */
export async function readMoments(
  db: Database,
  viewer: Viewer,
  filter: Omit<MomentFilter, 'among'>,
): Promise<ListedMoment[]> {
  const { words, facets, personId, limit } = filter;
  // An index finds the moments of a person, in the order of the list.
  if ((words === null && facets === null) || personId !== null)
    return listMoments(db, viewer, { ...filter, among: null });
  const soon = await listMoments(db, viewer, { ...filter, among: null }, NEWEST);
  if (soon.length === limit) return soon;
  return listMoments(db, viewer, { ...filter, among: await findRareMoments(db, words, facets) });
}
