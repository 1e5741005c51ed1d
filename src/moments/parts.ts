/**
 * What is known of one part of a group: that it fires since then, that it ended then, or that it was left firing: its group
 * was said to be over, but never the part itself, which may have been silenced.
 */
export type Part = { is: 'firing' | 'ended' | 'left'; at: number };

/** By a short name that tells parts of one group apart; times are milliseconds since 1970. */
export type Parts = Readonly<Record<string, Part>>;

/** More than these are not told apart. */
export const PARTS_LIMIT = 200;

/** For how long repetitions of parts that are over may come in while other parts of the group make new moments. */
const CARRIED_MS = 48 * 3_600_000;

/** Of two words about the same moment in time the one with the higher rank is believed. */
const RANK = { ended: 2, firing: 1, left: 0 };

/** Of each part the newest that is known, the same object where nothing is new; null where one of the two names no parts. */
export function mergedParts(known: Parts | null, told: Parts | null): Parts | null {
  if (!known || !told) return null;
  const news = Object.entries(told).filter(([name, part]) => isNewer(part, known[name]));
  return news.length === 0 ? known : bounded({ ...known, ...Object.fromEntries(news) });
}

function isNewer(part: Part, known: Part | undefined): boolean {
  if (!known || part.at > known.at) return true;
  return part.at === known.at && RANK[part.is] > RANK[known.is];
}

/** What has been over for longest is forgotten; where more than the limit fires, nothing can be told apart any more. */
function bounded(parts: Parts): Parts | null {
  const over = Object.entries(parts).filter(([, { is }]) => is !== 'firing');
  const current = firing(parts);
  if (current.length + over.length <= PARTS_LIMIT) return parts;
  if (current.length > PARTS_LIMIT) return null;
  const newest = over.sort(([, a], [, b]) => b.at - a.at).slice(0, PARTS_LIMIT - current.length);
  return Object.fromEntries([...current, ...newest]);
}

/** Its sender says that the group is over: parts of which it says nothing were left firing. */
export function leftParts(parts: Parts | null): Parts | null {
  return (
    parts &&
    mapped(parts, ([name, part]) => [[name, part.is === 'firing' ? { is: 'left', at: part.at } : part]])
  );
}

/** What a new moment knows of its group: what is told, and what its predecessor knew that may still be repeated. */
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
 * Whether something fires that was not part of what is over: a part of which nothing so new was known, or nothing but
 * parts that were left firing. Where a part is among them of which the end is known, it is a repetition from before.
 */
export function fireAnew(known: Parts | null, told: Parts | null): boolean {
  if (!known || !told) return false;
  const parts = firing(told);
  if (parts.some(([name, part]) => part.at > (known[name]?.at ?? -Infinity))) return true;
  return parts.length > 0 && parts.every(([name]) => known[name]?.is === 'left');
}

/** Whether it names every part that is known to fire, and none of which something newer is known. */
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
