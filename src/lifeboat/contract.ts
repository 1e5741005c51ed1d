/**
 * `ashore`: the main database does the work. `afloat`: this node's lifeboat accepts pages. `landing`: the pages of the
 * lifeboat move to the main database.
 */
export const LIFEBOAT_STATES = ['ashore', 'afloat', 'landing'] as const;
export type LifeboatState = (typeof LIFEBOAT_STATES)[number];

/** Begins the title of every message that a lifeboat sends. */
export const STAND_BY_MARK = '[stand-by] ';

/** Which lifeboat notifies, and which configuration it has. */
export type StandBy = {
  /** The host name of its node. */
  node: string;
  /** The time of its copy of people, teams and schedules. */
  copiedAt: Temporal.Instant;
};

/** The warning in the answer to a page or event that a lifeboat accepts. */
export function standByWarning({ node, copiedAt }: StandBy): string {
  const at = copiedAt.round('second').toString();
  return `The database is away: the lifeboat of ${node} accepted this request, with people and schedules as of ${at}. Its status is available when the database is back.`;
}

/**
 * The header with which a node reports in answers to the dashboard that its lifeboat is afloat, or that lifeboats land.
 */
export const LIFEBOAT_HEADER = 'tocsin-lifeboat';

/** `copiedAt`: the time of the lifeboat's copy of people and schedules, as ISO 8601; null when it lands. */
export type LifeboatNotice = { state: 'afloat'; copiedAt: string } | { state: 'landing'; copiedAt: null };

/** The value of the header: `landing`, or `afloat 2026-11-23T08:41:02Z`. */
export function lifeboatNotice(notice: LifeboatNotice): string {
  return notice.copiedAt === null ? notice.state : `${notice.state} ${notice.copiedAt}`;
}

/** Null if it is not a valid value of the header. */
export function readLifeboatNotice(value: string): LifeboatNotice | null {
  if (value === 'landing') return { state: 'landing', copiedAt: null };
  const [state, copiedAt] = value.split(' ');
  return state === 'afloat' && copiedAt !== undefined ? { state, copiedAt } : null;
}
