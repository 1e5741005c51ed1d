import type { AccessEnded } from '../people/person-contract.ts';

/** What to do after a person was disabled or lost a role, for the person who applies the file. */
export function rotationNotes(email: string, { to_rotate, to_rotate_total }: AccessEnded): string[] {
  if (to_rotate_total === 0) return [];
  const named = to_rotate.slice(0, 10).map(({ name, team }) => `${name} (${team})`);
  const more = to_rotate_total > named.length ? ` and ${to_rotate_total - named.length} more` : '';
  return [`user ${email} could read the URLs and secrets of webhooks; rotate ${named.join(', ')}${more}`];
}
