/** Words about pages that the dashboard uses, without schemas, because the dashboard loads none. */

export const PAGE_STATES = ['notifying', 'acknowledged', 'resolved', 'expired'] as const;
export type PageState = (typeof PAGE_STATES)[number];

/** The effect of an event. */
export const PAGE_ACTIONS = ['raised', 'updated', 'acknowledged', 'resolved', 'waiting', 'ignored'] as const;
export type PageAction = (typeof PAGE_ACTIONS)[number];
