/**
 * What a key may do. A key without scopes may use all of the public API; a key with full access may also use the
 * dashboard's API, except for routes that create credentials.
 */
export const SCOPES = ['pages', 'moments', 'requests', 'availabilities', 'schedules'] as const;
export type Scope = (typeof SCOPES)[number];

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}
