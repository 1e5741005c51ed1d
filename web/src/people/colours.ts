/** The colours of people, `--p1` and so on in tokens.css. */
export const COLOURS = 16;

type Member = { id: string; teams: readonly string[] };

/**
 * A colour for each person, from 0: people of one team have different ones until a team has more people than there are
 * colours, and so does everybody in a small organization. Depends only on who is in which team, and on the order in which
 * people joined (ids sort by time), so that everybody sees the same colours everywhere.
 */
export function coloursOf(people: readonly Member[]): Map<string, number> {
  const given = new Map<string, number>();
  const everywhere = new Array<number>(COLOURS).fill(0);
  const inTeam = new Map<string, number[]>();
  const usesIn = (team: string) => {
    const uses = inTeam.get(team) ?? new Array<number>(COLOURS).fill(0);
    inTeam.set(team, uses);
    return uses;
  };
  for (const { id, teams } of people.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const among = teams.map(usesIn);
    const nearby = (colour: number) => among.reduce((sum, uses) => sum + (uses[colour] ?? 0), 0);
    const [colour = 0] = [...everywhere.keys()].sort(
      (a, b) => nearby(a) - nearby(b) || (everywhere[a] ?? 0) - (everywhere[b] ?? 0) || a - b,
    );
    for (const uses of [everywhere, ...among]) uses[colour] = (uses[colour] ?? 0) + 1;
    given.set(id, colour);
  }
  return given;
}
