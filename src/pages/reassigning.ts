import type { Tx } from '../db/database.ts';
import { type ActionResult, type ActionServices, act } from './actions.ts';
import { type Actor, acted } from './actor.ts';
import { type Recipient, stepAfterPeople } from './escalation.ts';
import { beginRound } from './reopening.ts';
import { scheduleSteps } from './step-store.ts';
import { addEvent, giveToPerson, giveToTeam, type PageRow } from './store.ts';
import { nextState } from './transitions.ts';
import { goOn } from './unreachable.ts';

export type Assignee = { userIds: readonly string[] } | { team: { id: string; name: string } };

/**
 * Reassigns a page to other people or to another team, and cancels its pending steps and deliveries. The escalation of a
 * team starts at once; people are notified in each round until one of them answers.
 */
export async function reassignPage(
  services: ActionServices,
  pageId: string,
  to: Assignee,
  actor: Actor,
): Promise<ActionResult> {
  return act(services, pageId, async (tx, page, at, after) => {
    if (page.state !== 'notifying' && !nextState(page.state, 'reassign')) return false;
    const next = await beginRound(tx, services, page, at);
    const change = 'team' in to ? { people: [], team: to.team } : { people: to.userIds };
    await addEvent(tx, page, {
      at,
      kind: 'reassigned',
      userId: actor.userId,
      data: { ...acted(actor), ...change },
    });
    if ('team' in to) {
      await giveToTeam(tx, page.id, to.team.id);
      const step = { kind: 'stage', stage: null, round: next.round } as const;
      await scheduleSteps(tx, [{ page: next, step, dueAt: at }]);
    } else after(await giveToPeople(tx, services, next, { userIds: to.userIds, by: actor.userId }, at));
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
  // A page to one person now belongs to the new person, whom the following steps notify.
  if (page.kind === 'person' && first !== undefined) await giveToPerson(tx, page.id, first);
  const [run] = started.runs;
  const { step, afterMs } = stepAfterPeople(page, run?.lastAfterMs ?? 0);
  await scheduleSteps(tx, [{ page, step, dueAt: at.add({ milliseconds: afterMs }) }]);
  if (!run?.canAnswer) await goOn(tx, page, at);
  return started.send;
}
