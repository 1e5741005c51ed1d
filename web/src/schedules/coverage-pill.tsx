import type { ScheduleNow } from '../../../src/schedules/api-contract.ts';
import { Pill } from '../kit/pill.tsx';
import { duration } from '../kit/time.ts';
import { t } from '../language/t.ts';

type Covered = Pick<ScheduleNow, 'gap' | 'reachable' | 'backstop'>;

/** Whether a page would reach somebody now, and until when there is coverage; of several schedules, the worst. */
export function CoveragePill({ schedules, now }: { schedules: readonly Covered[]; now: Date }) {
  const [gap] = schedules
    .flatMap((schedule) => schedule.gap ?? [])
    .toSorted((a, b) => a.starts_at.localeCompare(b.starts_at));
  const wait = gap ? Date.parse(gap.starts_at) - now.getTime() : null;
  if (wait !== null && wait <= 0) return <Dot tone="alarm">{t('gap now')}</Dot>;
  if (schedules.some(({ reachable }) => reachable === 'nobody'))
    return <Dot tone="alarm">{t('nobody reachable')}</Dot>;
  if (wait !== null) return <Dot tone="alarm">{t('gap in {time}', { time: duration(wait) })}</Dot>;
  if (schedules.some(({ reachable }) => reachable === 'backstop'))
    return <Dot tone="watch">{t('only the backstop reachable')}</Dot>;
  return <Dot tone="calm">{t('covered')}</Dot>;
}

function Dot({ tone, children }: { tone: 'alarm' | 'watch' | 'calm'; children: React.ReactNode }) {
  return (
    <Pill tone={tone} dot>
      {children}
    </Pill>
  );
}
