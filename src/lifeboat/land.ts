import { isDatabaseAway } from '../db/away.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { newId } from '../kit/typeid.ts';
import type { Actor } from '../pages/actor.ts';
import type { ActingSource, Via } from '../pages/event-contract.ts';
import { newestTriggers, type PageKey } from '../pages/keyed-store.ts';
import type { Keeps } from '../webhooks/record.ts';
import {
  type Aboard,
  endWaited,
  forgetAnswers,
  forgetLanded,
  forgetLoose,
  forgetWaiting,
  markDueAboard,
  nextAboard,
  openAboard,
  type Row,
  readAboard,
  readLoose,
  storeAnswers,
} from './aboard-store.ts';
import { type ApplySignals, applyAnswers } from './answers.ts';
import type { StandBy } from './contract.ts';
import {
  anOwner,
  answeredAboard,
  type Columns,
  claimKeys,
  clearMarks,
  commonColumns,
  DELIVERIES_TAIL,
  failRequest,
  findOwn,
  insertCalls,
  insertRows,
  joinPages,
  joinStates,
  knownOrganizations,
  linkBundled,
  mergeTriggers,
  NEW_EVENTS,
  NEW_WAITING,
  nowOf,
  OF_FORMER_PAGE,
  OF_KNOWN_PERSON,
  OF_KNOWN_SOURCE,
  OUTCOMES_TAIL,
  pagesAboutTheSame,
  pagesTriggeredAfterEnd,
  REQUESTS_TAIL,
  readKnown,
  requestsWithOtherPage,
  responderName,
  respondersOf,
  STEPS_TAIL,
  WAITING_TAIL,
} from './land-store.ts';
import { lockMoments, recordMomentsOf } from './landed-calls.ts';
import { type Known, type Landing, marked, pageOf, prepare, unmarkable } from './prepare.ts';
import { isOpen, keyOf } from './rows.ts';

/** Requests in one transaction of the main database, and the bytes of their calls. */
const BATCH = 250;
const MOST_BYTES = 8 * 1_024 * 1_024;

export type LandServices = {
  main: Database;
  local: Database;
  log: Log;
  standBy: StandBy;
  /** Acknowledges a page of the main database for the person or source that acknowledged its duplicate. */
  acknowledge(pageId: string, actor: Actor): Promise<void>;
  /** Applies answers to open pages of the main database. */
  applySignals: ApplySignals;
  /** Whether the main database stores the headers and body of a call. */
  keeps: Keeps;
  /** Stores a request that the main database refuses, outside of any database. */
  strand(requestId: string, aboard: Aboard): Promise<void>;
  /** Called after each commit of the main database, because there may be steps to run. */
  wake(): void;
  /**
   * Called once all pages that were open in the lifeboat are in the main database, which may run their steps from then
   * on.
   */
  openLanded(): Promise<void>;
};

/**
 * Moves everything that the lifeboat accepted to the main database: first the pages that still notify, so that they
 * escalate on time, then everything, oldest first. It may be interrupted at any point and started again: existing rows
 * are merged, not repeated. Returns the number of requests. @throws if a database is away; everything is still aboard
 * then
 */
export async function land(services: LandServices): Promise<number> {
  const { main, local } = services;
  const columns = await commonColumns(main, local);
  const own = (await findOwn(local))?.id ?? null;
  const answered = await landLoose(services, columns);
  if (await landOpen({ ...services, own }, columns)) await services.openLanded();
  const done: string[] = [];
  const bundled: { id: string; into: string }[] = [];
  const marks: ReturnType<typeof unmarkable>[] = [];
  for (let last = ''; ; ) {
    const ids = await nextAboard(local, last, { limit: BATCH, mostBytes: MOST_BYTES });
    if (ids.length === 0) break;
    const aboard = await readAboard(local, ids);
    await landSome({ ...services, own }, columns, ids, aboard);
    done.push(...ids);
    marks.push(unmarkable(aboard));
    for (const { id, bundled_into: into } of aboard.deliveries)
      if (typeof into === 'string') bundled.push({ id: String(id), into });
    last = ids.at(-1) ?? last;
    services.wake();
  }
  for (let from = 0; from < answered.length; from += BATCH) {
    const keys = answered.slice(from, from + BATCH);
    const afterCommit = await main
      .transaction()
      .execute((tx) => applyAnswers(tx, keys, services.applySignals));
    afterCommit();
  }
  await linkBundled(main, bundled);
  for (const some of marks) await clearMarks(main, some);
  // Only now, because if the main database is away again, the lifeboat continues with all of it.
  await forgetAnswers(local);
  // Before the waiting pages, because a row that is marked as aboard here but absent there has paged.
  await forgetWaiting(local);
  for (let from = 0; from < done.length; from += BATCH)
    await forgetLanded(local, done.slice(from, from + BATCH));
  return done.length;
}

