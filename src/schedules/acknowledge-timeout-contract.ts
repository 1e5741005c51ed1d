/** Default minutes until an acknowledged page of high urgency notifies again. */
export const DEFAULT_ACKNOWLEDGE_TIMEOUT_MINUTES = 30;
/** A week. */
export const MOST_ACKNOWLEDGE_TIMEOUT_MINUTES = 10_080;
