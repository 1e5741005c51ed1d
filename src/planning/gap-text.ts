import { apartText, otherOf } from '../schedules/apart.ts';
import { aloneText } from '../schedules/companions.ts';
import { elsewhereRestText, elsewhereText } from '../schedules/elsewhere.ts';
import { exceededText } from '../schedules/limits-text.ts';
import { NOT_PLANNED } from '../schedules/person-times.ts';
import type { Because, PlannedShift, Reason, Skipped } from '../schedules/planner.ts';
import { contradictionText, localTime } from './solver/contradiction-text.ts';

export type GapText = {
  stage: number;
  startsAt: Temporal.Instant;
  endsAt: Temporal.Instant;
  /** Why nobody can take it: `nobody can take stage 1 from … to …: Ada is away until …`. */
  sentence: string;
};

type Zone = { timeZone: string; restMs: number };
type Names = ReadonlyMap<string, string>;

/** Gaps, each with the reason why nobody can take it. `names`: by user id. */
export function gapTexts(gaps: readonly PlannedShift[], names: Names, zone: Zone): GapText[] {
  return gaps.map(({ stage, from, to, reason }) => ({
    stage,
    startsAt: Temporal.Instant.fromEpochMilliseconds(from),
    endsAt: Temporal.Instant.fromEpochMilliseconds(to),
    sentence: gapSentence({ stage, from, to }, reason, names, zone),
  }));
}

export function gapSentence(
  gap: { stage: number; from: number; to: number },
  reason: Reason | null,
  names: Names,
  zone: Zone,
): string {
  const nameOf = (userId: string) => names.get(userId) ?? 'somebody who left';
  if (reason?.contradiction) return contradictionText(reason.contradiction, { ...zone, nameOf });
  const when = `from ${localTime(gap.from, zone)} to ${localTime(gap.to, zone)}`;
  const facts = (reason?.skipped ?? []).map((one) => `${nameOf(one.user_id)} ${whyNot(one, nameOf, zone)}`);
  const why = facts.length > 0 ? facts.join('; ') : 'the stage has no members';
  return `nobody can take stage ${gap.stage} ${when}: ${why}`;
}

/** Why a person could not take a shift, after their name. */
export function whyNot(
  refusal: Omit<Skipped, 'user_id'>,
  nameOf: (userId: string) => string,
  { timeZone, restMs }: Zone,
): string {
  const { because, limit, elsewhere } = refusal;
  if (because === 'limit') return exceededText(limit);
  if (because === 'junior' || because === 'apart') return apartText(because, nameOf(otherOf(refusal) ?? ''));
  if (because === 'alone') return aloneText({ ...refusal, because, with: refusal.with ?? [] }, nameOf);
  if (elsewhere && because === 'rest') return elsewhereRestText(elsewhere, timeZone, restMs);
  return elsewhere ? elsewhereText(elsewhere, timeZone) : WHY[because];
}

const WHY: Record<Exclude<Because, 'limit' | 'junior' | 'apart' | 'alone'>, string> = {
  ...NOT_PLANNED,
  unavailable: 'is away',
  rest: 'would have too little rest',
  busy: 'has another stage at that time',
  needed: 'is the only one for another stage at that time',
  seated: 'is on call in this stage already',
  elsewhere: 'has a shift of another schedule at that time',
};
