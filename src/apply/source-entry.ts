import { parseInstant } from '../kit/instant.ts';
import type { SourceSettings } from '../sources/contract.ts';
import type { ManagedSource } from '../sources/manage.ts';
import type { SourceDefinition } from '../sources/source.ts';
import type { SourceEntry } from './file/shape.ts';

/** The source of an entry in the file: the one of the same team and name. */
export function findKnown(
  sources: readonly ManagedSource[],
  { team, name }: SourceEntry,
): ManagedSource | null {
  const same = sources.filter((source) => source.team.slug.toLowerCase() === team.toLowerCase());
  return same.find((source) => source.name.toLowerCase() === name.toLowerCase()) ?? null;
}

export function sameInstant(a: Temporal.Instant | null, b: Temporal.Instant | null): boolean {
  return a?.epochNanoseconds === b?.epochNanoseconds;
}

/** Undefined: the file does not mention them. They are only used after `settingsProblems` has checked them. */
export function settingsOf({ settings }: SourceEntry): SourceSettings | undefined {
  return settings as SourceSettings | undefined;
}

/** Undefined: the file does not mention it. */
export function expiryOf({ expires_at }: SourceEntry): Temporal.Instant | null | undefined {
  return typeof expires_at === 'string' ? parseInstant(expires_at) : expires_at;
}

/** The definition in an entry. An unchanged expiry is left out, because it may have passed. */
export function definitionOf(
  entry: SourceEntry,
  before: ManagedSource | null,
  of: { organizationId: string; teamId: string; createdBy: string | null } | null,
): SourceDefinition {
  const { name, type, key, signing_secret, interval_minutes } = entry;
  const expiresAt = expiryOf(entry) ?? null;
  const isAsBefore = before !== null && sameInstant(expiresAt, before.expiresAt);
  return {
    ...{ organizationId: '', teamId: '', createdBy: null, ...of },
    ...{ name, type, expiresAt: isAsBefore ? null : expiresAt },
    ...{ key: key ?? null, signingSecret: signing_secret ?? null, settings: settingsOf(entry) ?? {} },
    intervalMinutes: interval_minutes ?? before?.intervalMinutes ?? null,
  };
}
