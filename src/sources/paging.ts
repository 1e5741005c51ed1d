import type { Tx } from '../db/database.ts';
import type { PageOrder } from '../moments/integrations/page-order.ts';
import type { ClaimedCall } from '../webhooks/call-store.ts';
import type { Paged, Paging, SourceCall } from '../webhooks/paging.ts';
import { sourceAdapter } from './adapters.ts';
import {
  type Arrived,
  type ArrivedOutcome,
  applyEvents,
  type EventServices,
  type Explanation,
} from './apply-events.ts';
import type { SourceEvent } from './contract.ts';
import { sourceEvent } from './event.ts';
import { applyOrders } from './orders.ts';
import { callOutcome } from './outcome.ts';
import { linkWithMoments, type PageOfMoment } from './store.ts';

/** Makes the processing of calls page people for page sources. */
export function createPaging(services: EventServices): Paging {
  return {
    adapterFor: sourceAdapter,
    page: (tx, at, calls) => pageForCalls(tx, services, at, calls),
  };
}

/** An event of a call, its effect, and the reason. */
export type PagedEvent = ArrivedOutcome & Explanation & { event: SourceEvent };

/** `events` and `orders`: in the order of the calls. */
type PagedInDetail = Paged & { events: PagedEvent[]; orders: ArrivedOutcome[] };

/** Applies the orders and events of calls, in order, and returns the effect of each event and its reason. */
export async function pageForCalls(
  tx: Tx,
  services: EventServices,
  at: Temporal.Instant,
  calls: readonly SourceCall[],
): Promise<PagedInDetail> {
  const paged: PagedInDetail[] = [];
  for (const run of runsOf(calls)) paged.push(await pageForRun(tx, services, at, run));
  return {
    outcomes: new Map(paged.flatMap(({ outcomes }) => [...outcomes])),
    events: paged.flatMap(({ events }) => events),
    orders: paged.flatMap(({ orders }) => orders),
    afterCommit() {
      for (const one of paged) one.afterCommit();
    },
  };
}

/**
 * Events of neighbouring calls are applied together. A call with orders is applied separately, because it needs the
 * pages as they are at that time.
 */
function runsOf(calls: readonly SourceCall[]): SourceCall[][] {
  const runs: SourceCall[][] = [];
  let before: SourceCall[] | null = null;
  for (const call of calls) {
    const alone = ordersOf(call).length > 0;
    if (before && !alone) before.push(call);
    else runs.push([call]);
    before = alone ? null : (runs.at(-1) ?? null);
  }
  return runs;
}

/** The orders of a call, before its events, because nobody comments on a page that has ended. */
function ordersOf({ result }: SourceCall): PageOrder[] {
  const comments = result.events.flatMap(({ action, dedupKey, by = null, comment, at }): PageOrder[] =>
    comment && dedupKey !== null && action !== 'open'
      ? [{ order: 'comment', dedupKey, by, comment, at }]
      : [],
  );
  return [...(result.orders ?? []), ...comments];
}

async function pageForRun(
  tx: Tx,
  services: EventServices,
  at: Temporal.Instant,
  calls: readonly SourceCall[],
): Promise<PagedInDetail> {
  const ordered = await applyOrders(
    tx,
    services,
    at,
    calls.flatMap((one) =>
      ordersOf(one).flatMap((order, position) =>
        arrivedFrom(one.call, position).map((from) => ({ ...from, order })),
      ),
    ),
  );
  const arrived = calls.flatMap(({ call, result }) =>
    result.events.flatMap((event, position) =>
      arrivedFrom(call, position).map((from) => ({ ...from, event: sourceEvent(event), mayWait: true })),
    ),
  );
  const applied = await applyEvents(tx, services, at, arrived);
  const iterator = applied.outcomes.values();
  const mine = calls.map(({ result }) => iterator.take(result.events.length).toArray());
  await linkWithMoments(
    tx,
    at,
    calls.flatMap((call, place) => linksOf(call, mine[place] ?? [])),
  );
  const outcomesOf = (call: SourceCall, place: number) =>
    call.result.events.length > 0 ? (mine[place] ?? []) : ordered.outcomes;
  return {
    outcomes: new Map(calls.map((one, place) => [one.call.id, callOutcome(outcomesOf(one, place))])),
    events: arrived.flatMap(({ event }, index) => {
      const [outcome, explanation] = [applied.outcomes[index], applied.explanations[index]];
      return outcome && explanation ? [{ event, ...outcome, ...explanation }] : [];
    }),
    orders: ordered.outcomes,
    afterCommit() {
      ordered.afterCommit();
      applied.afterCommit();
    },
  };
}

function arrivedFrom(call: ClaimedCall, position: number): Omit<Arrived, 'event' | 'mayWait'>[] {
  const { organizationId, teamId, webhookId: sourceId, source, requestId, mayRepeat, receivedAt } = call;
  if (!source) return [];
  return [{ organizationId, teamId, sourceId, source, requestId, mayRepeat, receivedAt, position }];
}

/**
 * Links the moments of calls, which were recorded after the calls had paged, with their pages. `outcomes`: the effects
 * of the events of each request, by its id and in order.
 */
export async function linkMomentsLater(
  tx: Tx,
  at: Temporal.Instant,
  calls: readonly SourceCall[],
  outcomes: ReadonlyMap<string, readonly Pick<ArrivedOutcome, 'pageId'>[]>,
): Promise<void> {
  const links = calls.flatMap((one) => linksOf(one, outcomes.get(one.call.requestId ?? '') ?? []));
  await linkWithMoments(tx, at, links);
}

/** Which pages and moments belong together: by dedup key, or by position if no event of the call was merged with another. */
function linksOf(
  { call, result, momentIds }: SourceCall,
  outcomes: readonly Pick<ArrivedOutcome, 'pageId'>[],
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
