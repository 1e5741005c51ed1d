import type { SavedOnCall } from '../../../src/schedules/api-contract.ts';
import type { OncallUser } from '../../../src/schedules/contract.ts';
import type { Session } from '../../../src/sessions/api-contract.ts';
import { KEPT_CACHE, KEPT_PATH, type Kept, type KeptPerson } from './kept.ts';

/** What is kept of an on-call list: names, times, telephone numbers and email addresses, and nothing else. */
export function keptOf({ user }: Pick<Session, 'user'>, list: SavedOnCall): Kept {
  return {
    version: 1,
    viewer: {
      name: user.name,
      zone: user.time_zone,
      twelveHours: user.clock === 'device' ? null : user.clock === '12',
    },
    saved_at: list.saved_at,
    until: list.until,
    schedules: list.schedules.map(({ name, team, backstop, oncalls }) => ({
      name,
      team,
      backstop: backstop && personOf(backstop),
      shifts: oncalls.map((one) => ({
        stage: one.stage,
        from: one.start_time,
        to: one.end_time,
        mine: one.user.email === user.email,
        person: personOf(one.user),
      })),
    })),
  };
}

function personOf({ name, email, contact_methods }: OncallUser): KeptPerson {
  const phones = contact_methods.filter(({ type }) => type === 'phone').map(({ value }) => value);
  return { name, email, phones: [...new Set(phones)] };
}

/** Replaces what this device keeps. Browsers without a cache, or with a full one, keep nothing. */
export async function keep(kept: Kept): Promise<void> {
  if (!('caches' in window)) return;
  const cache = await caches.open(KEPT_CACHE).catch(() => null);
  await cache?.put(KEPT_PATH, Response.json(kept)).catch(() => undefined);
}

/** Removes it, as at the end of a session. */
export async function forgetKept(): Promise<void> {
  if ('caches' in window) await caches.delete(KEPT_CACHE).catch(() => undefined);
}
