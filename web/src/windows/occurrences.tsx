import type { WindowShown } from '../../../src/sources/windows-api-contract.ts';
import type { Zone } from '../kit/zones.ts';
import { t } from '../language/t.ts';

/** When a window holds: the first few times, in its zone. */
export function Occurrences({
  occurrences,
  zone,
  now,
}: {
  occurrences: WindowShown['occurrences'];
  zone: Zone;
  now: Date;
}) {
  return (
    <ul
      className="stack tight"
      style={{ margin: 0, padding: 0, listStyle: 'none' }}
      aria-label={t('Next times')}
    >
      {occurrences.map(({ starts_at, ends_at }) => (
        <li key={starts_at} className="tabular">
          {spanWords(Date.parse(starts_at), Date.parse(ends_at), zone, now.getTime())}
        </li>
      ))}
      <li className="faint">{t('Times in {zone}', { zone: zone.city })}</li>
    </ul>
  );
}

function spanWords(from: number, to: number, zone: Zone, now: number): string {
  const end = zone.date(from) === zone.date(to) ? zone.clock(to) : zone.moment(to, now);
  return `${zone.moment(from, now)} – ${end}`;
}