/**
 * Takes pages of the main database aboard that still notify, so that they escalate. Rows that refer to people or teams
 * unknown to the lifeboat stay behind.
 */
export async function board(
  { columns, local, log, standBy }: Pick<LandServices, 'local' | 'log' | 'standBy'> & { columns: Columns },
  aboard: Aboard,
  then: (tx: Tx) => Promise<void> = markDueAboard,
): Promise<void> {
  await local.transaction().execute(async (tx) => {
    await write(tx, { standBy, log }, columns, aboard, { change: withoutUnknown });
    await then(tx);
  });
}

/** Without pages whose team or person is newer than the copy: they go on in the main database. */
function withoutUnknown(landing: Landing): Landing {
  const pages = new Set(landing.homeless.map(({ id }) => id));
  const requests = new Set(landing.homeless.map(({ request_id }) => request_id));
  return {
    ...landing,
    requests: landing.requests.filter(({ id }) => !requests.has(id)),
    request_pages: landing.request_pages.filter(
      ({ page_id, request_id }) => !pages.has(page_id) && !requests.has(request_id),
    ),
    homeless: [],
  };
}

type OwnServices = LandServices & { own: string | null };

/**
 * Pages that still notify, or that were answered in the lifeboat and are open in the main database, without the calls
 * that raised them: moments are recorded in the order of all calls. They land once more with everything else, which
 * changes nothing about them, or adds what failed here. Returns whether all of them have landed.
 */
async function landOpen(services: OwnServices, columns: Columns): Promise<boolean> {
  const { main, local, log } = services;
  const open: string[][] = [];
  try {
    // The ended ones first, because a page that was triggered later would be taken for the same as one that is open.
    for (const request of await answeredAboard(services)) open.push([request]);
    for (const requests of await openAboard(local)) open.push(requests);
  } catch (err) {
    log.warn({ err }, 'the open pages of the lifeboat could not be read; everything lands in order');
    return false;
  }
  const marks: ReturnType<typeof unmarkable>[] = [];
  let all = true;
  for (let from = 0; from < open.length; from += BATCH) {
    const ids = new Set(open.slice(from, from + BATCH).flat());
    const aboard = await readAboard(local, [...ids], { calls: false });
    try {
      await landTogether(services, columns, aboard);
      marks.push(unmarkable(aboard));
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      all = false;
      log.warn({ err: error }, 'open pages of the lifeboat could not land before everything else');
    }
    services.wake();
  }
  for (const some of marks) await clearMarks(main, some);
  return all;
}

async function landTogether(services: OwnServices, columns: Columns, aboard: Aboard): Promise<void> {
  const { duplicates, afterCommit } = await services.main.transaction().execute(async (tx) => {
    await lockMoments(tx, aboard);
    const keys = aboard.pages.filter(isOpen).map(keyOf);
    const before: (() => void)[] = [];
    const landing = await write(tx, services, columns, aboard, {
      change: (one) => marked(one, services.own),
      // An answer ends a page of the main database before a page that was triggered later can be taken for its duplicate.
      joined: async () => void before.push(await applyAnswers(tx, keys, services.applySignals)),
    });
    await recordMomentsOf(tx, landing.calls, services);
    const raised = await services.applySignals(tx, await newestTriggers(tx, landing.cameBack));
    const answered = await applyAnswers(tx, keys, services.applySignals);
    return { ...landing, afterCommit: [...before, raised.afterCommit, answered] };
  });
  for (const work of afterCommit) work();
  for (const { page, kept } of duplicates) await passOnAnswer(services, aboard, page, kept);
}

