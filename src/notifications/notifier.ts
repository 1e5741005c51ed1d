import type { Clock } from '../db/clock.ts';
import type { Tx } from '../db/database.ts';
import { together } from '../db/together.ts';
import { newId } from '../kit/typeid.ts';
import { UNDO_SECONDS } from '../pages/contract.ts';
import type { Notifier, Prepared, RecipientGroup, RunsStarted, Storing } from '../pages/notifier.ts';
import { findNotifiable, type Notifiable } from '../people/contact-store.ts';
import { type PlannedNotification, planNotifications } from '../people/rules.ts';
import { queueAllClears } from './all-clears/store.ts';
import type { ChannelName } from './channels/channel.ts';
import { heldUntil, type Recent, UNLIMITED } from './limits.ts';
import { type OutgoingRow, outgoingOf } from './outcome-store.ts';
import { failOverSince } from './outcomes.ts';
import {
  cancelDeliveries,
  findRecent,
  LEASE_MS,
  lockPeople,
  type NewDelivery,
  type NewRun,
  type NotifiedBefore,
  notifiedBefore,
  type Responder,
  recentName,
  resumeDeliveries,
  startingRuns,
  startingRunsTail,
} from './store.ts';

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
  async function prepare(
    tx: Tx,
    groups: readonly RecipientGroup[],
    at: Temporal.Instant,
    known: readonly Notifiable[],
  ): Promise<Prepared> {
    const people = new Map(known.map((person) => [person.userId, person]));
    const unknown = recipientIdsOf(groups).filter((id) => !people.has(id));
    const [before, found] = await together(tx, [
      (side) =>
        notifiedBefore(
          side,
          groups.filter(({ isFirst }) => !isFirst),
        ),
      (side) => findNotifiable(side, unknown),
    ]);
    for (const [id, person] of found) people.set(id, person);
    const runs = runsOf(groups, before).map(({ responder, group }) =>
      planRun(responder, group, people.get(responder.userId), at, services),
    );
    const ofGroups = Map.groupBy(runs, ({ group }) => group);
    return {
      runs: groups.map((group) => startedFor(ofGroups.get(group) ?? [], earlierOf(group, before))),
      storing: (into) => store(into, runs, at),
    };
  }

  async function store(tx: Tx, runs: readonly Run[], at: Temporal.Instant): Promise<Storing> {
    await holdBack(tx, runs, at);
    const leaving = runs.flatMap(({ deliveries }) =>
      deliveries.filter(({ leaseOwner }) => leaseOwner !== null).map(({ id }) => id),
    );
    const lease = { at, until: at.add({ milliseconds: LEASE_MS }) };
    return {
      statements: () => startingRuns(runs, lease),
      tail: (newPages) => (runs.length > 0 ? startingRunsTail(runs, lease, newPages) : null),
      read: leaving.length > 0 ? outgoingOf(services.clock, leaving, services.node()) : null,
      send: (rows) => services.dispatch(leaving, rows as readonly OutgoingRow[] | null),
    };
  }

  return {
    prepare,
    async start(tx, groups, at) {
      const { runs, storing } = await prepare(tx, groups, at, []);
      const { statements, send } = await storing(tx);
      await together(
        tx,
        statements().map((one) => (side: Tx) => one.execute(side)),
      );
      return { runs, send: () => send(null) };
    },
    cancel: cancelDeliveries,
    resume: resumeDeliveries,
    failOver: failOverSince,
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
type Run = NewRun & { group: RecipientGroup; planned: PlannedNotification[] };

/** The people to notify, each once for a step, without those whom the same step has notified `before`. */
function runsOf(
  groups: readonly RecipientGroup[],
  before: readonly NotifiedBefore[],
): { responder: Responder; group: RecipientGroup }[] {
  const seen = new Set(before.map((responder) => runName(responder, responder.round)));
  return groups.flatMap((group) =>
    group.recipients.flatMap((recipient) => {
      const responder = { pageId: group.page.id, ...recipient };
      const name = runName(responder, group.page.round);
      return !seen.has(name) && seen.add(name) ? [{ responder, group }] : [];
    }),
  );
}

/** Those of a group whom the same step has notified `before`. */
function earlierOf(
  { page, recipients }: RecipientGroup,
  before: readonly NotifiedBefore[],
): NotifiedBefore[] {
  if (before.length === 0) return [];
  const names = new Set(
    recipients.map((recipient) => runName({ pageId: page.id, ...recipient }, page.round)),
  );
  return before.filter((responder) => names.has(runName(responder, responder.round)));
}

function runName({ pageId, userId, kind, stage }: Responder, round: number): string {
  return `${pageId} ${userId} ${kind} ${stage} ${round}`;
}

type Lessor = Pick<NotifierServices, 'node' | 'fullFor'>;

function planRun(
  responder: Responder,
  group: RecipientGroup,
  person: Notifiable | undefined,
  at: Temporal.Instant,
  services: Lessor,
): Run {
  const { organizationId, round } = group.page;
  const planned = person ? planFor(person, group) : [];
  const deliveries = planned.map((one) => newDelivery(group, person, one, at, services));
  return { responder, organizationId, round, group, planned, deliveries };
}

function planFor(person: Notifiable, { page, type }: RecipientGroup): PlannedNotification[] {
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
  group: RecipientGroup,
  person: Notifiable | undefined,
  planned: PlannedNotification,
  at: Temporal.Instant,
  services: Lessor,
): NewDelivery {
  const node = services.node();
  const method = person?.methods.find(({ id }) => id === planned.methodId);
  const { organizationId, teamId, userId } = group.page;
  const full = services.fullFor(planned.channel, organizationId, teamId ?? userId ?? '');
  const here = planned.channel !== 'browser' || (person?.dashboardNodes.includes(node) ?? false);
  return {
    id: newId('delivery'),
    type: group.type,
    methodId: planned.methodId,
    channel: planned.channel,
    address: method?.value ?? 'open dashboard',
    rule: planned.rule,
    dueAt: at.add({ milliseconds: planned.afterMs }),
    held: false,
    repeat: planned.afterMs === 0 && (group.mayRepeat ?? false),
    leaseOwner: planned.afterMs === 0 && node > 0 && here && !full ? node : null,
  };
}

/** Postpones deliveries that exceed a rate limit. */
async function holdBack(tx: Tx, runs: readonly Run[], at: Temporal.Instant): Promise<void> {
  const limited = runs.flatMap(({ responder: { userId }, deliveries }) =>
    deliveries
      .filter(({ leaseOwner, channel }) => leaseOwner !== null && !UNLIMITED.includes(channel))
      .map((delivery) => ({ userId, delivery })),
  );
  if (limited.length === 0) return;
  const userIds = [...new Set(limited.map(({ userId }) => userId))];
  await lockPeople(tx, userIds);
  const recent = await findRecent(tx, userIds, at, []);
  for (const { userId, delivery } of limited) {
    const until = heldUntil(delivery.channel, recent.get(recentName(userId, delivery.channel)));
    if (until === null) count(recent, userId, delivery.channel, at);
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

function startedFor(runs: readonly Run[], earlier: readonly NotifiedBefore[]): RunsStarted {
  const unreachable = runs.filter(isUnreachable).map(({ responder }) => responder.userId);
  return {
    userIds: runs.map(({ responder }) => responder.userId),
    unreachable,
    canAnswer: runs.length > unreachable.length || earlier.some(({ isReachable }) => isReachable),
    lastAfterMs: Math.max(0, ...runs.flatMap(({ planned }) => planned.map(({ afterMs }) => afterMs))),
  };
}
