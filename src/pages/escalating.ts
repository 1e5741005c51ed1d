import type { Tx } from '../db/database.ts';
import type { Means } from '../people/reachability.ts';
import { peopleById } from '../people/store.ts';
import { type ActionResult, type ActionServices, act } from './actions.ts';
import { type Actor, acted } from './actor.ts';
import type { Escalated } from './escalated.ts';
import { decideTeamStep, type Escalation, type Recipient, type Step, stepAbove } from './escalation.ts';
import { beginRound } from './reopening.ts';
import { finishSteps, hastenStep, nextStepOf, scheduleSteps } from './step-store.ts';
import { addEvent, lastStageEver, type Notified, notifiedOf, type PageRow } from './store.ts';
import { membersAlone, type PagedTeam, readEscalationOrMembers } from './team-escalation.ts';
import { nextState } from './transitions.ts';
import { stepAfterLastStage } from './unreachable.ts';

export type EscalationResult =
  | Exclude<ActionResult, { outcome: 'done' }>
  | (Extract<ActionResult, { outcome: 'done' }> & Escalated);

type Services = ActionServices & { means: Means };

/** Runs the next step of a page now, and returns whom it notifies. Notifications that have started continue. */
export async function escalatePage(
  services: Services,
  pageId: string,
  actor: Actor,
  deliveryId: string | null = null,
): Promise<EscalationResult> {
  return actAndSay(services, pageId, async (tx, page, at) => {
    if (page.state !== 'notifying' || page.teamId === null) return null;
    await addEvent(tx, page, {
      at,
      kind: 'escalated',
      userId: actor.userId,
      data: deliveryId === null ? acted(actor) : { ...acted(actor), delivery_id: deliveryId },
    });
    const step = await runNext(tx, page, at);
    return step ? sayWhom(tx, services, { ...page, teamId: page.teamId }, step, at) : NOBODY;
  });
}

/** Escalates an acknowledged page to the stage above the last notified one, in a new round. */
export async function escalateAcknowledged(
  services: Services,
  pageId: string,
  actor: Actor,
): Promise<EscalationResult> {
  return actAndSay(services, pageId, async (tx, page, at) => {
    if (!nextState(page.state, 'escalate') || page.teamId === null) return null;
    const last = await lastStageEver(tx, page.id);
    const again = await beginRound(tx, services, page, at);
    const escalation = await readEscalationOrMembers(
      tx,
      services.means,
      teamOf({ ...page, teamId: page.teamId }),
      at,
    );
    const { step } = stepAbove(escalation, last, again);
    await scheduleSteps(tx, [{ page: again, step, dueAt: at }]);
    await addEvent(tx, page, { at, kind: 'escalated', userId: actor.userId, data: acted(actor) });
    return sayWhom(tx, services, { ...again, teamId: page.teamId }, step, at);
  });
}

const NOBODY: Escalated = { people: [], again: false };

/** `change` returns null when it changed nothing. */
async function actAndSay(
  services: Services,
  pageId: string,
  change: (tx: Tx, page: PageRow, at: Temporal.Instant) => Promise<Escalated | null>,
): Promise<EscalationResult> {
  let said = NOBODY;
  const result = await act(services, pageId, async (tx, page, at) => {
    const escalated = await change(tx, page, at);
    said = escalated ?? NOBODY;
    return escalated !== null;
  });
  return result.outcome === 'done' ? { ...result, ...said } : result;
}

/** Makes the next step due now and returns it. Null if only the end of the page is left. */
async function runNext(tx: Tx, page: PageRow, at: Temporal.Instant): Promise<Step | null> {
  const next = await nextStepOf(tx, page.id);
  if (!next) return null;
  if (next.step.kind !== 'expire' && next.step.kind !== 'person') {
    await hastenStep(tx, page.id, at);
    return next.step;
  }
  // A page of low urgency does not escalate by itself and waits only for `expire`, so go to the stage after the last.
  // That step schedules the end again, so that the people whom it notifies have the usual time to answer. A page that
  // was reassigned to people goes back to its team.
  const step: Step =
    next.step.kind === 'expire'
      ? await stepAfterLastStage(tx, page)
      : { kind: 'stage', stage: null, round: page.round };
  const isScheduled = (await scheduleSteps(tx, [{ page, step, dueAt: at }])) > 0;
  if (!isScheduled) return null;
  await finishSteps(tx, [next], 'cancelled', at);
  return step;
}

type TeamPage = PageRow & { teamId: string };

function teamOf({ organizationId, teamId }: TeamPage): PagedTeam {
  return { organizationId, teamId };
}

/** The people whom a step would notify now, by the rule with which it will run. */
async function sayWhom(
  tx: Tx,
  { means }: Services,
  page: TeamPage,
  step: Step,
  at: Temporal.Instant,
): Promise<Escalated> {
  const escalation =
    step.kind === 'members'
      ? await membersAlone(tx, means, page.teamId)
      : await readEscalationOrMembers(tx, means, teamOf(page), at);
  const before = await notifiedOf(tx, page.id);
  const ids = whomItReaches(step, page, escalation, before).map(({ userId }) => userId);
  const people = await peopleById(tx, page.organizationId, ids);
  return {
    people: ids.flatMap((id) => people.get(id)?.name ?? []),
    again: ids.every((id) => before.some(({ userId }) => userId === id)),
  };
}

/** Steps that reach nobody continue with the next one at once. No page has more of them in a round. */
const MOST_STEPS = 20;

/**
 * The recipients of a step who can be reached and whom the same step has not notified yet. If there are none: those of
 * the next step.
 */
function whomItReaches(
  first: Step,
  page: PageRow,
  escalation: Escalation,
  before: readonly Notified[],
): Recipient[] {
  let step = first;
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const { notify, next } = decideTeamStep(step, page.urgency, escalation, page.lastRound);
    const { round } = step;
    const fresh = notify.filter(
      ({ userId, kind, stage }) =>
        !before.some(
          (one) => one.userId === userId && one.kind === kind && one.stage === stage && one.round === round,
        ),
    );
    const reached = fresh.filter(({ userId }) => canBeReached(escalation, userId));
    if (reached.length > 0) return reached;
    const mayAnswer = notify.length > 0 && fresh.length === 0;
    if (mayAnswer) return [];
    if (next.step.kind !== 'expire') step = next.step;
    // A round that began above the lowest stage continues there (`goOn`).
    else if (step.stage !== null && !before.some((one) => one.round === round))
      step = { kind: 'stage', stage: null, round };
    else return [];
  }
  return [];
}

function canBeReached({ stages, backstops, members }: Escalation, userId: string): boolean {
  const candidates = [...stages.flatMap(({ people }) => people), ...backstops];
  return members.includes(userId) || candidates.some((one) => one.userId === userId && one.reachable);
}
