import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseAway } from '../db/away.ts';
import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { createRotation } from '../db/turns.ts';
import type { Log } from '../kit/log.ts';
import { createRecentMap } from '../kit/recent-map.ts';
import { CHANNELS, type ChannelName } from '../notifications/channels/contract.ts';
import { claimDeliveries } from '../notifications/claim.ts';
import { leaseOwners, releaseForgotten, releaseLeases } from '../notifications/outcome-store.ts';
import type { Sender } from '../notifications/sender.ts';
import { runDueReminders } from '../pages/reminders.ts';
import { runDueSteps, runFailedStep, type StepServices } from '../pages/steps.ts';
import { callOwners, releaseCalls } from '../webhooks/call-store.ts';
import { createClockSteps } from './clock-step.ts';
import { repeating } from './repeating.ts';
import { createStandBack } from './stand-back.ts';
import { findDueWork, nodeIsGone } from './store.ts';

const POLL_MS = 250;
/** An unknown lease of this node that is older than this is not one that is just being committed. */
const FORGOTTEN_AFTER_MS = 2_000;
const STEP_WORKERS = 1;
const STEP_LIMIT = 200;
const REMINDER_LIMIT = 20;
/** Of more pages whose reminders fail, the failures of those that failed longest ago are forgotten. */
const MOST_FAILED_REMINDERS = 10_000;
const WAITING_LIMIT = 100;
const CLAIM_LIMIT = 100;
/** The pause after a look for calls of others that found none. */
const OTHERS_MS = 25;

/** Work of the steps that a look finds and a page never wakes. */
const NOTHING = { failedSteps: false, reminders: false, waitingPages: false };

export type EngineServices = StepServices & {
  db: Database;
  clock: Clock;
  log: Log;
  /** This node's number; 0 while it is not registered and may not lease anything. */
  nodeId(): number;
  /** False while nodes without a lock may be reconnecting. */
  mayTakeOver(): boolean;
  /**
   * True until the open pages of this process's lifeboat have landed: its work on them is not in this database yet, and would be
   * done again.
   */
  holdsBack(): boolean;
  /** True until everything in lifeboats has landed. Calls and waiting pages of sources keep the order of their events. */
  holdsCalls(): boolean;
  sender: Sender;
  /** Called when the database accepts no writes: disconnects from it and returns the error to throw. */
  readOnly(): Error;
  /** Handles received webhook calls and returns their number. Awaits `standBack` between batches. */
  processCalls(limit: number, standBack: () => Promise<void>): Promise<number>;
  /** Processes calls that should not wait for a batch of `processCalls`. Returns how many there were. */
  processCallsOfOthers(): Promise<number>;
  /** Sends all-clears of one channel that are due, and returns whether there may be more. */
  sendAllClears(channel: ChannelName): Promise<boolean>;
  /** Raises pages of sources whose wait is over, and returns how many were due. */
  raiseWaiting(limit: number): Promise<number>;
};

/**
 * Runs due steps, sends due deliveries, turns webhook calls into moments, and takes over from nodes that died. It decides from
 * rows alone; waking it only makes it look sooner.
 */
export type Engine = {
  start(): void;
  /** There is a step to run. */
  wake(): void;
  /**
   * Whether a process that accepts pages may also run their first steps: this one works on pages, and no others wait for
   * it.
   */
  mayRunSteps(): boolean;
  /** There are webhook calls to handle. */
  wakeCalls(): void;
  /** There are all-clears to send on these channels. */
  wakeAllClears(channels: readonly ChannelName[]): void;
  /** Works until nothing is due or in progress. For tests that move the clock. */
  drain(): Promise<void>;
  /** Milliseconds since it last looked for due work successfully; null before the first time. */
  lookedMsAgo(): number | null;
  stop(): Promise<void>;
};

