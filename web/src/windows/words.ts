import type { WindowShown } from '../../../src/sources/windows-api-contract.ts';
import type { Tone } from '../kit/pill.tsx';
import { shortRange, shortTime } from '../kit/time.ts';
import { t } from '../language/t.ts';

/** `silenced`, `holding`, `recording`, `coming`, `ended`: what a window does to alerts now. */
export function stateWords({ state, silence, effect }: WindowShown): string {
  if (state === 'upcoming') return 'coming';
  if (state === 'over') return 'ended';
  if (effect === 'record') return 'recording';
  return silence ? 'silenced' : 'holding';
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
  if (state === 'active') return `until ${shortTime(ends_at, now)}`;
  if (state === 'upcoming') return shortRange(starts_at, ends_at, now);
  return `ended ${ended_by ? `by ${ended_by.name} ` : ''}${shortTime(over_at ?? ends_at, now)}`;
}

/** `3 alerts held`, `1 alert recorded, 12 events`: what it kept from paging in its occurrence. */
export function caughtWords({ held_count, event_count, effect }: WindowShown): string {
  const done = effect === 'record' ? 'recorded' : 'held';
  if (held_count === 0) return `nothing ${done} yet`;
  const events = event_count === held_count ? '' : `, ${event_count} events`;
  return `${held_count} ${held_count === 1 ? 'alert' : 'alerts'} ${done}${events}`;
}

/** What happens to the alerts that it concerns. */
export function effectWords(effect: WindowShown['effect']): string {
  return effect === 'record'
    ? t('Alerts are recorded and never page.')
    : t('Alerts wait. What is still open at the end pages then.');
}

/** What happens when these windows end now, or are cancelled before they begin. */
export function endWords(
  windows: readonly Pick<WindowShown, 'state' | 'effect' | 'held' | 'rrule'>[],
): string {
  const it = windows.length === 1;
  const repeating = windows.filter(({ rrule }) => rrule !== null).length;
  const repeats =
    repeating === 0 ? '' : it ? ' It no longer repeats.' : ` ${repeating} of them no longer repeat.`;
  const active = windows.filter(({ state }) => state === 'active');
  if (active.length === 0) return `${it ? 'It' : 'They'} will hold nothing.${repeats}`;
  const waiting = active.flatMap(({ effect, held }) =>
    effect === 'record' ? [] : held.filter((one) => one.waiting),
  ).length;
  const records = active.some(({ effect }) => effect === 'record');
  const pages = [
    ...(waiting === 0 && !records
      ? [`Nothing that ${it ? 'it holds' : 'they hold'} is still open, so nothing pages now.`]
      : []),
    ...(waiting === 1 ? ['1 alert is still open and pages the team at once.'] : []),
    ...(waiting > 1 ? [`${waiting} alerts are still open and page their teams at once.`] : []),
    ...(records ? [t('What is reported from now on pages.')] : []),
  ];
  return `${pages.join(' ')}${repeats}`;
}
