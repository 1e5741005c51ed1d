import { type RawBuilder, type Selectable, sql } from 'kysely';
import { LOCK } from '../db/advisory-locks.ts';
import type { Clock } from '../db/clock.ts';
import type { Handle, Tx } from '../db/database.ts';
import type { Pages } from '../db/schema.ts';
import type { Acceptance } from '../requests/acceptance.ts';
import type { Actor } from './actor.ts';
import type { PageState, ResponderKind, Urgency } from './contract.ts';
import { MAX_ROUNDS } from './escalation.ts';
import type { PageEventKind, PageEventOf } from './event-contract.ts';

export type PageRow = {
  id: string;
  organizationId: string;
  requestId: string;
  kind: 'team' | 'person';
  teamId: string | null;
  userId: string | null;
  title: string;
  text: string;
  sourceUrl: string | null;
  urgency: Urgency;
  state: PageState;
  round: number;
  replyCode: string;
  raisedBy: string | null;
  createdAt: Temporal.Instant;
  /** The page expires at the end of this round. */
  lastRound: number;
  /** When the newest trigger of its dedup key was received; null without a dedup key. */
  lastTriggerAt: Temporal.Instant | null;
  acknowledgedAt: Temporal.Instant | null;
  acknowledgedBy: string | null;
  /** The id of the page source that acknowledged it. */
  acknowledgedBySource: string | null;
  resolvedAt: Temporal.Instant | null;
  resolvedBy: string | null;
  /** When the acknowledgement times out or the snooze ends; null: never. */
  remindAt: Temporal.Instant | null;
};

/** The clause of `insertPagesTail` that returns the rows of the new pages. */
export const NEW_PAGES = sql`new_pages`;

/**
 * The tail of the accepting statement: it writes the page, its first step and its first event in the same commit. `again`:
 * the page was accepted before a failover of the database, and people may already have been notified. `ran`: the events of first steps
 * that are done in the same statement; null if these steps are due.
 */
export function insertPagesTail(
  clock: Clock,
  again: boolean,
  ran: readonly PageAndEvent[] | null = null,
): RawBuilder<unknown> {
  const raised = sql`
    select organization_id, "row"->>'id' as page_id, ${clock.sql} as at, 'raised' as kind, "row"->>'raised_by' as user_id,
      case when ("row"->>'drill')::boolean then '{"drill": true}'::jsonb else '{}'::jsonb end as data, 0 as n
    from winners`;
  return sql`
    new_pages as (
      insert into pages (id, organization_id, request_id, kind, team_id, user_id, title, text, source_url, urgency,
        state, reply_code, raised_by, created_at, drill)
      select "row"->>'id', organization_id, request_id, "row"->>'kind', "row"->>'team_id', "row"->>'user_id',
        "row"->>'title', "row"->>'text', "row"->>'source_url', "row"->>'urgency', 'notifying', "row"->>'reply_code',
        "row"->>'raised_by', ${clock.sql}, coalesce(("row"->>'drill')::boolean, false)
      from winners
      returning *
    ), new_steps as (
      insert into page_steps (organization_id, page_id, round, kind, due_at, state, done_at, may_repeat, turn_of, turn_rank)
      select organization_id, "row"->>'id', 1, case "row"->>'kind' when 'team' then 'stage' else 'person' end, ${clock.sql},
        ${sql.lit(ran ? 'done' : 'due')}, ${ran ? clock.sql : sql`null`},
        ${again}::boolean, ${turnColumns(sql`"row"->>'team_id'`, sql`"row"->>'user_id'`, sql`"row"->>'urgency'`)}
      from winners
    ), new_events as (
      insert into page_events (organization_id, page_id, at, kind, user_id, data)
      select organization_id, page_id, at, kind, user_id, data from (${followedBy(raised, ran)}) events
    ), ${insertAgainTail(clock)}`;
}

/**
 * The first events of the pages of the clause `NEW_PAGES`. `raised` selects those with which they begin, with 0 as `n`, and `ran`
 * are the events of first steps, which come behind them.
 */
export function followedBy(
  raised: RawBuilder<unknown>,
  ran: readonly PageAndEvent[] | null,
): RawBuilder<unknown> {
  if (!ran) return raised;
  return sql`${raised} union all select p.organization_id, page_id, at, t.kind, t.user_id, data, n from ${eventInput(ran)}
    join ${NEW_PAGES} p on p.id = t.page_id order by n`;
}

