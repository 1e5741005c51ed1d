import type { Handle } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import type { PageState, Urgency } from '../pages/contract.ts';
import { findPageSummary } from '../pages/read-store.ts';

export type PageSummary = {
  id: string;
  title: string;
  text: string;
  urgency: Urgency;
  state: PageState;
  sourceUrl: string | null;
  team: string | null;
  createdAt: Temporal.Instant;
  acknowledgedBy: string | null;
  acknowledgedAt: Temporal.Instant | null;
};

/** A page as the acknowledge link shows it. */
export async function readPageSummary(db: Handle, pageId: string): Promise<PageSummary> {
  const page = await findPageSummary(db, pageId);
  if (!page) throw new Fault('not_found');
  return page;
}
