import type { PlanFigures } from './solved-plans.ts';

/** How a plan was found, as text: `no better plan is possible (proven in 0.2 s)`. */
export function figuresText({ origin, gap, seconds }: NonNullable<PlanFigures>): string {
  const time = `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  if (gap === 0) return `no better plan is possible (proven in ${time})`;
  const distance =
    gap === null
      ? 'it is not known whether a better one exists'
      : `the best is at most ${percent(gap)} better`;
  return origin === 'greedy'
    ? `made by a simple method, because the solver found nothing better in ${time}; ${distance}`
    : `the best plan that was found in ${time}; ${distance}`;
}

function percent(gap: number): string {
  return `${(gap * 100).toFixed(gap < 0.1 ? 2 : 0)} %`;
}
