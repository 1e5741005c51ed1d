import type { Tx } from '../db/database.ts';
import { newId } from '../kit/typeid.ts';
import type { Notifier, PageFacts, RunsStarted } from '../pages/notifier.ts';
import { type PlannedNotification, planNotifications } from '../people/rules.ts';
import type { ChannelName } from './channels/channel.ts';
import { heldUntil, LIMITS, type Recent, WINDOW_MS } from './limits.ts';
import {
  cancelDeliveries,
  findPeople,
  findRecent,
  insertDeliveries,
  insertResponders,
  lockPeople,
  markUnreachable,
  type NewDelivery,
  type Person,
  type Responder,
  recentName,
} from './store.ts';

/** How long a node's word about a delivery counts; every call to a provider ends well before. */
export const LEASE_MS = 30_000;

export type NotifierServices = {
  /** This node's number; 0 when it sends nothing itself. */
  node(): number;
  /** Sends deliveries that were leased to this node. */
  dispatch(deliveryIds: readonly string[]): void;
};

/** Begins and ends runs of people's notification rules. */
export function createNotifier(services: NotifierServices): Notifier {
  return {
    async start(tx, page, recipients, at, type) {
      const responders = recipients.length > 0 ? await insertResponders(tx, page, recipients, at) : [];
      const userIds = responders.map((responder) => responder.userId);
      if (userIds.length === 0) return { userIds, unreachable: [], lastAfterMs: 0, send: () => undefined };
      const people = await findPeople(tx, userIds);
      const runs = responders.map((responder) =>
        planRun(responder, people.get(responder.userId), page, type),
      );
      const deliveries = runs.flatMap((run) =>
        run.deliveries.map((delivery) => newDelivery(run, delivery, at, services.node())),
      );
      await holdBack(tx, deliveries, at);
      await insertDeliveries(tx, page, type, deliveries, { at, until: at.add({ milliseconds: LEASE_MS }) });
      const unreachable = runs.filter((run) => run.deliveries.length === 0).map((run) => run.responder);
      await markUnreachable(
        tx,
        unreachable.map((responder) => responder.id),
        at,
      );
      return started(userIds, unreachable, runs, deliveries, services);
    },
    cancel: cancelDeliveries,
  };
}

type Run = { responder: Responder; person: Person | undefined; deliveries: PlannedNotification[] };

function planRun(
  responder: Responder,
  person: Person | undefined,
  page: PageFacts,
  type: 'page.notification' | 'page.expired',
): Run {
  if (!person) return { responder, person, deliveries: [] };
  const planned = planNotifications(page.urgency, person.rules, person.methods);
  const possible = planned.filter(
    (notification) => notification.channel !== 'browser' || person.dashboardNodes.length > 0,
  );
  // That a page expired is news, not an alarm: it goes out once, and rings no phone later.
  const deliveries = type === 'page.expired' ? possible.filter(({ afterMs }) => afterMs === 0) : possible;
  return { responder, person, deliveries };
}

function newDelivery(
  run: Run,
  planned: PlannedNotification,
  at: Temporal.Instant,
  node: number,
): NewDelivery {
  const method = run.person?.methods.find(({ id }) => id === planned.methodId);
  const here = planned.channel !== 'browser' || (run.person?.dashboardNodes.includes(node) ?? false);
  return {
    id: newId('delivery'),
    responderId: run.responder.id,
    userId: run.responder.userId,
    methodId: planned.methodId,
    channel: planned.channel,
    address: method?.value ?? 'open dashboard',
    rule: planned.rule,
    dueAt: at.add({ milliseconds: planned.afterMs }),
    held: false,
    leaseOwner: planned.afterMs === 0 && node > 0 && here ? node : null,
  };
}

/** Puts off what a storm's limit does not let out now. */
async function holdBack(tx: Tx, deliveries: NewDelivery[], at: Temporal.Instant): Promise<void> {
  const limited = deliveries.filter(
    (delivery) => delivery.leaseOwner !== null && LIMITS[delivery.channel] !== null,
  );
  if (limited.length === 0) return;
  const userIds = [...new Set(limited.map((delivery) => delivery.userId))];
  await lockPeople(tx, userIds);
  const recent = await findRecent(tx, userIds, at.subtract({ milliseconds: WINDOW_MS }));
  for (const delivery of limited) {
    const until = heldUntil(delivery.channel, recent.get(recentName(delivery.userId, delivery.channel)));
    if (until === null) count(recent, delivery.userId, delivery.channel, at);
    else Object.assign(delivery, { held: true, dueAt: until, leaseOwner: null });
  }
}

/** One more leaves at `at`. */
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

function started(
  userIds: string[],
  unreachable: Responder[],
  runs: Run[],
  deliveries: NewDelivery[],
  services: NotifierServices,
): RunsStarted {
  const now = deliveries.filter((delivery) => delivery.leaseOwner !== null).map((delivery) => delivery.id);
  return {
    userIds,
    unreachable: unreachable.map((responder) => responder.userId),
    lastAfterMs: Math.max(0, ...runs.flatMap((run) => run.deliveries.map((delivery) => delivery.afterMs))),
    send: () => services.dispatch(now),
  };
}