export function createEngine(services: EngineServices): Engine {
  const { db, clock, log, nodeId, sender } = services;
  let stopping = false;
  let rarer = { ...NOTHING };
  const failedReminders = createRecentMap<string, number>(MOST_FAILED_REMINDERS);
  const [stepTurns, deliveryTurns] = [createRotation(), createRotation()];
  const steps = repeating(STEP_WORKERS, () => stopping, runSteps);
  const deliveries = repeating(1, () => stopping, runDeliveries);
  const notifications = repeating(1, () => stopping, runNotifications);
  const notificationsOfOthers = repeating(1, () => stopping, runNotificationsOfOthers);
  // Each channel by itself, so that a provider that hangs does not delay the others.
  const allClears = new Map(
    CHANNELS.map((channel) => [
      channel,
      repeating(
        1,
        () => stopping,
        () => services.sendAllClears(channel),
      ),
    ]),
  );
  const standBack = createStandBack(() => Promise.all([steps.idle(), deliveries.idle()]));
  const clockSteps = createClockSteps(services);
  let timer: NodeJS.Timeout | undefined;
  let lastTakenUp = performance.now();
  let lookedAt: number | null = null;

  /** A new page only needs its step to be claimed: what becomes due by itself is found by looking. */
  async function runSteps(): Promise<boolean> {
    if (services.holdsBack()) return false;
    const due = rarer;
    rarer = { ...NOTHING };
    // A failure of the rarer work must not stop the steps.
    if (due.reminders)
      rarer.reminders = await isSome(runDueReminders(services, REMINDER_LIMIT, failedReminders)).catch(
        reportAndGoOn,
      );
    if (due.waitingPages && !services.holdsCalls())
      rarer.waitingPages = await isSome(services.raiseWaiting(WAITING_LIMIT)).catch(reportAndGoOn);
    const more = await runDueSteps(services, STEP_LIMIT, stepTurns);
    // One failed step after each batch of healthy ones, so that failing steps never delay other pages.
    if (due.failedSteps) rarer.failedSteps = await runFailedStep(services, stepTurns);
    return more || Object.values(rarer).includes(true);
  }

  async function isSome(count: Promise<number>): Promise<boolean> {
    return (await count) > 0;
  }

  async function runDeliveries(): Promise<boolean> {
    if (nodeId() === 0 || services.holdsBack()) return false;
    if (!(await sender.room())) return false;
    const { ids, more } = await claimDeliveries(db, clock, nodeId(), {
      limit: CLAIM_LIMIT,
      dashboardsOnly: false,
      except: sender.full(),
      rotation: deliveryTurns,
    });
    sender.dispatch(ids);
    return more;
  }

  async function runNotifications(): Promise<boolean> {
    if (services.holdsCalls()) return false;
    return (await services.processCalls(500, standBack)) > 0;
  }

  async function runNotificationsOfOthers(): Promise<boolean> {
    if (services.holdsCalls()) return false;
    if ((await services.processCallsOfOthers()) > 0) return true;
    // Every accepted call of a storm makes it look again.
    await delay(OTHERS_MS);
    return false;
  }

  /** Wakes the work on calls. While that works on a batch, calls of others are looked for beside it. */
  function beginNotifications(): Promise<void> | null {
    return notifications.begin() ?? notificationsOfOthers.begin();
  }

  /** Returns whether there is work that can be claimed again. */
  async function takeOver(): Promise<boolean> {
    let some = false;
    for (const owner of services.mayTakeOver() ? await owners() : []) {
      const released = await db.transaction().execute((tx) => releaseAllOf(tx, owner));
      if (released > 0) log.warn({ owner, released }, 'took over the work of a node that has ended');
      some ||= released > 0;
    }
    if (!clockSteps.leasesCount()) return some;
    const expired = await db.transaction().execute((tx) => releaseLeases(tx, clock, null));
    if (expired > 0) log.warn({ expired }, 'took over deliveries whose lease expired');
    return some || expired > 0;
  }

  /** Other nodes that have leased deliveries or claimed calls that page. */
  async function owners(): Promise<Set<number>> {
    return new Set([...(await leaseOwners(db, nodeId())), ...(await callOwners(db, nodeId()))]);
  }

  async function releaseAllOf(tx: Tx, owner: number): Promise<number> {
    if (!(await nodeIsGone(tx, owner))) return 0;
    return (await releaseLeases(tx, clock, owner)) + (await releaseCalls(tx, clock, owner));
  }

  /** Releases leases that were committed although their connection broke before this node learned of it. */
  async function takeUpForgotten(): Promise<void> {
    if (nodeId() === 0 || !clockSteps.leasesCount() || performance.now() - lastTakenUp < FORGOTTEN_AFTER_MS)
      return;
    lastTakenUp = performance.now();
    const count = await releaseForgotten(db, clock, nodeId(), sender.inHand(), FORGOTTEN_AFTER_MS);
    if (count > 0)
      log.warn({ count }, 'released deliveries whose lease was committed when a connection broke');
  }

  /** Starts the work that is due. Each promise resolves when no work of its kind is left. */
  async function look(): Promise<Promise<void>[]> {
    const requestedAt = performance.now();
    const due = await findDueWork(db, clock, nodeId());
    if (due.readOnly) throw services.readOnly();
    lookedAt = performance.now();
    if (services.holdsBack()) return [];
    if (await clockSteps.follow(due.now, requestedAt).catch(reportAndGoOn)) return look();
    // A failure to take over leases must not stop the other work.
    const tookOver = due.leases && (await takeOver().catch(reportAndGoOn));
    await takeUpForgotten().catch(report);
    const work: Promise<void>[] = [];
    rarer.failedSteps ||= due.failedSteps;
    rarer.reminders ||= due.reminders;
    const waitingPages = due.waitingPages && !services.holdsCalls();
    rarer.waitingPages ||= waitingPages;
    if (due.steps || due.reminders || waitingPages) work.push(steps.run());
    if (due.deliveries || tookOver) work.push(deliveries.run());
    for (const channel of due.allClears) work.push(allClears.get(channel)?.run() ?? Promise.resolve());
    if ((due.notifications || tookOver) && !services.holdsCalls()) {
      if (notifications.isRunning) notificationsOfOthers.begin()?.catch(report);
      work.push(notifications.run());
    }
    return work;
  }

  /** Does not wait for the work that it starts, so that a busy queue does not delay the others. */
  async function lookAndGoOn(): Promise<void> {
    try {
      for (const work of await look()) work.catch(report);
    } catch (error) {
      report(error);
    }
  }

  function poll(): void {
    timer = setTimeout(async () => {
      await lookAndGoOn();
      if (!stopping) poll();
    }, POLL_MS);
  }

  function reportAndGoOn(error: unknown): false {
    report(error);
    return false;
  }

  function report(error: unknown): void {
    if (isDatabaseAway(error)) log.warn({ err: error }, 'the database is away; retrying shortly');
    else log.error({ err: error }, 'the engine failed and will retry shortly');
  }

  return {
    start() {
      void lookAndGoOn();
      poll();
    },
    wake() {
      if (!stopping) steps.begin()?.catch(report);
    },
    mayRunSteps() {
      const works = !stopping && nodeId() > 0 && !services.holdsBack();
      return works && !steps.isRunning && sender.hasRoom();
    },
    wakeCalls() {
      if (!stopping) beginNotifications()?.catch(report);
    },
    wakeAllClears(channels) {
      if (!stopping) for (const channel of channels) allClears.get(channel)?.begin()?.catch(report);
    },
    async drain() {
      const all = [steps, deliveries, notifications, notificationsOfOthers, ...allClears.values()];
      for (let begun = 1; begun > 0 || sender.busy > 0 || all.some(({ isRunning }) => isRunning); ) {
        // What was woken.
        await Promise.all(all.map((one) => one.idle()));
        await sender.idle();
        const work = await look();
        await Promise.all(work);
        await sender.idle();
        begun = work.length;
      }
    },
    lookedMsAgo: () => (lookedAt === null ? null : performance.now() - lookedAt),
    async stop() {
      stopping = true;
      clearTimeout(timer);
      sender.pause();
      await Promise.allSettled(
        [steps, deliveries, notifications, notificationsOfOthers, ...allClears.values()].map((one) =>
          one.idle(),
        ),
      );
      await sender.stop();
    },
  };
}
