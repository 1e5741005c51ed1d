import { isDatabaseAway } from '../db/away.ts';
import type { Tx } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import type { RecentMap } from '../kit/recent-map.ts';
import { stored } from '../language/contract.ts';
import type { Means } from '../people/reachability.ts';
import { EXTENSION_MS, lastsMs } from './acknowledge-timeout.ts';
import { type ActionResult, type ActionServices, act } from './actions.ts';
import { assigned, firstStep } from './beginning.ts';
import { personGraceMs, type Recipient, type Step, stepAbove } from './escalation.ts';
import type { Via } from './event-contract.ts';
import { beginAgain, beginRound } from './reopening.ts';
import { dueReminders, isSnoozed, postponeReminder, scheduleSteps, setReminder } from './step-store.ts';
import type { StepServices } from './steps.ts';
import { addEvent, assigneesOf, lastStageEver, lockPage, type PageRow } from './store.ts';
import { MOST_FAILURES } from './stuck-step.ts';
import { readEscalation } from './team-escalation.ts';
import { nextState } from './transitions.ts';
import { goOn } from './unreachable.ts';

/** Delay before a failed reminder is retried. */
const RETRY_MS = 1_000;
const REPLACED = stored(
  'The person who acknowledged the page could not be notified again. The page begins a new round instead.',
);

/** Extends an acknowledgement by `minutes` from now, or by the usual timeout. It never ends earlier than before. */
export async function extendPage(
  services: ActionServices,
  pageId: string,
  minutes: number | null,
  by: { userId: string | null; via: Via },
): Promise<ActionResult> {
  return act(services, pageId, async (tx, page, at) => {
    if (page.state !== 'acknowledged') return false;
    const lasts = minutes === null ? ((await lastsMs(tx, page)) ?? EXTENSION_MS) : minutes * 60_000;
    const end = at.add({ milliseconds: lasts });
    const until = page.remindAt && Temporal.Instant.compare(page.remindAt, end) > 0 ? page.remindAt : end;
    await setReminder(tx, page.id, until);
    await addEvent(tx, page, {
      at,
      kind: 'extended',
      userId: by.userId,
      data: { via: by.via, until: instantText(until) },
    });
    return true;
  });
}

/** Snoozes an acknowledged page; afterwards it notifies the person who acknowledged it, and those to whom it was reassigned. */
export async function snoozePage(
  services: ActionServices,
  pageId: string,
  minutes: number,
  by: { userId: string | null; via: Via },
): Promise<ActionResult> {
  return act(services, pageId, async (tx, page, at) => {
    if (page.state !== 'acknowledged') return false;
    const until = at.add({ minutes });
    await setReminder(tx, page.id, until);
    await addEvent(tx, page, {
      at,
      kind: 'snoozed',
      userId: by.userId,
      data: { via: by.via, until: instantText(until) },
    });
    return true;
  });
}

/**
 * Notifies again for acknowledged pages whose timeout or snooze has ended, each in its own transaction: the person who
 * acknowledged the page, and the people to whom it was reassigned. Returns their number. A page that fails is postponed
 * without delaying the others, and begins again if it goes on failing. `failures`: how often each page has failed.
 */
export async function runDueReminders(
  services: StepServices,
  limit: number,
  failures: RecentMap<string, number>,
): Promise<number> {
  if (!(await services.notifier.room())) return 0;
  const due = await dueReminders(services.db, services.clock, limit);
  for (const pageId of due) {
    const failed = failures.get(pageId) ?? 0;
    try {
      await (failed < MOST_FAILURES ? remind(services, pageId) : beginInstead(services, pageId));
      failures.delete(pageId);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      services.log.error({ err: error, page: pageId }, 'a reminder failed and will be tried again');
      failures.set(pageId, failed + 1);
      await postponeReminder(services.db, services.clock, pageId, RETRY_MS);
    }
  }
  return due.length;
}

/** A page whose reminder is due, under a lock, because another node or a person may have changed it. */
async function lockDue(
  tx: Tx,
  { clock }: StepServices,
  pageId: string,
): Promise<{ page: PageRow; at: Temporal.Instant } | null> {
  const page = await lockPage(tx, pageId);
  const at = await clock.now(tx);
  if (!page?.remindAt || !nextState(page.state, 'remind')) return null;
  return Temporal.Instant.compare(page.remindAt, at) > 0 ? null : { page, at };
}

