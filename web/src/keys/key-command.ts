import type { Scope } from '../../../src/keys/contract.ts';

const JSON_TYPE = "-H 'Content-Type: application/json'";

/** What a key is tried with, by the first of its scopes that has such a call. */
const TRIES: readonly [Scope, (origin: string, auth: string, team: string) => string][] = [
  [
    'pages',
    (origin, auth, team) =>
      `curl -sS "${origin}/page/team" ${auth} ${JSON_TYPE} -d '{"recipient": "${team}", "title": "Test", "text": "Test of a new key", "urgency": "low"}'`,
  ],
  ['schedules', (origin, auth) => `curl -sS "${origin}/schedules" ${auth}`],
];

/**
 * A command that tries a new key; null when no single call does. Without scopes a key may use the whole public API.
 * `team`: the slug of a team to page.
 */
export function keyCommand({
  key,
  scopes,
  origin,
  team,
}: {
  key: string;
  scopes: readonly Scope[] | null;
  origin: string;
  team: string | null;
}): { command: string; pages: boolean } | null {
  const auth = `-H "Authorization: Bearer ${key}"`;
  const found = TRIES.find(
    ([scope]) => (scopes === null || scopes.includes(scope)) && (scope !== 'pages' || team !== null),
  );
  if (!found) return null;
  const [scope, line] = found;
  return { command: line(origin, auth, team ?? ''), pages: scope === 'pages' };
}