/** One by one if they cannot be moved together, so that one of them cannot block the others. */
async function landSome(
  services: OwnServices,
  columns: Columns,
  ids: readonly string[],
  aboard: Aboard,
): Promise<void> {
  const { local, log } = services;
  try {
    await landTogether(services, columns, aboard);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    const [only] = ids;
    if (ids.length === 1 && only !== undefined) {
      log.error(
        { err: error, request: only },
        'a request of the lifeboat does not fit into the main database',
      );
      await services.strand(only, aboard);
      return;
    }
    for (const id of ids) await landSome(services, columns, [id], await readAboard(local, [id]));
  }
}

type Changes = {
  change?(landing: Landing): Landing;
  /** Called when the pages that both databases have are joined, before pages with the same cause are looked for. */
  joined?(): Promise<void>;
};

async function write(
  tx: Tx,
  { standBy, log }: Pick<LandServices, 'standBy' | 'log'>,
  columns: Columns,
  aboard: Aboard,
  { change = (landing: Landing) => landing, joined = async () => undefined }: Changes = {},
): Promise<Landing & Written> {
  const organizations = await knownOrganizations(tx, aboard);
  const keys = aboard.idempotency_keys.filter((row) => organizations.has(String(row.organization_id)));
  const repeated = await claimKeys(tx, keys);
  const rows = await readKnown(tx, aboard, organizations);
  const back = await joinKnown(tx, aboard, rows);
  await joined();
  const known = { ...rows, sameAs: await pagesAboutTheSame(tx, aboard, repeated) };
  const facts = { at: await nowOf(tx), node: standBy.node, copiedAt: standBy.copiedAt.toString() };
  const prepared = prepare(aboard, known, facts);
  const dropped = aboard.requests.length - prepared.requests.length;
  if (dropped > 0) log.warn({ dropped }, 'requests of organizations that were deleted are not kept');
  const landing = await withOwnRequests(tx, change(prepared), known);
  const written = await writeRows(tx, columns, landing, known);
  await writeDuplicates(tx, columns, landing, facts);
  for (const page of landing.homeless) await keepHomeless(tx, columns, page, aboard, known, facts);
  return { ...landing, calls: written.calls, cameBack: [...back, ...written.cameBack] };
}

/**
 * Gives pages that both databases have the newer of their states. Returns those that ended in the lifeboat before the
 * newest trigger that the main database has for them: their problem came back.
 */
async function joinKnown(tx: Tx, aboard: Aboard, known: Omit<Known, 'sameAs'>): Promise<string[]> {
  const shared = aboard.pages
    .filter(({ id }) => known.pages.has(String(id)))
    .map((page) => pageOf(page, known, null));
  const ends = new Map(aboard.page_ends.map(({ page_id, ended_at }) => [page_id, String(ended_at)]));
  const joined = await joinStates(tx, shared, aboard.page_events);
  return joined.flatMap(({ id, lastTriggerAt }) => {
    const end = ends.get(id);
    if (end === undefined || lastTriggerAt === null) return [];
    const isNewer =
      Temporal.Instant.compare(Temporal.Instant.from(lastTriggerAt), Temporal.Instant.from(end)) > 0;
    return isNewer ? [id] : [];
  });
}

/** A request can have one page only, so a duplicate of the same request gets a request of its own. */
async function withOwnRequests(tx: Tx, landing: Landing, known: Known): Promise<Landing> {
  const fresh = landing.pages.filter(({ id }) => !known.pages.has(String(id)));
  const taken = await requestsWithOtherPage(tx, fresh);
  if (taken.size === 0) return landing;
  const own = new Map([...taken].map((id) => [id, newId('request')]));
  const requests = landing.requests.flatMap((row) => {
    const id = own.get(String(row.id));
    return id === undefined ? [row] : [row, { ...row, id }];
  });
  const pages = landing.pages.map((row) => ({
    ...row,
    request_id: own.get(String(row.request_id)) ?? row.request_id,
  }));
  return { ...landing, requests, pages };
}

