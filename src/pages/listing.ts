import type { Database } from '../db/database.ts';
import { wordQuery } from '../moments/search.ts';
import type { PageListQuery } from './api-contract.ts';
import { findRarePages, listPages, type PageWithRelation } from './read-store.ts';

/** These are read first, because common words fill a page of the list with them. */
const NEWEST = 200;

/** A page of the list, newest first. Its cost depends on the number of rows shown, not on the number of pages. */
export async function readPageList(
  db: Database,
  viewer: { organizationId: string; userId: string },
  { text, ...which }: PageListQuery,
): Promise<PageWithRelation[]> {
  const words = wordQuery(text ?? '');
  if (words === null) return listPages(db, viewer, which, null);
  const soon = await listPages(db, viewer, which, { words, newest: NEWEST });
  if (soon.length === which.limit) return soon;
  return listPages(db, viewer, which, { words, among: await findRarePages(db, words) });
}
