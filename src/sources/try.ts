import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { rolledBack } from '../db/rolled-back.ts';
import { Fault } from '../kit/fault.ts';
import { instantText } from '../kit/instant.ts';
import { createTurns } from '../kit/turns.ts';
import { newId } from '../kit/typeid.ts';
import { t } from '../language/contract.ts';
import { storedText, storedTextOrNull } from '../language/stored.ts';
import type { Headers } from '../moments/integrations/adapter.ts';
import { createNotifier } from '../notifications/notifier.ts';
import type { Notifier, RecipientGroup } from '../pages/notifier.ts';
import type { Means } from '../people/reachability.ts';
import type { ClaimedCall } from '../webhooks/call-store.ts';
import { CUSTOM } from '../webhooks/contract.ts';
import { unpackedBody } from '../webhooks/packed-body.ts';
import { type ReadCall, readCall, recordCalls } from '../webhooks/record.ts';
import { sourceAdapter } from './adapters.ts';
import type { EventServices } from './apply-events.ts';
import { HEARTBEAT, type SourceSettings } from './contract.ts';
import { customPage } from './custom-adapter.ts';
import { readCustomPage } from './custom-body.ts';
import { settingsProblemsIn } from './manage.ts';
import { wouldText } from './outcome.ts';
import { pageForCalls } from './paging.ts';
import { findTriedSource, insertTried, limitTime, type TriedSource } from './store.ts';
import { bounded } from './try-bounds.ts';
import type { TriedCall } from './try-contract.ts';
import { presentTriedEvents } from './try-present.ts';
import { windowsFor } from './windows.ts';

/** The input that would be sent to a source. */
export type Attempt = {
  sourceId: string;
  headers: Headers;
  body: Buffer;
  /** Settings to try instead of those of the source. */
  settings?: SourceSettings;
  /** A call that was received before, which must not count as a repetition of itself. */
  again?: boolean;
};

export type Tries = {
  /**
   * The effect of a call if it arrived now. Processes it like any other call, in a transaction that is rolled back.
   * @throws Fault `bad_request` if the body or the settings are invalid, `not_found` if the source is unknown
   */
  tryCall(attempt: Attempt): Promise<TriedCall>;
};

export type TryServices = { db: Database; clock: Clock; means: Means };

/** Calls that only end something wait for older ones, so that they cannot overtake them. */
function waitsText(): string {
  return t(
    'This call would wait for earlier calls of the source that are not processed yet; try again in a moment.',
  );
}

/** Every dry run holds a connection and the locks of its dedup keys. */
const AT_ONCE = 2;

export function createTries(services: TryServices): Tries {
  const turns = createTurns(AT_ONCE);
  return {
    tryCall: (attempt) => turns.run(() => rolledBack(services.db, (tx) => processed(tx, services, attempt))),
  };
}

async function processed(tx: Tx, services: TryServices, attempt: Attempt): Promise<TriedCall> {
  await limitTime(tx);
  const at = await services.clock.now(tx);
  const source = await findTriedSource(tx, attempt.sourceId);
  if (!source) throw new Fault('not_found');
  demandBody(source, attempt, at);
  if (attempt.settings) await demandSettings(tx, source.organizationId, attempt.settings);
  const call = callFor(source, attempt, at);
  await insertTried(tx, at, call);
  const { read, leftOut, warnings } = bounded(readCall(call, { adapterFor: sourceAdapter }));
  const { result } = read;
  if ('error' in result) throw new Fault('bad_request', [{ field: 'body', message: clause(result.error) }]);
  if ('confirm' in result)
    return answer(at, t('The subscription to {topic} would be confirmed.', { topic: result.confirm.topic }), {
      warnings,
    });
  const { notifier, notified } = listening(services.clock);
  const events: EventServices = { ...services, notifier, wake() {}, tooManyWaiting() {}, windowsFor };
  const { outcome, paged } = await recorded(
    tx,
    at,
    { ...read, ...(attempt.again ? { senderCallId: null } : {}) },
    events,
  );
  const outcomes = paged && (paged.events.length > 0 ? paged.events : paged.orders);
  return answer(
    at,
    outcomes ? wouldText(outcomes) : outcome === undefined ? waitsText() : storedText(outcome),
    {
      warnings,
      events: await presentTriedEvents(
        { tx, at, means: services.means, notified },
        source,
        paged?.events ?? [],
      ),
      events_left_out: leftOut,
      orders: (paged?.orders ?? []).map(({ action, pageId, reason }) => ({
        ...{ action, page: pageId, reason: storedTextOrNull(reason) },
      })),
    },
  );
}

