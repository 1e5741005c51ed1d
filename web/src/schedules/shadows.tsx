import { useQuery } from '@tanstack/react-query';
import type { ScheduleSettings } from '../../../src/schedules/settings-contract.ts';
import { peopleQuery } from '../api/queries.ts';
import { namesOf } from '../people/names.ts';

type Named = { id: string; name: string };

/** Who learns from the people who are on call now. */
export function ShadowsNow({ now }: { now: readonly { shadows: readonly Named[] }[] }) {
  const people = new Map(now.flatMap(({ shadows }) => shadows).map((person) => [person.id, person]));
  if (people.size === 0) return null;
  return (
    <span className="muted" style={{ display: 'block' }}>
      {namesOf([...people.values()])} on call to learn
    </span>
  );
}

/** The shadows of a schedule, with whom and on which days. */
export function ShadowsLine({ shadows }: Pick<ScheduleSettings, 'shadows'>) {
  const people = useQuery(peopleQuery).data?.people ?? [];
  const nameOf = (id: string) => people.find((person) => person.id === id)?.name ?? 'somebody';
  if (shadows.length === 0) return null;
  const texts = shadows.map(({ person, of, from, until }) => {
    const days = `${from ? ` from ${from}` : ''}${until ? ` until ${until}` : ''}`;
    return `${nameOf(person)} with ${of === null ? 'everybody' : nameOf(of)}${days}`;
  });
  return <p className="muted">On call to learn: {texts.join(', ')}</p>;
}
