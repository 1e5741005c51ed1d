/** Words of pages that the dashboard holds on to; without schemas, because the dashboard loads none. */

export const PAGE_STATES = ['notifying', 'acknowledged', 'resolved', 'expired'] as const;
export type PageState = (typeof PAGE_STATES)[number];

/** What an event did. */
export const PAGE_ACTIONS = ['raised', 'updated', 'acknowledged', 'resolved', 'waiting', 'ignored'] as const;
export type PageAction = (typeof PAGE_ACTIONS)[number];
