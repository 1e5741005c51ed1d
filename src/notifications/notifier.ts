import type { Clock } from '../db/clock.ts';
import type { Tx } from '../db/database.ts';
import { together } from '../db/together.ts';
import { newId } from '../kit/typeid.ts';
import { UNDO_SECONDS } from '../pages/contract.ts';
import type { Notifier, Prepared, RecipientGroup, RunsStarted, Storing } from '../pages/notifier.ts';
import { type PlannedNotification, planNotifications } from '../people/rules.ts';
import { queueAllClears } from './all-clears/store.ts';
import type { ChannelName } from './channels/channel.ts';
import { heldUntil, type Recent, UNLIMITED } from './limits.ts';
import { type OutgoingRow, outgoingOf } from './outcome-store.ts';
import {
  cancelDeliveries,
  findPeople,
  findRecent,
  insertingDeliveries,
  insertResponders,
  lockPeople,
  markingUnreachable,
  type NewDelivery,
  type Person,
  type Responder,
  recentName,
  resumeDeliveries,
} from './store.ts';

/** How long a node holds a delivery. Every call to a provider ends well before. */
export const LEASE_MS = 30_000;

export type NotifierServices = {
  clock: Clock;
  /** This node's number; 0 when it sends nothing itself. */
  node(): number;
  /** Sends deliveries that were leased to this node. `read`: their rows, as read after the commit; null if they were not read. */
  dispatch(deliveryIds: readonly string[], read: readonly OutgoingRow[] | null): void;
  /** Whether a channel accepts no more leases for this team or person at the moment. */
  fullFor(channel: ChannelName, organizationId: string, turnOf: string): boolean;
  /**
   * All-clears were queued on these channels. Processes without a worker need not report that, because workers check
   * often.
   */
  wakeAllClears(channels: readonly ChannelName[]): void;
  /** Whether more deliveries may be leased; false while the sender stops. */
  room(): Promise<boolean>;
};

/** Begins and ends runs of people's notification rules. */
export function createNotifier(services: NotifierServices): Notifier {
  async function prepare(tx: Tx, groups: readonly RecipientGroup[], at: Temporal.Instant): Promise<Prepared> {
    const [responders, people] = await together(tx, [
      (side) => insertResponders(side, groups, at),
      (side) => findPeople(side, recipientIdsOf(groups)),
    ]);
    const runs = responders.flatMap((responder) => planRun(responder, people, groups));
    const deliveries = runs.flatMap((run) =>
      run.planned.map((planned) => newDelivery(run, planned, at, services)),
    );
    return {
      runs: groups.map((group) => startedFor(group, runs)),
      storing: (into) => store(into, runs, deliveries, at),
    };
  }

  async function store(
    tx: Tx,
    runs: readonly Run[],
    deliveries: NewDelivery[],
    at: Temporal.Instant,
  ): Promise<Storing> {
    await holdBack(tx, deliveries, at);
    const unreachable = runs.filter(isUnreachable).map(({ responder }) => responder.id);
    const leaving = deliveries.filter(({ leaseOwner }) => leaseOwner !== null).map(({ id }) => id);
    return {
      statements: [
        ...insertingDeliveries(deliveries, { at, until: at.add({ milliseconds: LEASE_MS }) }),
        ...markingUnreachable(unreachable, at),
      ],
      read: leaving.length > 0 ? outgoingOf(services.clock, leaving, services.node()) : null,
      send: (rows) => services.dispatch(leaving, rows as readonly OutgoingRow[] | null),
    };
  }

  return {
    prepare,
    async start(tx, groups, at) {
      const { runs, storing } = await prepare(tx, groups, at);
      const { statements, send } = await storing(tx);
      await together(
        tx,
        statements.map((one) => (side: Tx) => one.execute(side)),
      );
      return { runs, send: () => send(null) };
    },
    cancel: cancelDeliveries,
    resume: resumeDeliveries,
    async quietAllClear(tx, pageId, at) {
      await queueAllClears(tx, pageId, at, { silently: true, delayMs: (UNDO_SECONDS + 1) * 1_000 });
    },
    async allClear(tx, pageId, at) {
      const queued = await queueAllClears(tx, pageId, at);
      return { send: () => services.wakeAllClears(queued) };
    },
    room: services.room,
  };
}

function recipientIdsOf(groups: readonly RecipientGroup[]): string[] {
  return [...new Set(groups.flatMap(({ recipients }) => recipients.map(({ userId }) => userId)))];
}

