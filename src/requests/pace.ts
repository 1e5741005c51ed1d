import type { Turn } from '../kit/fair-queue.ts';

/** How many rows of a team, person or webhook, of one rank, wait to be begun for too long. */
export type Late = Turn & { rows: number };

/**
 * A row that no worker has begun after so long is late. Long enough for a worker to finish what it has in hand, and short
 * enough that nobody notices it.
 */
export const LATE_AFTER_MS = 100;
/** The most late rows that one look reads. */
export const MOST_LATE = 500;
/** How often late rows are looked for while requests come. What is accepted between two looks is how far it may get ahead. */
const LOOK_MS = 50;
/** Fewer requests between two looks are not a flood, and nothing is looked for. */
const FEW = 5;
/** With so many late rows, at least as urgent as a request, the request waits. Fewer may be waiting for a lock. */
const MANY = 20;
/** A request waits no longer, whatever is late: perhaps no worker runs, and a page has to be accepted anyway. */
const LONGEST_MS = 1_000;
/** So many requests of one turn and rank go on at a look, then twice as many at the next, and half as many after it was late again. */
const AT_FIRST = 250;
const AT_MOST = 500;

/**
 * Slows down a team, person or webhook whose requests are accepted faster than they are worked on, so that what was accepted leaves
 * promptly. Others are accepted as ever.
 */
export type Pace = {
  /**
   * Waits until a request of this turn may be accepted; null if it may be at once.
   * @throws the refusal, when too many wait
   */
  admit(turn: Turn, bytes: number): Promise<void> | null;
};

/** The bounds of what waits in this process, in requests and bytes. */
export type MostHeld = { all: number; ofOne: number; weight: number; refusal(): Error };

type Held = { until: number; bytes: number; goOn(): void };

/** The requests of one turn and rank that wait, and how many of them go on at the next look. */
type Line = { waiting: Held[]; some: number };

/** `late` reads the oldest `MOST_LATE` rows that are late, and counts them by turn and rank. If it fails, nobody waits. */
export function createPace(
  late: () => Promise<readonly Late[]>,
  most: MostHeld,
  now: () => number = () => performance.now(),
): Pace {
  const lines = new Map<string, Line>();
  let known: readonly Late[] = [];
  let [requests, held, weight] = [0, 0, 0];
  let [looking, reading] = [false, false];

  function isLate({ organizationId, turnOf, rank }: Turn): boolean {
    const rows = known.reduce(
      (sum, one) =>
        one.organizationId === organizationId && one.turnOf === turnOf && one.rank <= rank
          ? sum + one.rows
          : sum,
      0,
    );
    return rows >= MANY;
  }

  function wait(name: string, line: Line, bytes: number): Promise<void> {
    if (held >= most.all || line.waiting.length >= most.ofOne || weight >= most.weight) throw most.refusal();
    lines.set(name, line);
    held++;
    weight += bytes;
    return new Promise((goOn) => line.waiting.push({ until: now() + LONGEST_MS, bytes, goOn }));
  }

  /** Lets go what has waited for the longest time, and of each line that is no longer late as many as `share` says. */
  function letGo(share: (line: Line, late: boolean) => number): void {
    for (const [name, line] of lines) {
      const at = now();
      const { waiting } = line;
      const free = share(line, isLate(turnOfName(name)));
      const count = waiting.findIndex(({ until }, index) => index >= free && until > at);
      for (const { bytes, goOn } of waiting.splice(0, count === -1 ? waiting.length : count)) {
        held--;
        weight -= bytes;
        goOn();
      }
      if (waiting.length === 0) lines.delete(name);
    }
  }

  function look(): void {
    const few = requests < FEW;
    requests = 0;
    looking = !few || held > 0;
    if (!looking) {
      known = [];
      return;
    }
    letGo(() => 0);
    if (!reading) void read();
    lookSoon();
  }

  /** Runs beside the looks, so that they do not wait for a database that does not answer. */
  async function read(): Promise<void> {
    reading = true;
    const rows = await late().catch(() => []);
    reading = false;
    if (!looking) return;
    known = rows;
    letGo(next);
  }

  function lookSoon(): void {
    looking = true;
    setTimeout(look, LOOK_MS).unref();
  }

  return {
    admit(turn, bytes) {
      requests++;
      if (!looking) lookSoon();
      if (lines.size === 0 && known.length === 0) return null;
      const name = nameOf(turn);
      const line = lines.get(name);
      // Behind those that wait already, so that requests are accepted in the order in which they came.
      return line || isLate(turn) ? wait(name, line ?? { waiting: [], some: AT_FIRST }, bytes) : null;
    },
  };
}

/**
 * How many of a line go on. On a slow machine, what goes on at once is soon late again, and less of it goes on the next time.
 */
function next(line: Line, late: boolean): number {
  const { some } = line;
  line.some = late ? Math.max(MANY, Math.floor(some / 2)) : Math.min(AT_MOST, some * 2);
  return late ? 0 : some;
}

function nameOf({ organizationId, turnOf, rank }: Turn): string {
  return JSON.stringify([organizationId, turnOf, rank]);
}

function turnOfName(name: string): Turn {
  const [organizationId, turnOf, rank] = JSON.parse(name) as [string, string, number];
  return { organizationId, turnOf, rank };
}
