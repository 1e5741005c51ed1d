import { useQuery } from '@tanstack/react-query';
import type { ScheduleSettings } from '../../../src/schedules/settings-contract.ts';
import { peopleQuery } from '../api/queries.ts';
import { zoneOf } from '../kit/zones.ts';
import { commas, t } from '../language/t.ts';
import { namesOf } from '../people/names.ts';

type Named = { id: string; name: string };

/** Who learns from the people who are on call now. */
export function ShadowsNow({ now }: { now: readonly { shadows: readonly Named[] }[] }) {
  const people = new Map(now.flatMap(({ shadows }) => shadows).map((person) => [person.id, person]));
  if (people.size === 0) return null;
  return (
    <span className="muted" style={{ display: 'block' }}>
      {t('{people} on call to learn', { people: namesOf([...people.values()]) })}
    </span>
  );
}

/** A date of the schedule, as the viewer reads dates. */
function dayOf(date: string): string {
  const zone = zoneOf('UTC');
  const at = zone.ofDate(date);
  return at === null ? date : zone.shortDayAndYear(at);
}

/** The shadows of a schedule: who they learn with, and on which days. */
export function ShadowsLine({ shadows }: Pick<ScheduleSettings, 'shadows'>) {
  const people = useQuery(peopleQuery).data?.people ?? [];
  const nameOf = (id: string) => people.find((person) => person.id === id)?.name ?? t('somebody');
  if (shadows.length === 0) return null;
  const texts = shadows.map(({ person, of, from, until }) => {
    const days = [
      ...(from ? [t('from {day}', { day: dayOf(from) })] : []),
      ...(until ? [t('until {day}', { day: dayOf(until) })] : []),
    ];
    const who = t('{person} with {other}', {
      person: nameOf(person),
      other: of === null ? t('everybody') : nameOf(of),
    });
    return [who, ...days].join(' ');
  });
  return <p className="muted">{t('On call to learn: {people}', { people: commas(texts) })}</p>;
}
