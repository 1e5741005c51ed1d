import { isDatabaseAway } from '../db/away.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { newId } from '../kit/typeid.ts';
import type { Actor } from '../pages/actor.ts';
import type { ActingSource, Via } from '../pages/event-contract.ts';
import type { PageFacts, PageSignal } from '../pages/keyed.ts';
import type { PageKey } from '../pages/keyed-store.ts';
import type { Urgency } from '../pages/urgency-contract.ts';
import type { Keeps } from '../webhooks/record.ts';
import {
  type Aboard,
  forgetLanded,
  forgetLoose,
  markDue,
  nextAboard,
  openAboard,
  type Row,
  readAboard,
  readLoose,
} from './aboard-store.ts';
import { type ApplySignals, applyAnswers } from './answers.ts';
import { forgetAnswers, storeAnswers } from './answers-store.ts';
import type { StandBy } from './contract.ts';
import {
  anOwner,
  type Columns,
  claimKeys,
  clearMarks,
  commonColumns,
  DELIVERIES_TAIL,
  failRequest,
  findOwn,
  insertCalls,
  insertRows,
  isOpen,
  joinPages,
  keyOf,
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
import { type Known, type Landing, marked, prepare, unmarkable } from './prepare.ts';
import { endWaited, forgetWaiting } from './waiting-store.ts';

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
  await landOpen({ ...services, own }, columns);
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
  then: (tx: Tx) => Promise<void> = markDue,
): Promise<void> {
  await local.transaction().execute(async (tx) => {
    await write(tx, { standBy, log }, columns, aboard);
    await then(tx);
  });
}

type OwnServices = LandServices & { own: string | null };

/**
 * Pages that still notify, without the calls that raised them: moments are recorded in the order of all calls. They
 * land once more with everything else, which changes nothing about them, or adds what failed here.
 */
async function landOpen(services: OwnServices, columns: Columns): Promise<void> {
  const { local, log } = services;
  const open = await openAboard(local).catch((err) => {
    log.warn({ err }, 'the open pages of the lifeboat could not be read; everything lands in order');
    return [];
  });
  for (let from = 0; from < open.length; from += BATCH) {
    const ids = new Set(open.slice(from, from + BATCH).flat());
    const aboard = await readAboard(local, [...ids], { calls: false });
    try {
      await landTogether(services, columns, aboard);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      log.warn({ err: error }, 'open pages of the lifeboat could not land before everything else');
    }
    services.wake();
  }
}

async function landTogether(services: OwnServices, columns: Columns, aboard: Aboard): Promise<void> {
  const { duplicates, afterCommit } = await services.main.transaction().execute(async (tx) => {
    await lockMoments(tx, aboard);
    const landing = await write(tx, services, columns, aboard, (one) => marked(one, services.own));
    await recordMomentsOf(tx, landing.calls, services);
    const raised = await services.applySignals(
      tx,
      landing.cameBack.map((page) => triggerOf(page, aboard)),
    );
    const keys = landing.pages.filter(isOpen).map(keyOf);
    const answered = await applyAnswers(tx, keys, services.applySignals);
    return { ...landing, afterCommit: [raised.afterCommit, answered] };
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

async function write(
  tx: Tx,
  { standBy, log }: Pick<LandServices, 'standBy' | 'log'>,
  columns: Columns,
  aboard: Aboard,
  change = (landing: Landing) => landing,
): Promise<Landing & Written> {
  const organizations = await knownOrganizations(tx, aboard);
  const keys = aboard.idempotency_keys.filter((row) => organizations.has(String(row.organization_id)));
  const repeated = await claimKeys(tx, keys);
  const known = await readKnown(tx, aboard, { organizations, repeated });
  const facts = { at: await nowOf(tx), node: standBy.node, copiedAt: standBy.copiedAt.toString() };
  const landing = await withOwnRequests(tx, change(prepare(aboard, known, facts)), known);
  const dropped = aboard.requests.length - landing.requests.length;
  if (dropped > 0) log.warn({ dropped }, 'requests of organizations that were deleted are not kept');
  const written = await writeRows(tx, columns, landing, known);
  await writeDuplicates(tx, columns, landing, facts);
  for (const page of landing.homeless) await keepHomeless(tx, columns, page, aboard, known, facts);
  return { ...landing, ...written };
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
  cameBack: readonly Row[];
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
    ...shared.filter(({ id }) => ended.has(String(id))),
    ...landing.duplicates.flatMap(({ page, kept }) => (ended.has(kept) ? [page] : [])),
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
  const source = sourceOf(page, page_events, 'acknowledged');
  if (source) await acknowledge(kept, { userId: null, via: via as Via, source });
}

/** The source that acted in the newest event of this kind. */
function sourceOf(page: Row, events: readonly Row[], kind: 'raised' | 'acknowledged'): ActingSource | null {
  const newest = events.filter((row) => row.page_id === page.id && row.kind === kind).at(-1);
  return ((newest?.data ?? {}) as { source?: ActingSource }).source ?? null;
}

/** The newest trigger of a page, as a signal that raises an equal page. */
function triggerOf(page: Row, { page_events }: Aboard): PageSignal {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const { organizationId, scope, dedupKey } = keyOf(page);
  const source = sourceOf(page, page_events, 'raised');
  const userId = text(page.raised_by);
  const recipient =
    page.kind === 'team' ? { teamId: String(page.team_id) } : { userId: String(page.user_id) };
  return {
    ...{ organizationId, scope: scope ?? '', dedupKey, source, userId },
    receivedAt: Temporal.Instant.from(String(page.last_trigger_at)),
    action: 'trigger',
    reasons: [],
    page: {
      requestId: null,
      credential: source?.id ?? userId ?? '',
      ...{ recipient, stage: null, mayRepeat: true },
      ...{ title: String(page.title), text: String(page.text), sourceUrl: text(page.source_url) },
      urgency: page.urgency as Urgency,
      facts: page.facts as PageFacts | null,
    },
  };
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
