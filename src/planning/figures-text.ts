import type { PlanFigures } from './solved-plans.ts';

/** A plan's figures as text: `proven best, −210 points, in 0.2 s`. */
export function figuresText({ origin, objective, gap, seconds }: NonNullable<PlanFigures>): string {
  const cost = `${points(objective)} points`;
  const time = `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  if (gap === 0) return `proven best, ${cost}, in ${time}`;
  const distance = gap === null ? 'nothing is proven about it' : `at most ${percent(gap)} above the best`;
  return origin === 'greedy'
    ? `the quick form, ${cost}: solving gave nothing better in ${time}; ${distance}`
    : `the best of ${time}, ${cost}, ${distance}`;
}

function points(objective: number): string {
  return Math.round(objective).toLocaleString('en-US').replace('-', '−');
}

function percent(gap: number): string {
  return `${(gap * 100).toFixed(gap < 0.1 ? 2 : 0)} %`;
}
