import { locale } from '../../../src/language/contract.ts';
import type { Period } from '../../../src/pay/api-contract.ts';
import type { HourClass, PayLine, PayState, Rates } from '../../../src/pay/contract.ts';
import type { Tone } from '../kit/pill.tsx';
import { t } from '../language/t.ts';

/** An exact amount such as `1204.50` in its currency. Numbers are formatted from their text, so that no digit is lost. */
export function money(amount: string, currency: string): string {
  return new Intl.NumberFormat(locale(), { style: 'currency', currency }).format(amount as `${number}`);
}

/** The same with a sign, for differences. */
export function signedMoney(amount: string, currency: string): string {
  return new Intl.NumberFormat(locale(), { style: 'currency', currency, signDisplay: 'exceptZero' }).format(
    amount as `${number}`,
  );
}

/** A rate for an hour, with all its decimals. */
export function ratePerHour(rate: string, currency: string): string {
  const text = new Intl.NumberFormat(locale(), {
    style: 'currency',
    currency,
    maximumFractionDigits: 4,
  }).format(rate as `${number}`);
  return t('{amount} an hour', { amount: text });
}

/** `62 h 30 min`, with seconds if there are any. */
export function hoursAndMinutes(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60), seconds % 60];
  if (s > 0) return t('{h} h {m} min {s} s', { h, m, s });
  if (h === 0) return t('{m} min', { m });
  return m === 0 ? t('{h} h', { h }) : t('{h} h {m} min', { h, m });
}

/** A local date such as `2026-11-01`, as a time at which every zone formats the same day. */
function noon(day: string): number {
  return Date.parse(`${day}T12:00:00Z`);
}

/** `November 2026` for a whole month, else `16 Nov – 15 Dec 2026`. */
export function periodName({ first, last }: Pick<Period, 'first' | 'last'>): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', ...options });
  if (first.endsWith('-01') && nextDay(last).endsWith('-01') && first.slice(0, 7) === last.slice(0, 7))
    return format({ month: 'long', year: 'numeric' }).format(noon(first));
  return format({ day: 'numeric', month: 'short', year: 'numeric' }).formatRange(noon(first), noon(last));
}

export function dayName(day: string): string {
  return new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', dateStyle: 'medium' }).format(noon(day));
}

function nextDay(day: string): string {
  return new Date(noon(day) + 86_400_000).toISOString().slice(0, 10);
}

/** The month that follows the latest period, or the one before `today`. */
export function nextPeriod(periods: readonly Period[], today: string): { first: string; last: string } {
  const latest = periods
    .map(({ last }) => last)
    .sort()
    .at(-1);
  const first = latest ? nextDay(latest) : monthBefore(today);
  const [year = 0, month = 0, day = 0] = first.split('-').map(Number);
  const last = new Date(Date.UTC(year, month, day - 1, 12)).toISOString().slice(0, 10);
  return { first, last };
}

function monthBefore(today: string): string {
  const [year = 0, month = 0] = today.split('-').map(Number);
  return new Date(Date.UTC(year, month - 2, 1, 12)).toISOString().slice(0, 10);
}

export const STATE_NAMES: Record<PayState, string> = {
  draft: t('Draft'),
  checked: t('Checked'),
  published: t('Published'),
};
export const STATE_TONES: Record<PayState, Tone> = { draft: 'none', checked: 'watch', published: 'calm' };

export const CLASS_NAMES: Record<HourClass, string> = {
  standby: t('Standby'),
  night: t('Night'),
  weekend: t('Weekend'),
  holiday: t('Holiday'),
};

/** The name of a class after a comma, where only German keeps the capitals of nouns. */
export function classWithin(name: HourClass): string {
  return locale() === 'de' ? CLASS_NAMES[name] : CLASS_NAMES[name].toLowerCase();
}

export const KIND_NAMES: Record<PayLine['kind'], string> = {
  on_call: t('On call'),
  called_out: t('Called out'),
};

/** `On call, night`, and from which stage on if the rate is not the one of all stages. */
export function lineName({ kind, class: name, from_stage: stage }: PayLine): string {
  const of = { kind: KIND_NAMES[kind], class: classWithin(name) };
  return stage === undefined
    ? t('{kind}, {class}', of)
    : t('{kind}, {class}, from stage {stage}', { ...of, stage });
}

export const WEEKDAYS: readonly { value: Rates['weekend'][number]; label: string }[] = [
  { value: 'mon', label: t('Mon') },
  { value: 'tue', label: t('Tue') },
  { value: 'wed', label: t('Wed') },
  { value: 'thu', label: t('Thu') },
  { value: 'fri', label: t('Fri') },
  { value: 'sat', label: t('Sat') },
  { value: 'sun', label: t('Sun') },
];
