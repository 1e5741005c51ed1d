import { useQuery } from '@tanstack/react-query';
import { type Colleague, peopleQuery } from '../api/queries.ts';
import { coloursOf } from './colours.ts';

/** The colour of a person, the same everywhere; grey for somebody who left. */
export function usePersonColour(id: string): string {
  const colour = useQuery({ ...peopleQuery, select: coloursOfEverybody }).data?.get(id);
  return colour === undefined ? 'var(--muted)' : `var(--p${colour + 1})`;
}

const coloursOfEverybody = ({ people }: { people: Colleague[] }) => coloursOf(people);

export function Avatar({ person, size = 24 }: { person: { id: string; name: string }; size?: number }) {
  const background = usePersonColour(person.id);
  return (
    <span
      className="avatar"
      style={{ background, width: size, height: size, fontSize: size * 0.42 }}
      aria-hidden="true"
    >
      {initials(person.name)}
    </span>
  );
}

export function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const last = words.length > 1 ? words.at(-1) : undefined;
  return `${[...(words[0] ?? '')][0] ?? ''}${[...(last ?? '')][0] ?? ''}`.toUpperCase();
}
