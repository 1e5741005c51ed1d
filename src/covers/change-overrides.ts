import { Fault } from '../kit/fault.ts';
import { parseInstant } from '../kit/instant.ts';
import type { Interval } from '../kit/interval.ts';
import { t } from '../language/contract.ts';
import { type Acting, lockRota, settleAfter } from './acting.ts';
import type { ChangesBody } from './api-contract.ts';
import { notifyOfMoves } from './notify-of-moves.ts';
import { changesBetween, mustLeaveNobodyDoubled, put, takeBack } from './override.ts';
import { type Done, onlyManagers } from './take.ts';

type Stretch = Interval & { stage: number };

/**
 * Removes and adds overrides of a schedule together: all of them or none. People are notified of the difference in the
 * end, so a person whose override only grows gets no notice that they lost it. @returns the ids of the added overrides,
 * in the order of `add` @throws Fault `conflict` with the first rule that the change breaks
 */
export async function changeOverrides(
  acting: Acting,
  scheduleId: string,
  { remove = [], add = [] }: ChangesBody,
): Promise<Done & { added: string[] }> {
  const before = await lockRota(acting, scheduleId);
  if (!before.manages)
    throw onlyManagers(
      t("is managed by the team's managers, admins and owners; ask one of them to move shifts"),
    );
  if (remove.length + add.length === 0)
    throw new Fault('invalid_request', [
      { field: 'add', message: t('is empty, as is remove; name an override to add or to remove') },
    ]);
  const warnings: string[] = [];
  const stretches: Stretch[] = [];
  for (const id of remove) {
    const taken = await takeBack(acting, await lockRota(acting, scheduleId), id);
    warnings.push(...taken.warnings);
    stretches.push(taken.override);
  }
  const added: string[] = [];
  for (const body of add) {
    const done = await put(acting, await lockRota(acting, scheduleId), body);
    warnings.push(...done.warnings);
    added.push(done.overrideId);
    stretches.push(stretchOf(body, acting.at.epochMilliseconds));
  }
  const after = await lockRota(acting, scheduleId);
  const changed = byStage(stretches);
  for (const stretch of changed) await mustLeaveNobodyDoubled(acting, before.roster, after.roster, stretch);
  const moves = changed.flatMap((stretch) => changesBetween(before.roster, after, stretch));
  await notifyOfMoves(acting, before, moves);
  await settleAfter(acting, [scheduleId]);
  return { message: t('The shifts were changed.'), warnings: [...new Set(warnings)], added };
}

/** What an override that was just added covers; its times were checked. */
function stretchOf(body: { stage: number; starts_at: string; ends_at: string }, now: number): Stretch {
  const from = Math.max(parseInstant(body.starts_at)?.epochMilliseconds ?? now, now);
  return { stage: body.stage, from, to: parseInstant(body.ends_at)?.epochMilliseconds ?? from };
}

/** One stretch for each stage, around all of its stretches. */
function byStage(stretches: readonly Stretch[]): Stretch[] {
  return [...Map.groupBy(stretches, ({ stage }) => stage)].map(([stage, all]) => ({
    stage,
    from: Math.min(...all.map(({ from }) => from)),
    to: Math.max(...all.map(({ to }) => to)),
  }));
}
