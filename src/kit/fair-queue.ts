/**
 * The turn of an item: the queue rotates through the organizations, and within one through its teams, people or
 * webhooks.
 */
export type Turn = {
  organizationId: string;
  /** The id of the team, person or webhook. */
  turnOf: string;
  /** Within one turn, 0 goes first. */
  rank: number;
};

/** A queue in which nobody waits for more than one item of each other turn. */
export type FairQueue<Item> = {
  push(item: Item): void;
  /** Puts an item before the others of its turn and rank. */
  unshift(item: Item): void;
  /** The next item. Undefined if none waits, or none of the waiting ones may be taken. */
  shift(mayTake?: (organizationId: string, turnOf: string) => boolean): Item | undefined;
  /** Takes all items. */
  clear(): Item[];
  readonly size: number;
  /** The number of waiting items of this team, person or webhook. */
  sizeOf(organizationId: string, turnOf: string): number;
};

/** One of this many items of a turn has the lowest rank that waits, so that no flood of urgent items starves others. */
const LOWEST_EVERY = 8;

type Line<Item> = { ranks: Map<number, Item[]>; size: number; taken: number };

/** The items of one turn and rank leave in the order in which they arrived. */
export function createFairQueue<Item>(turnFor: (item: Item) => Turn): FairQueue<Item> {
  // Maps keep the order of insertion, so the turn that was just served moves to the end.
  const organizations = new Map<string, Map<string, Line<Item>>>();
  let size = 0;

  function itemsOf(item: Item): Item[] {
    const { organizationId, turnOf, rank } = turnFor(item);
    const lines = organizations.get(organizationId) ?? new Map<string, Line<Item>>();
    organizations.set(organizationId, lines);
    const line = lines.get(turnOf) ?? { ranks: new Map<number, Item[]>(), size: 0, taken: 0 };
    lines.set(turnOf, line);
    const items = line.ranks.get(rank) ?? [];
    line.ranks.set(rank, items);
    line.size++;
    size++;
    return items;
  }

  function take(line: Line<Item>): Item | undefined {
    const ranks = [...line.ranks.keys()];
    line.taken++;
    const rank = line.taken % LOWEST_EVERY === 0 ? Math.max(...ranks) : Math.min(...ranks);
    const items = line.ranks.get(rank);
    const item = items?.shift();
    if (items?.length === 0) line.ranks.delete(rank);
    line.size--;
    size--;
    return item;
  }

  return {
    push: (item) => void itemsOf(item).push(item),
    unshift: (item) => void itemsOf(item).unshift(item),
    shift(mayTake = () => true) {
      for (const [organizationId, lines] of organizations)
        for (const [turnOf, line] of lines) {
          if (!mayTake(organizationId, turnOf)) continue;
          const item = take(line);
          lines.delete(turnOf);
          if (line.size > 0) lines.set(turnOf, line);
          organizations.delete(organizationId);
          if (lines.size > 0) organizations.set(organizationId, lines);
          return item;
        }
      return undefined;
    },
    clear() {
      const all = [...organizations.values()].flatMap((lines) =>
        [...lines.values()].flatMap(({ ranks }) => [...ranks.values()].flat()),
      );
      organizations.clear();
      size = 0;
      return all;
    },
    get size() {
      return size;
    },
    sizeOf: (organizationId, turnOf) => organizations.get(organizationId)?.get(turnOf)?.size ?? 0,
  };
}
