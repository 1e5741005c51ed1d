import type { WindowShown } from '../../../src/sources/windows-api-contract.ts';
import type { Tone } from '../kit/pill.tsx';
import { shortRange, shortTime } from '../kit/time.ts';
import { t } from '../language/t.ts';

/** `silenced`, `holding`, `recording`, `coming`, `ended`: what a window does to alerts now. */
export function stateWords({ state, silence, effect }: WindowShown): string {
  if (state === 'upcoming') return t('coming');
  if (state === 'over') return t('ended');
  if (effect === 'record') return t('recording');
  return silence ? t('silenced') : t('holding');
}

export const STATE_TONES: Record<WindowShown['state'], Tone> = {
  active: 'watch',
  upcoming: 'info',
  over: 'none',
};

/** `Prometheus · alertname=DiskFull`: which alerts it concerns. */
export function scopeWords({ source, match }: Pick<WindowShown, 'source' | 'match'>): string {
  return [source?.name ?? t('All sources'), ...match].join(' · ');
}

/** `until today 15:00`, `tomorrow 02:00 – 03:00`, `ended by Ada today 14:02`. */
export function timeWords(window: WindowShown, now: Date): string {
  const { state, starts_at, ends_at, over_at, ended_by } = window;
  if (state === 'active') return t('until {time}', { time: shortTime(ends_at, now) });
  if (state === 'upcoming') return shortRange(starts_at, ends_at, now);
  const time = shortTime(over_at ?? ends_at, now);
  return ended_by ? t('ended by {name} {time}', { name: ended_by.name, time }) : t('ended {time}', { time });
}

/** `3 alerts held`, `1 alert recorded, 12 events`: what it kept from paging in its occurrence. */
export function caughtWords({ held_count, event_count, effect }: WindowShown): string {
  const more = event_count === held_count ? 0 : event_count;
  return effect === 'record'
    ? t(
        '{alerts, plural, =0 {nothing recorded yet} one {# alert recorded} other {# alerts recorded}}{events, plural, =0 {} other {, # events}}',
        { alerts: held_count, events: held_count === 0 ? 0 : more },
      )
    : t(
        '{alerts, plural, =0 {nothing held yet} one {# alert held} other {# alerts held}}{events, plural, =0 {} other {, # events}}',
        { alerts: held_count, events: held_count === 0 ? 0 : more },
      );
}

/** What happens to the alerts that it concerns. */
export function effectWords(effect: WindowShown['effect']): string {
  return effect === 'record'
    ? t('Alerts are recorded and never page.')
    : t('Alerts wait. Those that are still open at the end page then.');
}

/** What happens when these windows end now, or are cancelled before they begin. */
export function endWords(
  windows: readonly Pick<WindowShown, 'state' | 'effect' | 'held' | 'rrule'>[],
): string {
  const count = windows.length;
  const repeating = windows.filter(({ rrule }) => rrule !== null).length;
  const repeats =
    repeating === 0
      ? []
      : [
          t('{count, plural, =1 {It no longer repeats.} other {{repeating} of them no longer repeat.}}', {
            count,
            repeating,
          }),
        ];
  const active = windows.filter(({ state }) => state === 'active');
  if (active.length === 0)
    return [
      t('{count, plural, =1 {It will not hold any alerts.} other {They will not hold any alerts.}}', {
        count,
      }),
      ...repeats,
    ].join(' ');
  const waiting = active.flatMap(({ effect, held }) =>
    effect === 'record' ? [] : held.filter((one) => one.waiting),
  ).length;
  const records = active.some(({ effect }) => effect === 'record');
  return [
    ...(waiting === 0 && !records
      ? [
          t(
            '{count, plural, =1 {None of the alerts that it holds is still open, so nothing pages now.} other {None of the alerts that they hold is still open, so nothing pages now.}}',
            { count },
          ),
        ]
      : []),
    ...(waiting > 0
      ? [
          t(
            '{waiting, plural, =1 {1 alert is still open and pages the team at once.} other {# alerts are still open and page their teams at once.}}',
            { waiting },
          ),
        ]
      : []),
    ...(records ? [t('Alerts from now on page again.')] : []),
    ...repeats,
  ].join(' ');
}
