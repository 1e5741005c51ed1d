/** What a key may do; a key without scopes may do everything that its user may. */
export const SCOPES = ['pages', 'moments', 'requests', 'availabilities', 'schedules'] as const;
export type Scope = (typeof SCOPES)[number];