/** A page as `insertPagesTail` writes it. `row` has the columns of the page that are not always the same. */
export function newPage(
  { requestId, organizationId, row }: Pick<Acceptance, 'requestId' | 'organizationId' | 'row'>,
  at: Temporal.Instant,
): PageRow {
  const text = (name: string) => (typeof row[name] === 'string' ? row[name] : null);
  return {
    id: String(row.id),
    organizationId,
    requestId,
    kind: row.kind === 'team' ? 'team' : 'person',
    teamId: text('team_id'),
    userId: text('user_id'),
    title: String(row.title),
    text: String(row.text),
    sourceUrl: text('source_url'),
    urgency: row.urgency as Urgency,
    state: 'notifying',
    round: 1,
    replyCode: String(row.reply_code),
    raisedBy: text('raised_by'),
    createdAt: at,
    lastRound: MAX_ROUNDS,
    lastTriggerAt: null,
    acknowledgedAt: null,
    acknowledgedBy: null,
    acknowledgedBySource: null,
    resolvedAt: null,
    resolvedBy: null,
    remindAt: null,
  };
}

/** The page's row, locked until the end of the transaction, so that changes to one page happen one after the other. */
export async function lockPage(tx: Tx, pageId: string): Promise<PageRow | null> {
  const row = await tx
    .selectFrom('pages')
    .selectAll()
    .where('id', '=', pageId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ? pageRow(row) : null;
}

/** A row of `pages` as a `PageRow`. */
export function pageRow(row: Selectable<Pages>): PageRow {
  return {
    id: row.id,
    organizationId: row.organization_id,
    requestId: row.request_id,
    kind: row.kind,
    teamId: row.team_id,
    userId: row.user_id,
    title: row.title,
    text: row.text,
    sourceUrl: row.source_url,
    urgency: row.urgency,
    state: row.state,
    round: row.round,
    replyCode: row.reply_code,
    raisedBy: row.raised_by,
    createdAt: row.created_at,
    lastRound: row.last_round,
    lastTriggerAt: row.last_trigger_at,
    acknowledgedAt: row.acknowledged_at,
    acknowledgedBy: row.acknowledged_by,
    acknowledgedBySource: row.acknowledged_by_source,
    resolvedAt: row.resolved_at,
    resolvedBy: row.resolved_by,
    remindAt: row.remind_at,
  };
}

export type PageEvent = { at: Temporal.Instant; userId?: string | null } & PageEventOf<PageEventKind>;

export type PageAndEvent = { page: { id: string; organizationId: string }; event: PageEvent };

/** The statement that adds events to the timelines of pages; none for no events. */
export function addingEvents(events: readonly PageAndEvent[]): RawBuilder<unknown>[] {
  if (events.length === 0) return [];
  const statement = sql`
    insert into page_events (organization_id, page_id, at, kind, user_id, data)
    select organization_id, page_id, at, kind, user_id, data from ${eventInput(events)}`;
  return [statement];
}

/** Events as rows of `t`, numbered from 1 in their order. */
function eventInput(events: readonly PageAndEvent[]): RawBuilder<unknown> {
  const input = JSON.stringify(
    events.map(({ page, event }, index) => ({
      n: index + 1,
      organization_id: page.organizationId,
      page_id: page.id,
      at: event.at,
      kind: event.kind,
      user_id: event.userId ?? null,
      data: event.data,
    })),
  );
  return sql`jsonb_to_recordset(${input}::jsonb) as t(
    n integer, organization_id text, page_id text, at timestamptz, kind text, user_id text, data jsonb)`;
}

export async function addEvent(tx: Tx, page: PageAndEvent['page'], event: PageEvent): Promise<void> {
  for (const statement of addingEvents([{ page, event }])) await statement.execute(tx);
}

export async function markAcknowledged(
  tx: Tx,
  pageId: string,
  at: Temporal.Instant,
  { userId, via, source }: Actor,
  remindAt: Temporal.Instant | null,
): Promise<void> {
  await tx
    .updateTable('pages')
    .set({
      state: 'acknowledged',
      acknowledged_at: at,
      acknowledged_by: userId,
      acknowledged_via: via,
      acknowledged_by_source: source?.id ?? null,
      acknowledged_as: source?.as ?? null,
      remind_at: remindAt,
    })
    .where('id', '=', pageId)
    .execute();
}

export async function markResolved(
  tx: Tx,
  pageId: string,
  at: Temporal.Instant,
  { userId, source }: Actor,
): Promise<void> {
  await tx
    .updateTable('pages')
    .set({
      state: 'resolved',
      resolved_at: at,
      resolved_by: userId,
      resolved_by_source: source?.id ?? null,
      resolved_as: source?.as ?? null,
    })
    .where('id', '=', pageId)
    .execute();
}

/**
 * Makes an answered page notify again, starting with `round` and with as many rounds as a new page has. Reports keep its
 * first acknowledgement.
 */
export async function markNotifyingAgain(tx: Tx, page: PageRow, round: number): Promise<PageRow> {
  const row = await tx
    .updateTable('pages')
    .set((eb) => ({
      state: 'notifying',
      round,
      last_round: round + MAX_ROUNDS - 1,
      first_acknowledged_at: eb.fn.coalesce('first_acknowledged_at', 'acknowledged_at'),
      first_acknowledged_by: eb
        .case()
        .when('first_acknowledged_at', 'is', null)
        .then(eb.ref('acknowledged_by'))
        .else(eb.ref('first_acknowledged_by'))
        .end(),
      ...UNANSWERED,
    }))
    .where('id', '=', page.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return pageRow(row);
}

const UNRESOLVED = { resolved_at: null, resolved_by: null, resolved_by_source: null, resolved_as: null };
const UNANSWERED = {
  ...UNRESOLVED,
  acknowledged_at: null,
  acknowledged_by: null,
  acknowledged_via: null,
  acknowledged_by_source: null,
  acknowledged_as: null,
  remind_at: null,
};

/** Changes the texts of a page. Texts that are not given stay. */
export async function setWords(
  tx: Tx,
  pageId: string,
  words: { title?: string; text?: string },
): Promise<void> {
  await tx.updateTable('pages').set(words).where('id', '=', pageId).execute();
}

/** Changes the urgency of a page, and so the place of its steps within the turn of its team. */
export async function setUrgency(tx: Tx, pageId: string, urgency: Urgency): Promise<void> {
  await tx.updateTable('pages').set({ urgency }).where('id', '=', pageId).execute();
  const rank = turnRank(sql`${urgency}::text`);
  await sql`update page_steps set turn_rank = ${rank} where page_id = ${pageId} and state = 'due'`.execute(
    tx,
  );
}

/** The people who were notified in the current round of a page and have not turned out to be unreachable. */
export async function reachedInRound(db: Handle, page: Pick<PageRow, 'id' | 'round'>): Promise<string[]> {
  const rows = await db
    .selectFrom('responders')
    .select('user_id')
    .where('page_id', '=', page.id)
    .where('round', '=', page.round)
    .where('unreachable_at', 'is', null)
    .where('kind', '<>', 'expired')
    .groupBy('user_id')
    .orderBy((eb) => eb.fn.min('id'))
    .execute();
  return rows.map((row) => row.user_id);
}

/** One person whom a step of a page notified. */
export type Notified = { userId: string; kind: ResponderKind; stage: number | null; round: number };

/** Everybody whom a page has notified, with the step that did it. */
export async function notifiedOf(db: Handle, pageId: string): Promise<Notified[]> {
  return db
    .selectFrom('responders')
    .select(['user_id as userId', 'kind', 'stage', 'round'])
    .where('page_id', '=', pageId)
    .execute();
}

/** Undoes an answer: the page returns to `state` and stays in its round. */
export async function markUndone(tx: Tx, pageId: string, state: PageState): Promise<void> {
  await tx
    .updateTable('pages')
    .set({ state, ...(state === 'notifying' ? UNANSWERED : UNRESOLVED) })
    .where('id', '=', pageId)
    .execute();
}

/** The state of a page before it was last acknowledged or resolved; null when no event recorded it. */
export async function stateBeforeAnswer(tx: Tx, pageId: string): Promise<PageState | null> {
  const { rows } = await sql<{ state: PageState | null }>`
    select data ->> 'from' as state from page_events
    where page_id = ${pageId} and kind in ('acknowledged', 'resolved') order by id desc limit 1`.execute(tx);
  return rows[0]?.state ?? null;
}

/** The highest round with a step. */
export async function lastPlannedRound(tx: Tx, pageId: string): Promise<number> {
  const { rows } = await sql<{ round: number }>`
    select coalesce(max(round), 0) as round from page_steps where page_id = ${pageId}`.execute(tx);
  return rows[0]?.round ?? 0;
}

export async function markExpired(tx: Tx, pageId: string, at: Temporal.Instant): Promise<void> {
  await tx.updateTable('pages').set({ state: 'expired', expired_at: at }).where('id', '=', pageId).execute();
}

/** Whether a person was added to an acknowledged page and has not answered. */
export async function isAddedSince(db: Handle, page: Pick<PageRow, 'id'>, userId: string): Promise<boolean> {
  const { rows } = await sql<{ added: boolean }>`
    select exists (
      select from responders r join pages p on p.id = r.page_id
      where p.id = ${page.id} and r.user_id = ${userId} and ${addedSinceSql()}) as added`.execute(db);
  return rows[0]?.added === true;
}

/**
 * Whether `r`, a row of `responders`, was added to its page after the page was last acknowledged, and has not answered. The
 * order of the events decides, because the clock of the database may have been set back in between.
 */
export function addedSinceSql(): RawBuilder<boolean> {
  return sql`(r.kind = 'added' and exists (
    select from page_events e where e.page_id = r.page_id and e.kind = 'added' and e.data -> 'people' ? r.user_id
      and not exists (select from page_events later where later.page_id = r.page_id and later.id > e.id
        and (later.kind = 'acknowledged' or later.kind = 'joined' and later.user_id = r.user_id))))`;
}

/**
 * Reassigns a page that was sent to one person. If several people get it, `userId` is the first of them, and `assigneesOf`
 * returns them all.
 */
export async function giveToPerson(tx: Tx, pageId: string, userId: string): Promise<void> {
  await tx.updateTable('pages').set({ user_id: userId }).where('id', '=', pageId).execute();
}

/** Reassigns a page to a team. */
export async function giveToTeam(tx: Tx, pageId: string, teamId: string): Promise<void> {
  await tx.updateTable('pages').set({ kind: 'team', team_id: teamId }).where('id', '=', pageId).execute();
}

/** The team of the source that raised a page; null if no source did. */
export async function teamOfSource(db: Handle, pageId: string): Promise<string | null> {
  const row = await db
    .selectFrom('pages as p')
    .innerJoin('webhooks as w', 'w.id', 'p.source_id')
    .select('w.team_id')
    .where('p.id', '=', pageId)
    .executeTakeFirst();
  return row?.team_id ?? null;
}

/** The highest stage of the latest round in which any stage was notified; null when none was. */
export async function lastStageEver(tx: Tx, pageId: string): Promise<number | null> {
  const row = await tx
    .selectFrom('responders')
    .select('stage')
    .where('page_id', '=', pageId)
    .where('stage', 'is not', null)
    .orderBy('round', 'desc')
    .orderBy('stage', 'desc')
    .executeTakeFirst();
  return row?.stage ?? null;
}

/**
 * The people to whom each of these pages was last reassigned, without those who are disabled. A page has none after it was
 * given to a team or escalated. A page to a person that repeats another page has the people of that one.
 */
export async function assigneesOf(
  db: Handle,
  pageIds: readonly string[],
): Promise<Map<string, [string, ...string[]]>> {
  if (pageIds.length === 0) return new Map();
  const { rows } = await sql<{ pageId: string; userIds: [string, ...string[]] }>`
    with recursive line as (
      select id as page_id, id as member, kind, 0 as depth from pages where id = any(${[...pageIds]}::text[])
      union all
      select line.page_id, again.former_page_id, line.kind, line.depth + 1
      from line join pages_again again on again.page_id = line.member
      where line.kind = 'person' and line.depth < ${MOST_REPEATS}
    ), last as (
      select distinct on (line.page_id) line.page_id, e.kind, e.data
      from line join page_events e on e.page_id = line.member and e.kind in ('reassigned', 'escalated')
      order by line.page_id, line.depth, e.id desc
    )
    select last.page_id as "pageId", array_agg(u.id order by given.position) as "userIds"
    from last cross join lateral jsonb_array_elements_text(last.data -> 'people') with ordinality as given(user_id, position)
    join users u on u.id = given.user_id and u.disabled_at is null
    where last.kind = 'reassigned' group by last.page_id`.execute(db);
  return new Map(rows.map(({ pageId, userIds }) => [pageId, userIds]));
}

/** How many pages are followed back, each of which repeats the one before. */
const MOST_REPEATS = 20;

/** The highest stage that was notified in this round, null when none was. */
export async function lastStageNotified(tx: Tx, pageId: string, round: number): Promise<number | null> {
  const row = await tx
    .selectFrom('responders')
    .select((eb) => eb.fn.max('stage').as('stage'))
    .where('page_id', '=', pageId)
    .where('round', '=', round)
    .executeTakeFirst();
  return row?.stage ?? null;
}

/**
 * Whether somebody who was notified in the same step as this responder, or later, can still answer. A person who was added has the
 * step before, or the beginning of the round.
 */
export async function stepReachable(tx: Tx, responderId: number): Promise<boolean> {
  // Later people have a greater number, but an earlier time if the clock of the database was set back meanwhile.
  const { rows } = await sql<{ reachable: boolean }>`
    select exists (
      select from responders r
      cross join lateral (
        select coalesce(max(s.id) filter (where s.kind <> 'added'), min(s.id)) as id
        from responders s where s.page_id = r.page_id and s.round = r.round and s.id <= r.id) before
      join responders step on step.id = before.id
      join responders same on same.page_id = r.page_id
        and (same.id >= step.id or same.round = step.round and same.started_at = step.started_at)
      where r.id = ${responderId} and same.unreachable_at is null) as reachable`.execute(tx);
  return rows[0]?.reachable ?? false;
}

/** Whether somebody who was notified of a page in this round, or in any if it is null, can still answer. */
export async function anyoneReachable(tx: Tx, pageId: string, round: number | null): Promise<boolean> {
  const { rows } = await sql<{ reachable: boolean }>`
    select exists (
      select from responders where page_id = ${pageId} and unreachable_at is null
        and (${round}::integer is null or round = ${round})) as reachable`.execute(tx);
  return rows[0]?.reachable ?? false;
}

/** Who last acknowledged or resolved a page, and when. */
export async function pageHandledBy(
  tx: Handle,
  pageId: string,
): Promise<{ by: string | null; at: Temporal.Instant | null }> {
  const row = await tx
    .selectFrom('pages as p')
    .leftJoin('users as a', 'a.id', 'p.acknowledged_by')
    .leftJoin('users as r', 'r.id', 'p.resolved_by')
    .select([
      'p.acknowledged_at',
      'p.resolved_at',
      'p.expired_at',
      'a.name as acknowledger',
      'r.name as resolver',
    ])
    .where('p.id', '=', pageId)
    .executeTakeFirst();
  if (!row) return { by: null, at: null };
  if (row.acknowledged_at) return { by: row.acknowledger, at: row.acknowledged_at };
  return { by: row.resolver, at: row.resolved_at ?? row.expired_at };
}

/**
 * Completes the accepting statement: it records which former page each new page repeats, and adds the event to that
 * page's timeline.
 */
function insertAgainTail(clock: Clock): RawBuilder<unknown> {
  return sql`
    new_again as (
      insert into pages_again (organization_id, page_id, former_page_id, raised_at)
      select organization_id, "row"->>'id', "row"->>'again_of', ${clock.sql} from winners
      where "row"->>'again_of' is not null
    ), new_again_events as (
      insert into page_events (organization_id, page_id, at, kind, user_id, data)
      select organization_id, "row"->>'again_of', ${clock.sql}, 'paged_again', "row"->>'raised_by',
        jsonb_build_object('page_id', "row"->>'id')
      from winners where "row"->>'again_of' is not null
    )`;
}

/**
 * Locks the page until the end of the transaction, so that two people who page again at the same time raise only one
 * page.
 */
export async function holdAgain(tx: Tx, pageId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK.pageAgain}, hashtext(${pageId}))`.execute(tx);
}

/** The values of `turn_rank`: within the turn of a team, high urgency goes before medium, and medium before low. */
export const TURN_RANKS = [0, 1, 2] as const;

/**
 * The columns `turn_of, turn_rank` of a page's waiting work, from SQL expressions for its team, person and urgency. A
 * page of a team waits in the turn of the team, any other in that of its person.
 */
export function turnColumns(
  teamId: RawBuilder<unknown>,
  userId: RawBuilder<unknown>,
  urgency: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`coalesce(${teamId}, ${userId}), ${turnRank(urgency)}`;
}

const RANKS: Readonly<Record<Urgency, (typeof TURN_RANKS)[number]>> = { high: 0, medium: 1, low: 2 };

/** The value of `turn_rank` of an urgency. */
export function turnRankOf(urgency: Urgency): number {
  return RANKS[urgency];
}

/** The same for an SQL expression. */
function turnRank(urgency: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case ${urgency} when 'high' then ${sql.lit(RANKS.high)} when 'medium' then ${sql.lit(RANKS.medium)} else ${sql.lit(RANKS.low)} end`;
}
