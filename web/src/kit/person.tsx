const COLOURS = 8;

/** One colour for a person, the same everywhere. */
export function personColour(id: string): string {
  // FNV-1a: identifiers that were made one after the other differ in a few characters only.
  let hash = 2_166_136_261;
  for (const character of id) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619);
  hash ^= hash >>> 15;
  return `var(--p${((hash >>> 0) % COLOURS) + 1})`;
}

export function Avatar({ person, size = 24 }: { person: { id: string; name: string }; size?: number }) {
  const style = { background: personColour(person.id), width: size, height: size, fontSize: size * 0.42 };
  return (
    <span className="avatar" style={style} aria-hidden="true">
      {initials(person.name)}
    </span>
  );
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const last = words.length > 1 ? words.at(-1) : undefined;
  return `${[...(words[0] ?? '')][0] ?? ''}${[...(last ?? '')][0] ?? ''}`.toUpperCase();
}

/** `Ada`, `Ada and Grace`, `Ada, Grace and 2 more`. */
export function namesOf(people: readonly { name: string }[]): string {
  const names = people.map(({ name }) => name);
  if (names.length <= 2) return names.join(' and ');
  if (names.length === 3) return `${names[0]}, ${names[1]} and ${names[2]}`;
  return `${names[0]}, ${names[1]} and ${names.length - 2} more`;
}
