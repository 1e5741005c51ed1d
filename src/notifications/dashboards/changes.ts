import type { Handle } from '../../db/database.ts';
import { type ChangedPage, changedPages, latestEvent } from './changes-store.ts';

/** An event with a lower number may be committed later than one with a higher: looks go back as far as this. */
const OVERLAP_LOOKS = 3;
/** More than these are told as "many": whoever shows a list reads it anew anyway. */
const MOST_PAGES = 200;

export type Changes = {
  /** Ids of the pages that changed since the last look, by organization. */
  look(db: Handle, organizationIds: readonly string[]): Promise<Map<string, string[]>>;
  /** Forgets where it was: nobody was interested for a while. */
  reset(): void;
};

/** Finds out which pages changed by reading on in the timeline: nobody who changes a page has to tell. */
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
      const news = changed.filter((page) => isNews(page, known.get(page.pageId)));
      known = new Map(changed.map((page) => [page.pageId, page]));
      return byOrganization(news);
    },
    reset() {
      marks = [];
      known = new Map();
    },
  };
}

/** A later event, or one more that was committed after a later one. The count shrinks as the looks move on. */
function isNews(page: ChangedPage, known: ChangedPage | undefined): boolean {
  return !known || page.latest !== known.latest || page.count > known.count;
}

function byOrganization(changed: readonly ChangedPage[]): Map<string, string[]> {
  const pages = new Map<string, string[]>();
  for (const { organizationId, pageId } of changed)
    pages.set(organizationId, [...(pages.get(organizationId) ?? []), pageId]);
  return pages;
}
