import { t } from '../language/contract.ts';
import { apartText, otherOf } from '../schedules/apart.ts';
import { aloneText } from '../schedules/companions.ts';
import { elsewhereRestText, elsewhereText } from '../schedules/elsewhere.ts';
import { exceededText } from '../schedules/limits-text.ts';
import { isNotPlanned, type NotPlanned, notPlannedText } from '../schedules/person-times.ts';
import type { Because, PlannedShift, Reason, Skipped } from '../schedules/planner.ts';
import { contradictionText, nobodyText } from './solver/contradiction-text.ts';

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
  const nameOf = (userId: string) => names.get(userId) ?? t('somebody who left');
  if (reason?.contradiction) return contradictionText(reason.contradiction, { ...zone, nameOf });
  const facts = (reason?.skipped ?? []).map((one) => whyNot(one, nameOf, zone));
  return nobodyText(gap, facts, zone);
}

/** Why a person could not take a shift. */
export function whyNot(
  refusal: Skipped,
  nameOf: (userId: string) => string,
  { timeZone, restMs }: Zone,
): string {
  const { because, limit, elsewhere } = refusal;
  const name = nameOf(refusal.user_id);
  if (because === 'limit') return exceededText(name, limit);
  if (because === 'junior' || because === 'apart')
    return apartText(because, name, nameOf(otherOf(refusal) ?? ''));
  if (because === 'alone') return aloneText(name, { ...refusal, because, with: refusal.with ?? [] }, nameOf);
  if (elsewhere && because === 'rest') return elsewhereRestText(name, elsewhere, timeZone, restMs);
  if (elsewhere) return elsewhereText(name, elsewhere, timeZone);
  return isNotPlanned(because) ? notPlannedText(name, because) : becauseText(name, because);
}

function becauseText(
  name: string,
  because: Exclude<Because, 'limit' | 'junior' | 'apart' | 'alone' | NotPlanned>,
): string {
  switch (because) {
    case 'unavailable':
      return t('{name} is away', { name });
    case 'rest':
      return t('{name} would have too little rest', { name });
    case 'busy':
      return t('{name} has another stage at that time', { name });
    case 'needed':
      return t('{name} is the only one for another stage at that time', { name });
    case 'seated':
      return t('{name} is on call in this stage already', { name });
    case 'elsewhere':
      return t('{name} has a shift of another schedule at that time', { name });
  }
}
