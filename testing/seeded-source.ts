import { createSource } from '../src/sources/manage.ts';
import type { SourceDefinition } from '../src/sources/source.ts';
import { sourcePath } from '../src/sources/url.ts';
import type { Organization, Seeding } from './organization.ts';

/** `path` is empty for dialects, which have a `key` instead. */
export type SeededSource = { id: string; name: string; token: string; key: string | null; path: string };

/** Makes a page source, `custom` by default, of the team with this slug. */
export async function seedSource(
  { db, clock, sealing }: Seeding,
  acme: Organization,
  { team, ...of }: { team: string; name: string } & Partial<SourceDefinition>,
): Promise<SeededSource> {
  const definition: SourceDefinition = {
    ...{ organizationId: acme.id, teamId: acme.teams[team] ?? '', type: 'custom' },
    ...{ expiresAt: null, signingSecret: null, createdBy: null, key: null, intervalMinutes: null },
    ...{ settings: {}, ...of },
  };
  const { id, token, key } = await db
    .transaction()
    .execute(async (tx) => createSource({ tx, at: await clock.now(tx), sealing }, definition));
  return { id, name: definition.name, token, key, path: sourcePath(token, definition.type) ?? '' };
}
