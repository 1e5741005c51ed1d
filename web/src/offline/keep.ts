import type { SavedOnCall } from '../../../src/schedules/api-contract.ts';
import type { OncallUser } from '../../../src/schedules/contract.ts';
import type { Session } from '../../../src/sessions/api-contract.ts';
import { localeOf } from '../kit/time-formats.ts';
import { t } from '../language/t.ts';
import { KEPT_CACHE, KEPT_PATH, type Kept, type KeptPerson, type OfflineText } from './kept.ts';

/** With their arguments in braces, which the page fills in. */
const WORDS: Readonly<Record<OfflineText, string>> = {
  'Not connected': t('Not connected'),
  'Pages cannot reach this app now. SMS and phone calls still can.': t(
    'Pages cannot reach this app now. SMS and phone calls still can.',
  ),
  'This device keeps no on-call list. It does so while you are signed in to Tocsin and connected.': t(
    'This device keeps no on-call list. It does so while you are signed in to Tocsin and connected.',
  ),
  'Saved {time}, before the connection was lost.': t('Saved {time}, before the connection was lost.'),
  'The saved list is over 14 days old, so it no longer says who is on call.': t(
    'The saved list is over 14 days old, so it no longer says who is on call.',
  ),
  '{name}, you are on call.': t('{name}, you are on call.'),
  '{name}, you are not on call now.': t('{name}, you are not on call now.'),
  '{schedule}, stage {stage}, until {time}.': t('{schedule}, stage {stage}, until {time}.'),
  'Next: {time}, {schedule}, stage {stage}.': t('Next: {time}, {schedule}, stage {stage}.'),
  'Nobody is on call now.': t('Nobody is on call now.'),
  'stage {stage}, until {time}': t('stage {stage}, until {time}'),
  'stage {stage}, until {time} (you)': t('stage {stage}, until {time} (you)'),
  backstop: t('backstop'),
  'Call {number}': t('Call {number}'),
  'Try again': t('Try again'),
};

/** The part of an on-call list that is kept: names, times, telephone numbers and email addresses, and nothing else. */
export function keptOf({ user }: Pick<Session, 'user'>, list: SavedOnCall): Kept {
  return {
    version: 1,
    viewer: {
      name: user.name,
      zone: user.time_zone,
      twelveHours: user.clock === 'device' ? null : user.clock === '12',
    },
    words: WORDS,
    locale: localeOf(),
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
