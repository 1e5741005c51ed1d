import type { Database } from '../db/database.ts';
import { type ListedMoment, listMoments, type MomentFilter } from './list-store.ts';
import { findRare } from './rare-store.ts';

/** Read first: what is common fills a page of the list from these, and they lie side by side. */
const NEWEST = 500;

type Viewer = { organizationId: string; userId: string };

/** A page of the list, newest first, in whichever way costs what is shown and not what there is. */
export async function readMoments(
  db: Database,
  viewer: Viewer,
  filter: Omit<MomentFilter, 'among'>,
): Promise<ListedMoment[]> {
  const { words, facets, limit } = filter;
  if (words === null && facets === null) return listMoments(db, viewer, { ...filter, among: null });
  const soon = await listMoments(db, viewer, { ...filter, among: null }, NEWEST);
  if (soon.length === limit) return soon;
  return listMoments(db, viewer, { ...filter, among: await findRare(db, words, facets) });
}