/** One person's rules for one page. */
type Run = {
  responder: Responder;
  group: RecipientGroup;
  person: Person | undefined;
  planned: PlannedNotification[];
};

function planRun(
  responder: Responder,
  people: Map<string, Person>,
  groups: readonly RecipientGroup[],
): Run[] {
  const group = groups.find(({ page }) => page.id === responder.pageId);
  if (!group) return [];
  const person = people.get(responder.userId);
  return [{ responder, group, person, planned: person ? planFor(person, group) : [] }];
}

function planFor(person: Person, { page, type }: RecipientGroup): PlannedNotification[] {
  const planned = planNotifications(page.urgency, person.rules, person.methods);
  const possible = planned.filter(({ channel }) => channel !== 'browser' || person.dashboardNodes.length > 0);
  return type === 'page.expired' ? atOnce(possible) : possible;
}

/** A notification of expiry is sent once and at once, by the person's first rule, even if that rule usually waits. */
function atOnce(planned: readonly PlannedNotification[]): PlannedNotification[] {
  const byMethod = planned.filter(({ methodId }) => methodId !== null);
  const first = Math.min(...byMethod.map(({ afterMs }) => afterMs));
  return planned
    .filter(({ methodId, afterMs }) => methodId === null || afterMs === first)
    .map((one) => ({ ...one, afterMs: 0 }));
}

function newDelivery(
  run: Run,
  planned: PlannedNotification,
  at: Temporal.Instant,
  services: Pick<NotifierServices, 'node' | 'fullFor'>,
): NewDelivery {
  const node = services.node();
  const method = run.person?.methods.find(({ id }) => id === planned.methodId);
  const { organizationId, teamId, userId } = run.group.page;
  const full = services.fullFor(planned.channel, organizationId, teamId ?? userId ?? '');
  const here = planned.channel !== 'browser' || (run.person?.dashboardNodes.includes(node) ?? false);
  return {
    id: newId('delivery'),
    organizationId,
    pageId: run.group.page.id,
    type: run.group.type,
    responderId: run.responder.id,
    userId: run.responder.userId,
    methodId: planned.methodId,
    channel: planned.channel,
    address: method?.value ?? 'open dashboard',
    rule: planned.rule,
    dueAt: at.add({ milliseconds: planned.afterMs }),
    held: false,
    repeat: planned.afterMs === 0 && (run.group.mayRepeat ?? false),
    leaseOwner: planned.afterMs === 0 && node > 0 && here && !full ? node : null,
  };
}

/** Postpones deliveries that exceed a rate limit. */
async function holdBack(tx: Tx, deliveries: NewDelivery[], at: Temporal.Instant): Promise<void> {
  const limited = deliveries.filter(
    (delivery) => delivery.leaseOwner !== null && !UNLIMITED.includes(delivery.channel),
  );
  if (limited.length === 0) return;
  const userIds = [...new Set(limited.map((delivery) => delivery.userId))];
  await lockPeople(tx, userIds);
  const recent = await findRecent(tx, userIds, at);
  for (const delivery of limited) {
    const until = heldUntil(delivery.channel, recent.get(recentName(delivery.userId, delivery.channel)));
    if (until === null) count(recent, delivery.userId, delivery.channel, at);
    else Object.assign(delivery, { held: true, dueAt: until, leaseOwner: null });
  }
}

/** Records a notification that is sent at `at`. */
export function count(
  recent: Map<string, Recent>,
  userId: string,
  channel: ChannelName,
  at: Temporal.Instant,
): void {
  const name = recentName(userId, channel);
  const known = recent.get(name);
  recent.set(name, { count: (known?.count ?? 0) + 1, oldest: known?.oldest ?? at });
}

/** Whether no notification is planned for the person, not even in an open dashboard. */
function isUnreachable(run: Run): boolean {
  return run.planned.length === 0;
}

function startedFor(group: RecipientGroup, runs: readonly Run[]): RunsStarted {
  const mine = runs.filter((run) => run.group === group);
  return {
    userIds: mine.map(({ responder }) => responder.userId),
    unreachable: mine.filter(isUnreachable).map(({ responder }) => responder.userId),
    lastAfterMs: Math.max(0, ...mine.flatMap(({ planned }) => planned.map(({ afterMs }) => afterMs))),
  };
}
