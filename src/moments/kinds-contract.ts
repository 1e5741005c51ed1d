/** The words for what a moment can be; apart from the schemas, which the dashboard need not load for them. */

export const MOMENT_TYPES = ['alert', 'incident', 'near-miss', 'page'] as const;
export type MomentType = (typeof MOMENT_TYPES)[number];

export const PRIORITIES = ['low', 'medium', 'high'] as const;
export type Priority = (typeof PRIORITIES)[number];

export const MOMENT_STATES = ['open', 'acknowledged', 'resolved'] as const;
export type MomentState = (typeof MOMENT_STATES)[number];
