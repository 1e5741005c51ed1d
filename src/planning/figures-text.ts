import { t } from '../language/contract.ts';
import type { PlanFigures } from './solved-plans.ts';

/** How a plan was found, in the current language: `no better plan is possible (proven in 0.2 s)`. */
export function figuresText({ origin, gap, seconds }: NonNullable<PlanFigures>): string {
  const time = seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds);
  if (gap === 0) return t('no better plan is possible (proven in {time, number} s)', { time });
  const distance =
    gap === null
      ? t('it is not known whether a better one exists')
      : t('the best is at most {percent, number} % better', { percent: percent(gap) });
  return origin === 'greedy'
    ? t('made by a simple method, because the solver found nothing better in {time, number} s; {distance}', {
        time,
        distance,
      })
    : t('the best plan that was found in {time, number} s; {distance}', { time, distance });
}

function percent(gap: number): number {
  return gap < 0.1 ? Math.round(gap * 10_000) / 100 : Math.round(gap * 100);
}
