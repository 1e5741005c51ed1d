import { isDatabaseAway } from '../db/away.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../kit/log.ts';
import { claimDeliveries } from '../notifications/claim.ts';
import { leaseOwners, releaseForgotten, releaseLeases } from '../notifications/outcome-store.ts';
import type { Sender } from '../notifications/sender.ts';
import { runDueReminders } from '../pages/reminders.ts';
import { runDueSteps, type StepServices } from '../pages/steps.ts';
import { createClockSteps } from './clock-step.ts';
import { repeating } from './repeating.ts';
import { createStandBack } from './stand-back.ts';
import { findDueWork, nodeIsGone } from './store.ts';

const POLL_MS = 250;
/** A lease that this node does not know of is no race with its own commit any more after that time. */
const FORGOTTEN_AFTER_MS = 2_000;
const STEP_WORKERS = 1;
const STEP_LIMIT = 100;
const REMINDER_LIMIT = 20;
const CLAIM_LIMIT = 100;

export type EngineServices = StepServices & {
  db: Database;
  clock: Clock;
  log: Log;
  /** This node's number; 0 while it is not registered and may not lease anything. */
  nodeId(): number;
  /** False while nodes that nobody shows to be alive may be on their way back. */
  mayTakeOver(): boolean;
  sender: Sender;
  /** The database was found to take no writes: leaves it; returns the error to fail with. */
  readOnly(): Error;
  /** Handles received webhook calls; returns how many. Awaits `standBack` between its batches. */
  processCalls(limit: number, standBack: () => Promise<void>): Promise<number>;
};

/**
 * What makes pages go on: runs due steps, sends due deliveries, turns webhook calls into moments, and takes over from
 * nodes that died. It decides from rows alone; being woken only makes it look sooner.
 */
export type Engine = {
  start(): void;
  /** There is a step to run. */
  wake(): void;
  /** There are webhook calls to handle. */
  wakeCalls(): void;
  /** Works until nothing is due and nothing is under way: for stories that own the clock. */
  drain(): Promise<void>;
  /** Since it last looked for due work and the database answered; null before it did. */
  lookedMsAgo(): number | null;
  stop(): Promise<void>;
};

export function createEngine(services: EngineServices): Engine {
  const { db, clock, log, nodeId, sender } = services;
  let stopping = false;
  const steps = repeating(STEP_WORKERS, () => stopping, runSteps);
  const deliveries = repeating(1, () => stopping, runDeliveries);
  const notifications = repeating(1, () => stopping, runNotifications);
  const standBack = createStandBack(() => Promise.all([steps.idle(), deliveries.idle()]));
  const clockSteps = createClockSteps(services);
  let timer: NodeJS.Timeout | undefined;
  let lastTakenUp = performance.now();
  let lookedAt: number | null = null;

  async function runSteps(): Promise<boolean> {
    const reminded = await runDueReminders(services, REMINDER_LIMIT);
    return (await runDueSteps(services, STEP_LIMIT)) + reminded > 0;
  }

  async function runDeliveries(): Promise<boolean> {
    if (nodeId() === 0) return false;
    if (!(await sender.room())) return false;
    const { ids, more } = await claimDeliveries(db, clock, nodeId(), {
      limit: CLAIM_LIMIT,
      dashboardsOnly: false,
      except: sender.full(),
    });
    sender.dispatch(ids);
    return more;
  }

  async function runNotifications(): Promise<boolean> {
    return (await services.processCalls(500, standBack)) > 0;
  }

  async function takeOver(): Promise<void> {
    for (const owner of services.mayTakeOver() ? await leaseOwners(db, nodeId()) : []) {
      const released = await db
        .transaction()
        .execute(async (tx) => ((await nodeIsGone(tx, owner)) ? releaseLeases(tx, clock, owner) : 0));
      if (released > 0) log.warn({ owner, released }, 'took over deliveries of a node that is gone');
    }
    if (!clockSteps.leasesCount()) return;
    const expired = await db.transaction().execute((tx) => releaseLeases(tx, clock, null));
    if (expired > 0) log.warn({ expired }, 'took over deliveries whose lease ran out');
  }

  /** When a connection breaks during a commit, nobody here hears that it went through. */
  async function takeUpForgotten(): Promise<void> {
    if (nodeId() === 0 || !clockSteps.leasesCount() || performance.now() - lastTakenUp < FORGOTTEN_AFTER_MS)
      return;
    lastTakenUp = performance.now();
    const count = await releaseForgotten(db, clock, nodeId(), sender.inHand(), FORGOTTEN_AFTER_MS);
    if (count > 0) log.warn({ count }, 'took up deliveries whose lease was committed without our knowing');
  }

  /** Begins what is due; the promises end when there is no more of each. */
  async function look(): Promise<Promise<void>[]> {
    const askedAt = performance.now();
    const due = await findDueWork(db, clock, nodeId());
    if (due.readOnly) throw services.readOnly();
    lookedAt = performance.now();
    if (await clockSteps.follow(due.now, askedAt).catch(reportAndGoOn)) return look();
    // What keeps leases from being taken over keeps nothing else from being done.
    if (due.leases) await takeOver().catch(report);
    await takeUpForgotten().catch(report);
    const work: Promise<void>[] = [];
    if (due.steps) work.push(steps.run());
    if (due.deliveries) work.push(deliveries.run());
    if (due.notifications) work.push(notifications.run());
    return work;
  }

  /** Never waits for the work that it begins: a busy queue must not keep the others from being looked at. */
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
    if (isDatabaseAway(error)) log.warn({ err: error }, 'the database is away; looking again shortly');
    else log.error({ err: error }, 'the engine met an error; looking again shortly');
  }

  return {
    start() {
      void lookAndGoOn();
      poll();
    },
    wake() {
      if (!stopping) steps.begin()?.catch(report);
    },
    wakeCalls() {
      if (!stopping) notifications.begin()?.catch(report);
    },
    async drain() {
      let begun: Promise<void>[];
      do {
        await Promise.all([steps.run(), deliveries.run(), notifications.run()]);
        await sender.idle();
        begun = await look();
        await Promise.all(begun);
      } while (begun.length > 0);
      await sender.idle();
    },
    lookedMsAgo: () => (lookedAt === null ? null : performance.now() - lookedAt),
    async stop() {
      stopping = true;
      clearTimeout(timer);
      sender.pause();
      await Promise.allSettled([steps.idle(), deliveries.idle(), notifications.idle()]);
      await sender.stop();
    },
  };
}
