/** Default minutes until an acknowledged page of high urgency notifies again. */
export const DEFAULT_ACKNOWLEDGE_TIMEOUT_MINUTES = 30;
/** A week. */
export const MOST_ACKNOWLEDGE_TIMEOUT_MINUTES = 10_080;

/** Minutes until an acknowledged page of each urgency notifies again; 0 for never. */
export type AcknowledgeTimeouts = { low: number; medium: number; high: number };
