/**
 * What a key may do. A key without scopes may do all of these, which is the public interface; one with full access
 * reaches the dashboard's own API as well, but for what hands out a way in.
 */
export const SCOPES = ['pages', 'moments', 'requests', 'availabilities', 'schedules'] as const;
export type Scope = (typeof SCOPES)[number];
