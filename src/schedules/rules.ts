/** Planning rules of a schedule beyond members, hand-offs and rest. */
export type PlanRules = {
  /** How many times as much as usual these count in equal shares; 0: not at all. */
  weights: { night: number; weekend: number; holiday: number };
  /** The most shifts of one person that may begin in a local week or month; null for any number. */
  limits: { shiftsPerWeek: number | null; shiftsPerMonth: number | null };
  /**
   * Whether simultaneous shifts in other schedules matter: `allow` ignores them, `avoid` avoids them where somebody
   * else can take the shift, `never` avoids them even if nobody is left.
   */
  elsewhere: 'allow' | 'avoid' | 'never';
  /**
   * A person who is absent for less than a tenth of a shift, and at most this many hours, still gets it, with a cover
   * for that time. With 0, a person who is absent for any part of a shift does not get it.
   */
  smallAbsenceHours: number;
};

export const USUAL_RULES: PlanRules = {
  weights: { night: 1, weekend: 1, holiday: 1 },
  limits: { shiftsPerWeek: null, shiftsPerMonth: null },
  elsewhere: 'avoid',
  smallAbsenceHours: 8,
};

/** Rules as stored; null means the usual ones. */
export function storedRules(value: unknown): PlanRules {
  return { ...USUAL_RULES, ...((value ?? {}) as Partial<PlanRules>) };
}

/** One line of text: `nights count 2 times, at most 2 shifts a month`; `usual` if nothing differs. */
export function rulesText({ weights, limits, elsewhere, smallAbsenceHours }: PlanRules): string {
  const kinds = Object.entries(weights).filter(([, weight]) => weight !== 1);
  const parts = [
    ...kinds.map(([kind, weight]) => `${kind}s count ${weight} times`),
    ...(limits.shiftsPerWeek === null ? [] : [`at most ${count(limits.shiftsPerWeek)} a week`]),
    ...(limits.shiftsPerMonth === null ? [] : [`at most ${count(limits.shiftsPerMonth)} a month`]),
    ...(elsewhere === USUAL_RULES.elsewhere ? [] : [ELSEWHERE[elsewhere]]),
    ...(smallAbsenceHours === USUAL_RULES.smallAbsenceHours ? [] : [smallText(smallAbsenceHours)]),
  ];
  return parts.length === 0 ? 'usual' : parts.join(', ');
}

const ELSEWHERE = {
  allow: 'shifts of other schedules do not matter',
  avoid: 'not at the time of a shift of another schedule where that can be avoided',
  never: 'never at the time of a shift of another schedule',
} as const;

function smallText(hours: number): string {
  if (hours === 0) return 'nobody gets a shift of which they are away for any time';
  return `small absences are those of at most ${hours} ${hours === 1 ? 'hour' : 'hours'}`;
}

function count(shifts: number): string {
  return `${shifts} ${shifts === 1 ? 'shift' : 'shifts'}`;
}
