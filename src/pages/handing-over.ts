import type { Tx } from '../db/database.ts';
import type { Means } from '../people/reachability.ts';
import { type ActionResult, type ActionServices, act, type Via } from './actions.ts';
import { type Recipient, stepAbove, stepAfterPeople } from './escalation.ts';
import { readLadder } from './ladder.ts';
import { beginRound } from './reopening.ts';
import { scheduleSteps } from './step-store.ts';
import { addEvent, giveToPerson, giveToTeam, lastStageEver, type PageRow } from './store.ts';
import { nextState } from './transitions.ts';

export type Actor = { userId: string | null; via: Via };
export type Assignee = { userIds: readonly string[] } | { team: { id: string; name: string } };

/** Takes an acknowledged page to the stage above the one that was notified last, as if nobody had answered there. */
export async function escalateAcknowledged(
  services: ActionServices & { means: Means },
  pageId: string,
  { userId, via }: Actor,
): Promise<ActionResult> {
  return act(services, pageId, async (tx, page, at) => {
    if (!nextState(page.state, 'escalate') || page.teamId === null) return false;
    const last = await lastStageEver(tx, page.id);
    const again = await beginRound(tx, services, page, at);
    const team = { organizationId: page.organizationId, teamId: page.teamId };
    const ladder = await readLadder(tx, services.means, team, at);
    await scheduleSteps(tx, [{ page: again, step: stepAbove(ladder, last, again).step, dueAt: at }]);
    await addEvent(tx, page, { at, kind: 'escalated', userId, data: { via } });
    return true;
  });
}

/**
 * Gives a page to other people, or to another team. What was to come of it ends: people have it until they answer, and then
 * its own ladder begins; a team's ladder begins at once.
 */
export async function reassignPage(
  services: ActionServices,
  pageId: string,
  to: Assignee,
  { userId, via }: Actor,
): Promise<ActionResult> {
  return act(services, pageId, async (tx, page, at, after) => {
    if (page.state !== 'notifying' && !nextState(page.state, 'reassign')) return false;
    const next = await beginRound(tx, services, page, at);
    if ('team' in to) {
      await giveToTeam(tx, page.id, to.team.id);
      const step = { kind: 'stage', stage: null, round: next.round } as const;
      await scheduleSteps(tx, [{ page: next, step, dueAt: at }]);
    } else after(await giveToPeople(tx, services, next, { userIds: to.userIds, by: userId }, at));
    const data = 'team' in to ? { people: [], team: to.team, via } : { people: to.userIds, via };
    await addEvent(tx, page, { at, kind: 'reassigned', userId, data });
    return true;
  });
}

async function giveToPeople(
  tx: Tx,
  services: ActionServices,
  page: PageRow,
  { userIds, by }: { userIds: readonly string[]; by: string | null },
  at: Temporal.Instant,
): Promise<() => void> {
  const recipients = userIds.map(
    (userId): Recipient => ({ userId, kind: 'added', stage: null, why: { reason: 'reassigned', by } }),
  );
  const started = await services.notifier.start(tx, [{ page, recipients, type: 'page.notification' }], at);
  const [first] = userIds;
  // A page to one person is theirs from now on: what follows asks them, and not the person who gave it away.
  if (page.kind === 'person' && first !== undefined) await giveToPerson(tx, page.id, first);
  const { step, afterMs } = stepAfterPeople(page, started.runs[0]?.lastAfterMs ?? 0);
  await scheduleSteps(tx, [{ page, step, dueAt: at.add({ milliseconds: afterMs }) }]);
  return started.send;
}
