/**
 * The known state of one part of a group: it has been firing since a time, it ended at a time, or it was left firing,
 * because its group ended but the part was never reported as ended. It may have been silenced.
 */
export type Part = { is: 'firing' | 'ended' | 'left'; at: number };

/** By a short name that is unique within the group; times are milliseconds since 1970. */
export type Parts = Readonly<Record<string, Part>>;

/** The most parts that are tracked. */
export const PARTS_LIMIT = 200;

/** How long repetitions of ended parts may arrive while other parts of the group open new moments. */
const CARRIED_MS = 48 * 3_600_000;

/** Of two statements about the same time, the one with the higher rank counts. */
const RANK = { ended: 2, firing: 1, left: 0 };

/** The newest state of each part; the same object if nothing is new, and null if one of the two names no parts. */
export function mergedParts(known: Parts | null, told: Parts | null): Parts | null {
  if (!known || !told) return null;
  const news = Object.entries(told).filter(([name, part]) => isNewer(part, known[name]));
  return news.length === 0 ? known : bounded({ ...known, ...Object.fromEntries(news) });
}

function isNewer(part: Part, known: Part | undefined): boolean {
  if (!known || part.at > known.at) return true;
  return part.at === known.at && RANK[part.is] > RANK[known.is];
}

/** Forgets the parts that ended first. If more parts than the limit are firing, parts are no longer tracked. */
function bounded(parts: Parts): Parts | null {
  const over = Object.entries(parts).filter(([, { is }]) => is !== 'firing');
  const current = firing(parts);
  if (current.length + over.length <= PARTS_LIMIT) return parts;
  if (current.length > PARTS_LIMIT) return null;
  const newest = over.sort(([, a], [, b]) => b.at - a.at).slice(0, PARTS_LIMIT - current.length);
  return Object.fromEntries([...current, ...newest]);
}

/** The sender ended the group. Parts that it does not name were left firing. */
export function leftParts(parts: Parts | null): Parts | null {
  return (
    parts &&
    mapped(parts, ([name, part]) => [[name, part.is === 'firing' ? { is: 'left', at: part.at } : part]])
  );
}

/** The parts of a new moment: those of the event, and those of its predecessor that may still be repeated. */
export function carriedParts(previous: Parts | null, told: Parts | null, at: Temporal.Instant): Parts | null {
  if (!previous || !told) return told;
  const oldest = at.epochMilliseconds - CARRIED_MS;
  const recent = mapped(previous, (entry) => (entry[1].at >= oldest ? [entry] : []));
  return mergedParts(recent, told);
}

type Entry = [name: string, part: Part];

function mapped(parts: Parts, change: (entry: Entry) => Entry[]): Parts {
  return Object.fromEntries(Object.entries(parts).flatMap(change));
}

function firing(parts: Parts): Entry[] {
  return Object.entries(parts).filter(([, { is }]) => is === 'firing');
}

/**
 * Whether an event names a firing part that did not belong to the ended moment: a part that is newer than all known
 * ones, or only parts that were left firing. If the end of one of the parts is known, the event is a repetition from
 * before.
 */
export function fireAnew(known: Parts | null, told: Parts | null): boolean {
  if (!known || !told) return false;
  const parts = firing(told);
  if (parts.some(([name, part]) => part.at > (known[name]?.at ?? -Infinity))) return true;
  return parts.length > 0 && parts.every(([name]) => known[name]?.is === 'left');
}

/** Whether it names every part that is known to fire, and none with a newer state. */
export function stillFire(known: Parts | null, told: Parts | null): boolean {
  if (!known || !told) return false;
  const parts = firing(told);
  const isCurrent = ([name, part]: Entry) => {
    const before = known[name];
    return isNewer(part, before) || (before?.is === 'firing' && before.at === part.at);
  };
  return (
    parts.length > 0 && parts.every(isCurrent) && firing(known).every(([name]) => told[name]?.is === 'firing')
  );
}
