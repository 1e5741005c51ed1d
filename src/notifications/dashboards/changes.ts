import type { Handle } from '../../db/database.ts';
import { type ChangedPage, changedPages, latestEvent } from './store.ts';

/** Events may be committed out of order, so each look goes back to where the third look before it ended. */
const OVERLAP_LOOKS = 3;
/** The most pages in one look. A dashboard reads its whole list again in any case. */
const MOST_PAGES = 200;

export type Changes = {
  /** Ids of the pages that changed since the last look, by organization. */
  look(db: Handle, organizationIds: readonly string[]): Promise<Map<string, string[]>>;
  /** Forgets the position of the last look; the next look starts from the latest event. */
  reset(): void;
};

/** Finds changed pages by polling their events, so that code that changes a page need not announce it. */
export function createChanges(): Changes {
  let marks: number[] = [];
  let known = new Map<string, ChangedPage>();

  return {
    async look(db, organizationIds) {
      const latest = await latestEvent(db);
      const [floor] = marks;
      marks = [...marks, latest].slice(-OVERLAP_LOOKS);
      if (floor === undefined || latest === floor) return new Map();
      const changed = await changedPages(db, organizationIds, floor, MOST_PAGES);
      const fresh = changed.filter((page) => isFresh(page, known.get(page.pageId)));
      known = new Map(changed.map((page) => [page.pageId, page]));
      return byOrganization(fresh);
    },
    reset() {
      marks = [];
      known = new Map();
    },
  };
}

/** Whether the page has a later event, or an earlier one that was committed late. The count shrinks as looks move on. */
function isFresh(page: ChangedPage, known: ChangedPage | undefined): boolean {
  return !known || page.latest !== known.latest || page.count > known.count;
}

function byOrganization(changed: readonly ChangedPage[]): Map<string, string[]> {
  const pages = new Map<string, string[]>();
  for (const { organizationId, pageId } of changed)
    pages.set(organizationId, [...(pages.get(organizationId) ?? []), pageId]);
  return pages;
}
