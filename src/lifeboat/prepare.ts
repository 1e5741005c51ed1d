import type { Aboard, Row } from './aboard-store.ts';

/** The main database's knowledge about the rows that land. */
export type Known = {
  organizations: ReadonlySet<string>;
  teams: ReadonlySet<string>;
  users: ReadonlySet<string>;
  methods: ReadonlySet<string>;
  /** Page sources. */
  webhooks: ReadonlySet<string>;
  /** Pages that have already landed: the earlier landing was interrupted, or the main database accepted them first. */
  pages: ReadonlySet<string>;
  /** By the id of a landing page: the page of the main database with the same cause, which continues. */
  sameAs: ReadonlyMap<string, string>;
};

export type Landing = Aboard & {
  /** Pages that end as duplicates; `kept` continues. */
  duplicates: { page: Row; kept: string }[];
  /** Pages whose team or person was deleted. */
  homeless: Row[];
};

type Facts = { at: string; node: string; copiedAt: string };

/**
 * Marks all unfinished work as a possible repeat. If the landing is interrupted, both databases have it, and either may
 * do it first. Waiting pages are assigned to this lifeboat, so that the main database marks them until it has landed.
 */
export function marked(landing: Landing, lifeboat: string | null): Landing {
  return {
    ...landing,
    page_steps: landing.page_steps.map((row) => (row.state === 'due' ? { ...row, may_repeat: true } : row)),
    deliveries: landing.deliveries.map((row) =>
      UNSENT.includes(row.state) ? { ...row, repeat: true } : row,
    ),
    waiting_pages: landing.waiting_pages.map((row) => ({ ...row, lifeboat })),
  };
}

/** The rows that `marked` marks: none of them is a repeat once the landing is complete. */
export function unmarkable({ page_steps, deliveries }: Aboard): { pages: string[]; deliveries: string[] } {
  const steps = page_steps.filter((row) => row.state === 'due' && row.may_repeat !== true);
  const unsent = deliveries.filter(
    ({ state, repeat }) => (state === 'waiting' || state === 'retrying') && repeat !== true,
  );
  return { pages: steps.map((row) => String(row.page_id)), deliveries: unsent.map(id) };
}

/**
 * The rows as the main database can accept them. Pages whose team or person was deleted are removed, references to
 * other deleted rows become null, and duplicates end. Rows of deleted organizations are dropped.
 */
export function prepare(aboard: Aboard, known: Known, facts: Facts): Landing {
  const here = (row: Row) => known.organizations.has(String(row.organization_id));
  const requests = aboard.requests.filter(here);
  const all = aboard.pages.filter(here);
  const homeless = all.filter((page) => !hasRecipient(page, known));
  const pages = all.filter((page) => hasRecipient(page, known));
  const kept = new Map(
    pages.flatMap((page) => {
      const same = known.pages.has(id(page)) ? undefined : known.sameAs.get(id(page));
      return same === undefined ? [] : [[id(page), same] as const];
    }),
  );
  const landing = new Set(pages.map(id));
  const ofPage = (row: Row) => landing.has(String(row.page_id));
  const ends = (row: Row) => kept.has(String(row.page_id));
  const responders = aboard.responders.filter((row) => ofPage(row) && known.users.has(String(row.user_id)));
  const whose = new Set(responders.map(id));
  const deliveries = aboard.deliveries
    .filter((row) => ofPage(row) && whose.has(String(row.responder_id)))
    .map((row) => deliveryOf(row, known, ends(row) ? facts.at : null));
  const sent = new Set(deliveries.map(id));
  return {
    requests,
    idempotency_keys: aboard.idempotency_keys.filter(here),
    pages: pages.map((page) => pageOf(page, known, kept.has(id(page)) ? facts.at : null)),
    page_steps: aboard.page_steps
      .filter(ofPage)
      .map((row) =>
        ends(row) && row.state === 'due' ? { ...row, state: 'cancelled', done_at: facts.at } : row,
      ),
    page_events: [
      ...pages.map((page) => standByEvent(page, facts)),
      ...aboard.page_events.filter(ofPage).map((row) => ({ ...row, user_id: still(row.user_id, known) })),
    ],
    responders,
    deliveries,
    delivery_attempts: aboard.delivery_attempts
      .filter((row) => sent.has(String(row.delivery_id)))
      // The number of a node in the lifeboat's database means nothing in the main one.
      .map((row) => ({ ...row, node: 0 })),
    request_pages: aboard.request_pages.filter(here),
    pages_again: aboard.pages_again.filter(ofPage),
    all_clears: aboard.all_clears.filter((row) => sent.has(String(row.delivery_id))),
    received_notifications: aboard.received_notifications
      .filter((row) => here(row) && known.webhooks.has(String(row.webhook_id)))
      .map(callOf),
    webhook_deliveries: aboard.webhook_deliveries.filter(({ webhook_id }) =>
      known.webhooks.has(String(webhook_id)),
    ),
    waiting_pages: aboard.waiting_pages.filter(
      (row) => here(row) && known.webhooks.has(String(row.source_id)),
    ),
    lifeboat_waiting: aboard.lifeboat_waiting,
    page_ends: aboard.page_ends,
    duplicates: pages.flatMap((page) => {
      const same = kept.get(id(page));
      return same === undefined ? [] : [{ page, kept: same }];
    }),
    homeless,
  };
}

/**
 * A call that was not processed is due now. The number of the node that had claimed it means nothing in the main
 * database.
 */
function callOf(row: Row): Row {
  const free = { ...row, claimed_by: null };
  return row.state === 'queued' ? { ...free, due_at: row.received_at } : free;
}

function id(row: Row): string {
  return String(row.id);
}

function hasRecipient({ team_id, user_id }: Row, { teams, users }: Known): boolean {
  return (team_id === null || teams.has(String(team_id))) && (user_id === null || users.has(String(user_id)));
}

function still(userId: unknown, { users }: Pick<Known, 'users'>): string | null {
  return typeof userId === 'string' && users.has(userId) ? userId : null;
}

/**
 * The row of a page as the main database can accept it. `endsAt`: the page ends then, as a duplicate. Null: it
 * continues.
 */
export function pageOf(page: Row, known: Pick<Known, 'users'>, endsAt: string | null): Row {
  const row = {
    ...page,
    raised_by: still(page.raised_by, known),
    acknowledged_by: still(page.acknowledged_by, known),
    resolved_by: still(page.resolved_by, known),
  };
  if (endsAt === null || page.state === 'resolved') return row;
  return { ...row, state: 'resolved', resolved_at: endsAt, resolved_by: null, remind_at: null };
}

const UNSENT: readonly unknown[] = ['waiting', 'retrying', 'sending'];

function deliveryOf(row: Row, known: Known, endsAt: string | null): Row {
  const free = { ...row, lease_owner: null, lease_until: null };
  const delivery = {
    ...(row.state === 'sending' ? { ...free, state: 'waiting', repeat: true } : free),
    contact_method_id: known.methods.has(String(row.contact_method_id)) ? row.contact_method_id : null,
  };
  if (endsAt === null || !UNSENT.includes(row.state)) return delivery;
  return { ...delivery, state: 'cancelled', finished_at: endsAt };
}

function standByEvent(page: Row, { node, copiedAt }: Facts): Row {
  return {
    organization_id: page.organization_id,
    page_id: page.id,
    at: page.created_at,
    kind: 'stand_by',
    user_id: null,
    data: { node, copied_at: copiedAt },
  };
}
