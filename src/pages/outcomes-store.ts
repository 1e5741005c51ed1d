import type { Tx } from '../db/database.ts';
import type { PageAction } from './contract.ts';

/** What an event of a request did, as the status of the request shows it. */
export type RequestOutcome = {
  requestId: string;
  organizationId: string;
  position: number;
  pageId: string | null;
  action: PageAction;
  reason: string | null;
};

/** Records what the events of requests did. An outcome of the same position replaces the one before. */
export async function recordOutcomes(tx: Tx, outcomes: readonly RequestOutcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  await tx
    .insertInto('request_pages')
    .values(
      outcomes.map(({ requestId, organizationId, position, pageId, action, reason }) => ({
        request_id: requestId,
        organization_id: organizationId,
        position,
        page_id: pageId,
        action,
        reason,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['request_id', 'position']).doUpdateSet((eb) => ({
        page_id: eb.ref('excluded.page_id'),
        action: eb.ref('excluded.action'),
        reason: eb.ref('excluded.reason'),
      })),
    )
    .execute();
}
