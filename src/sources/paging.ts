import type { Tx } from '../db/database.ts';
import type { ClaimedCall } from '../webhooks/call-store.ts';
import type { Paged, Paging, SourceCall } from '../webhooks/paging.ts';
import { sourceAdapter } from './adapters.ts';
import { type Arrived, type ArrivedOutcome, applyEvents, type EventServices } from './apply-events.ts';
import type { SourceEvent } from './contract.ts';
import { sourceEvent } from './event.ts';
import { callOutcome } from './outcome.ts';
import { linkWithMoments, type PageOfMoment } from './store.ts';

/** Makes the processing of calls page people for page sources. */
export function createPaging(services: EventServices): Paging {
  return {
    adapterFor: sourceAdapter,
    page: (tx, at, calls) => pageForCalls(tx, services, at, calls),
  };
}

async function pageForCalls(
  tx: Tx,
  services: EventServices,
  at: Temporal.Instant,
  calls: readonly SourceCall[],
): Promise<Paged> {
  if (calls.length === 0) return { outcomes: new Map(), afterCommit() {} };
  const arrived = calls.flatMap(({ call, result }) =>
    result.events.flatMap((event, position) => arrivedFrom(call, sourceEvent(event), position)),
  );
  const { outcomes, afterCommit } = await applyEvents(tx, services, at, arrived);
  const iterator = outcomes.values();
  const mine = calls.map(({ result }) => iterator.take(result.events.length).toArray());
  await linkWithMoments(
    tx,
    at,
    calls.flatMap((call, place) => linksOf(call, mine[place] ?? [])),
  );
  return {
    outcomes: new Map(calls.map(({ call }, place) => [call.id, callOutcome(mine[place] ?? [])])),
    afterCommit,
  };
}

function arrivedFrom(call: ClaimedCall, event: SourceEvent, position: number): Arrived[] {
  const { organizationId, teamId, webhookId: sourceId, source, requestId } = call;
  return source
    ? [{ organizationId, teamId, sourceId, source, requestId, position, event, mayWait: true }]
    : [];
}

/** Which pages and moments belong together: by dedup key, or by position if no event of the call was merged with another. */
function linksOf(
  { call, result, momentIds }: SourceCall,
  outcomes: readonly ArrivedOutcome[],
): PageOfMoment[] {
  const { organizationId, webhookId: sourceId } = call;
  return outcomes.flatMap(({ pageId }, position): PageOfMoment[] => {
    if (pageId === null || momentIds.length === 0) return [];
    const dedupKey = result.events[position]?.dedupKey ?? null;
    if (dedupKey !== null) return [{ organizationId, pageId, sourceId, dedupKey }];
    const momentId = momentIds.length === outcomes.length ? momentIds[position] : undefined;
    return momentId === undefined ? [] : [{ organizationId, pageId, momentId }];
  });
}