type Written = {
  /** Calls whose moments are not recorded in the main database. */
  calls: readonly string[];
  /** Pages whose newest trigger came after the end of the same page in the main database. */
  cameBack: readonly string[];
};

async function writeRows(tx: Tx, columns: Columns, landing: Landing, known: Known): Promise<Written> {
  await insertRows(tx, columns, 'requests', landing.requests, { tail: REQUESTS_TAIL });
  const calls = await insertCalls(tx, columns, landing.received_notifications);
  await insertRows(tx, columns, 'webhook_deliveries', landing.webhook_deliveries);
  await insertRows(tx, columns, 'pages', landing.pages);
  await insertRows(tx, columns, 'page_steps', landing.page_steps, { tail: STEPS_TAIL });
  await insertRows(tx, columns, 'responders', landing.responders);
  const numbers = await respondersOf(tx, landing.pages);
  const names = new Map(landing.responders.map((row) => [row.id, responderName(row)]));
  const deliveries = landing.deliveries.map((row) => ({
    ...row,
    responder_id: numbers.get(names.get(row.responder_id) ?? ''),
    bundled_into: null,
  }));
  await insertRows(tx, columns, 'deliveries', deliveries, { tail: DELIVERIES_TAIL });
  await insertRows(tx, columns, 'delivery_attempts', landing.delivery_attempts);
  await insertRows(tx, columns, 'page_events', landing.page_events, { where: NEW_EVENTS });
  const { fresh, again } = waitingOf(landing);
  await insertRows(tx, columns, 'waiting_pages', fresh, { where: NEW_WAITING, tail: WAITING_TAIL });
  await insertRows(tx, columns, 'waiting_pages', again, { tail: WAITING_TAIL });
  await endWaited(
    tx,
    landing.lifeboat_waiting.filter(({ done }) => done),
  );
  await insertRows(
    tx,
    columns,
    'request_pages',
    landing.request_pages.map((row) => withoutHomeless(row, landing)),
    { tail: OUTCOMES_TAIL },
  );
  await insertRows(tx, columns, 'pages_again', landing.pages_again, { where: OF_FORMER_PAGE });
  await insertRows(tx, columns, 'all_clears', landing.all_clears);
  const shared = landing.pages.filter(({ id }) => known.pages.has(String(id)));
  const duplicates = landing.duplicates.map(({ page, kept }) => ({ ...page, id: kept }));
  const ended = await pagesTriggeredAfterEnd(tx, [...shared, ...duplicates]);
  const cameBack = [
    ...shared.map(({ id }) => String(id)).filter((id) => ended.has(id)),
    ...landing.duplicates.flatMap(({ page, kept }) => (ended.has(kept) ? [String(page.id)] : [])),
  ];
  await joinPages(tx, shared);
  await mergeTriggers(tx, duplicates);
  return { calls, cameBack };
}

/**
 * Waiting pages: those that the lifeboat received, and those that it took from the main database and that were
 * triggered again since.
 */
function waitingOf({ waiting_pages: waiting, lifeboat_waiting: taken }: Landing) {
  const name = ({ request_id, position }: Row) => JSON.stringify([request_id, position]);
  const known = new Map(taken.map((row) => [name(row), String(row.triggered_at)]));
  const isNewer = (row: Row) => {
    const former = known.get(name(row));
    const newest = row.triggered_at ?? row.created_at;
    return (
      former !== undefined &&
      Temporal.Instant.compare(Temporal.Instant.from(String(newest)), Temporal.Instant.from(former)) > 0
    );
  };
  return { fresh: waiting.filter((row) => !known.has(name(row))), again: waiting.filter(isNewer) };
}