/**
 * Begins a new round by its first step, which is itself replaced if it keeps failing, so that a damaged schedule or person
 * does not leave the page acknowledged for ever.
 */
async function beginInstead(services: StepServices, pageId: string): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    const due = await lockDue(tx, services, pageId);
    if (!due) return;
    await beginAgain(tx, services, due.page, due.at);
    await addEvent(tx, due.page, { at: due.at, kind: 'failed', data: { message: REPLACED } });
  });
}

async function remind(services: StepServices, pageId: string): Promise<void> {
  const send = await services.db.transaction().execute(async (tx) => {
    const due = await lockDue(tx, services, pageId);
    if (!due) return null;
    const { page, at } = due;
    const snoozed = await isSnoozed(tx, page.id);
    const userId = page.acknowledgedBy;
    await addEvent(tx, page, { at, kind: 'reminded', userId, data: { snoozed } });
    // People who were added get notifications that are overdue because nothing ran for some time: the page is open, and
    // they were promised them.
    const again = await beginRound(tx, services, page, at, { dueAfter: at });
    const people = (await assigneesOf(tx, [page.id])).get(page.id) ?? [];
    if (userId === null && people.length === 0) {
      // A source acknowledged it, perhaps before the people on call had noticed the page.
      await scheduleSteps(tx, [{ page: again, step: await firstStep(tx, again), dueAt: at }]);
      return null;
    }
    const others = people.filter((id) => id !== userId).map(assigned);
    const recipients = userId === null ? others : [reminded(userId, snoozed), ...others];
    return notifyAgain(tx, services, again, recipients, at);
  });
  send?.();
}

function reminded(userId: string, snoozed: boolean): Recipient {
  const reason = snoozed ? 'snoozed until now' : 'the acknowledgement timed out';
  return { userId, kind: 'added', stage: null, why: { reason } };
}

/** Notifies people again, in the round of `page`. If none of them can be reached, the next step follows at once. */
export async function notifyAgain(
  tx: Tx,
  services: Pick<StepServices, 'notifier' | 'means'>,
  page: PageRow,
  recipients: readonly Recipient[],
  at: Temporal.Instant,
): Promise<() => void> {
  const started = await services.notifier.start(tx, [{ page, recipients, type: 'page.notification' }], at);
  const [run] = started.runs;
  const answers = run?.canAnswer ?? false;
  const notified = recipients.map(({ userId }) => userId);
  const next = await nextUnlessAnswered(
    tx,
    services.means,
    page,
    { notified, answers, lastAfterMs: run?.lastAfterMs ?? 0 },
    at,
  );
  const dueAt = answers ? at.add({ milliseconds: Math.round(next.afterMs) }) : at;
  await scheduleSteps(tx, [{ page, step: next.step, dueAt }]);
  // The page does not end yet if its source has a team.
  if (!answers && next.step.kind === 'expire') await goOn(tx, page, at);
  return started.send;
}

async function nextUnlessAnswered(
  tx: Tx,
  means: Means,
  page: PageRow,
  /** `answers`: at least one of them can be reached. */
  { notified, answers, lastAfterMs }: { notified: readonly string[]; answers: boolean; lastAfterMs: number },
  at: Temporal.Instant,
): Promise<{ step: Step; afterMs: number }> {
  const { round, urgency } = page;
  const end: Step = { kind: 'expire', stage: null, round };
  if (page.kind === 'person' || page.teamId === null) {
    const [people = [page.userId]] = (await assigneesOf(tx, [page.id])).values();
    const all = people.every((id) => id === null || notified.includes(id));
    const step: Step = all ? end : { kind: 'person', stage: null, round };
    return { step, afterMs: lastAfterMs + personGraceMs(urgency) };
  }
  const team = { organizationId: page.organizationId, teamId: page.teamId };
  const escalation = await readEscalation(tx, means, team, at);
  const { step, afterMs } = stepAbove(escalation, await lastStageEver(tx, page.id), { urgency, round });
  // A page of low urgency does not escalate, unless nobody who was notified again can answer it.
  return afterMs === null && answers
    ? { step: end, afterMs: personGraceMs(urgency) }
    : { step, afterMs: afterMs ?? 0 };
}
