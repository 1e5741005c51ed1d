/** Default minutes until an acknowledged page of high urgency notifies again. */
export const DEFAULT_ACKNOWLEDGE_TIMEOUT_MINUTES = 30;
/** A week. */
export const MOST_ACKNOWLEDGE_TIMEOUT_MINUTES = 10_080;

/** How often an unanswered page runs through all stages before it expires: the default and the maximum. */
export const DEFAULT_ROUNDS = 3;
export const MOST_ROUNDS = 10;

/** Minutes until an acknowledged page of each urgency notifies again; 0 for never. */
export type AcknowledgeTimeouts = { low: number; medium: number; high: number };