/** A page that was taken out is in neither database. */
function withoutHomeless(row: Row, { homeless }: Landing): Row {
  return homeless.some(({ id }) => id === row.page_id) ? { ...row, page_id: null } : row;
}

async function writeDuplicates(
  tx: Tx,
  columns: Columns,
  { duplicates }: Landing,
  { at, node }: { at: string; node: string },
): Promise<void> {
  const event = (page: Row, pageId: unknown, other: unknown, kept: boolean): Row => ({
    ...{ organization_id: page.organization_id, page_id: pageId, at, kind: 'duplicate', user_id: null },
    data: { page_id: other, kept, node },
  });
  const events = duplicates.flatMap(({ page, kept }) => [
    event(page, page.id, kept, false),
    event(page, kept, page.id, true),
  ]);
  await insertRows(tx, columns, 'page_events', events, { where: NEW_EVENTS });
}

/** Shows a page whose team or person was deleted among the refused ones, and names who was notified of it. */
async function keepHomeless(
  tx: Tx,
  columns: Columns,
  page: Row,
  aboard: Aboard,
  { users }: Known,
  { at, node }: { at: string; node: string },
): Promise<void> {
  const organizationId = String(page.organization_id);
  const raisedBy = users.has(String(page.raised_by)) ? page.raised_by : await anOwner(tx, organizationId);
  const sent = aboard.deliveries.filter(
    (row) => row.page_id === page.id && (row.state === 'accepted' || row.state === 'delivered'),
  );
  const people = new Set(sent.map((row) => row.user_id)).size;
  const message = `was deleted before the lifeboat of ${node} landed this page; ${people === 1 ? '1 person was' : `${people} people were`} notified of it, and it escalates no further`;
  await failRequest(tx, String(page.request_id), `Its recipient ${message}.`);
  if (raisedBy === null) return;
  const { title, text, urgency, source_url, dedup_key } = page;
  const refused = {
    id: `refused_${String(page.id)}`,
    organization_id: organizationId,
    user_id: raisedBy,
    kind: `page.${String(page.kind)}`,
    body: { title, text, urgency, source_url, dedup_key },
    details: [{ field: 'recipient', message }],
    refused_at: at,
  };
  await insertRows(tx, columns, 'refused_pages', [refused]);
}

/** A person or source that acknowledged a duplicate has acknowledged the same problem. */
async function passOnAnswer(
  { acknowledge }: LandServices,
  { page_events }: Aboard,
  page: Row,
  kept: string,
): Promise<void> {
  const { state, acknowledged_by: userId, acknowledged_via: via } = page;
  if (state !== 'acknowledged') return;
  if (typeof userId === 'string') return acknowledge(kept, { userId, via: via as Via });
  const source = acknowledgedBy(page, page_events);
  if (source) await acknowledge(kept, { userId: null, via: via as Via, source });
}

/** The source that acknowledged a page last. */
function acknowledgedBy({ id }: Row, events: readonly Row[]): ActingSource | null {
  const newest = events.filter((row) => row.page_id === id && row.kind === 'acknowledged').at(-1);
  return ((newest?.data ?? {}) as { source?: ActingSource }).source ?? null;
}

/** Returns the dedup keys of answers. The answers themselves stay in both databases until everything has landed. */
async function landLoose({ main, local }: LandServices, columns: Columns): Promise<PageKey[]> {
  const { inbound_answers, lifeboat_answers, refused_pages, received_notifications } = await readLoose(local);
  if (
    inbound_answers.length +
      lifeboat_answers.length +
      refused_pages.length +
      received_notifications.length ===
    0
  )
    return [];
  await main.transaction().execute(async (tx) => {
    await insertRows(tx, columns, 'inbound_answers', inbound_answers);
    await storeAnswers(tx, lifeboat_answers);
    await insertRows(tx, columns, 'refused_pages', refused_pages, {
      where: OF_KNOWN_PERSON,
    });
    await insertRows(tx, columns, 'received_notifications', received_notifications, {
      where: OF_KNOWN_SOURCE,
    });
  });
  await forgetLoose(local);
  return lifeboat_answers.map(keyOf);
}
