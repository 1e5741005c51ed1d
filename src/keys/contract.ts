/**
 * The scopes of keys. A key without scopes may use all of the public API. A key with full access may also use the
 * dashboard's API, except for routes that create credentials. `mcp:read` and `mcp:write` are for `/mcp` and for the
 * routes of the dashboard's API behind its tools; a key has them only if they are named.
 */
export const SCOPES = [
  ...(['pages', 'moments', 'requests', 'availabilities', 'schedules'] as const),
  ...(['mcp:read', 'mcp:write'] as const),
] as const;
export type Scope = (typeof SCOPES)[number];

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}
