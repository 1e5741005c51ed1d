import { useQuery } from '@tanstack/react-query';
import { type Colleague, peopleQuery } from '../api/queries.ts';

/** Number of colours. Colour-blind people can distinguish them. */
const COLOURS = 8;

/**
 * The colour of a person, the same everywhere. Colours are given in the order in which people joined, so that people of
 * a small team have different ones.
 */
export function usePersonColour(id: string): string {
  const turns = useQuery({ ...peopleQuery, select: turnsOf }).data;
  return `var(--p${((turns?.get(id) ?? 0) % COLOURS) + 1})`;
}

/** Ids sort by creation time. */
function turnsOf({ people }: { people: Colleague[] }): Map<string, number> {
  const ids = people.map(({ id }) => id).toSorted();
  return new Map(ids.map((id, turn) => [id, turn]));
}

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
