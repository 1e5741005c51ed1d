import { useQuery } from '@tanstack/react-query';
import type { Cover, CoversForMe } from '../../../src/covers/api-contract.ts';
import { shortTime } from '../kit/time.ts';
import { t } from '../language/t.ts';
import { CoverCard } from './cover-card.tsx';
import { coversForMeQuery } from './covers-query.ts';
import { SwapCard } from './swap-card.tsx';

/** Covers and swaps that wait for the viewer; nothing when there are none. */
export function Waiting({ now }: { now: Date }) {
  const { data } = useQuery(coversForMeQuery);
  const covers = data ? coversOf(data) : [];
  const swaps = data?.swaps ?? [];
  if (covers.length + swaps.length === 0) return null;
  const when = (at: string) => shortTime(at, now);
  return (
    <section className="stack" aria-label={t('Covers and swaps')}>
      <h2>{t('Covers and swaps')}</h2>
      {covers.map((cover) => (
        <CoverCard key={cover.id} cover={cover} when={when} linked />
      ))}
      {swaps.map((swap) => (
        <SwapCard key={swap.id} swap={swap} when={when} />
      ))}
    </section>
  );
}

/** Each cover once, those for which the viewer is proposed first. */
function coversOf({ asked, to_decide, open, mine }: CoversForMe): Cover[] {
  const all = [...asked, ...to_decide, ...open, ...mine];
  return [...new Map(all.toReversed().map((cover) => [cover.id, cover])).values()].toReversed();
}