/** Our own form names each wrong field; other bodies are read as a whole. Heartbeats have none. */
function demandBody(
  { source: { type } }: TriedSource,
  { headers, body }: Attempt,
  receivedAt: Temporal.Instant,
): void {
  if (type === HEARTBEAT)
    throw new Fault('bad_request', [
      {
        field: 'source',
        message: t(
          'is a heartbeat, which pages when its calls stop; choose a source of another type to try a call',
        ),
      },
    ]);
  const unpacked = type === CUSTOM ? unpackedBody(headers, body, customPage.bodyLimit) : null;
  if (!unpacked || 'problem' in unpacked) return;
  const reading = readCustomPage({ headers, body: unpacked.body, receivedAt });
  if ('problems' in reading) throw new Fault('bad_request', reading.problems);
}

async function demandSettings(tx: Tx, organizationId: string, settings: SourceSettings): Promise<void> {
  const problems = await settingsProblemsIn(tx, organizationId, settings);
  if (problems.length > 0) throw new Fault('bad_request', problems);
}

function callFor(
  { source, ...of }: TriedSource,
  { headers, body, settings = source.settings }: Attempt,
  at: Temporal.Instant,
): ClaimedCall {
  return {
    ...{ ...of, id: newId('notification'), requestId: newId('request'), integration: source.type },
    ...{ headers, body, source: { ...source, settings }, receivedAt: at, attempts: 1, mayRepeat: false },
  };
}

/** Processes the call like the worker. `outcome`: its result if it has no events. */
async function recorded(tx: Tx, at: Temporal.Instant, read: ReadCall, services: EventServices) {
  const found: Awaited<ReturnType<typeof pageForCalls>>[] = [];
  const { ended } = await recordCalls(tx, at, [read], {
    keeps: () => true,
    paging: {
      adapterFor: sourceAdapter,
      async page(inside, now, calls) {
        const paged = await pageForCalls(inside, services, now, calls);
        if (calls.length > 0) found.push(paged);
        return paged;
      },
    },
  });
  const [paged = null] = found;
  return { paged, outcome: ended[0]?.outcome.message };
}

/** A notifier that sends nothing, and records by the ids of pages whom events notify at once. */
function listening(clock: Clock): { notifier: Notifier; notified: Map<string, RecipientGroup[]> } {
  const notified = new Map<string, RecipientGroup[]>();
  const note = (groups: readonly RecipientGroup[]) => {
    for (const group of groups) notified.set(group.page.id, [...(notified.get(group.page.id) ?? []), group]);
  };
  const silent = createNotifier({
    clock,
    node: () => 0,
    dispatch() {},
    wakeAllClears() {},
    fullFor: () => false,
    room: async () => true,
  });
  return {
    notified,
    notifier: {
      ...silent,
      start(tx, groups, at) {
        note(groups);
        return silent.start(tx, groups, at);
      },
    },
  };
}

function answer(at: Temporal.Instant, message: string, more: Partial<TriedCall>): TriedCall {
  return {
    ...{ dry_run: true, at: instantText(at), message },
    ...{ events: [], events_left_out: 0, orders: [], warnings: [], ...more },
  };
}

/** Adapters write `The body …`; a problem of a field continues after its name. */
function clause(sentence: string): string {
  return t('cannot be read: {sentence}', { sentence: storedText(sentence).replace(/[.。]$/, '') });
}
