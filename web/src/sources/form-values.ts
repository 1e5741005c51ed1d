import type { SourceChangeBody, SourceDetail, SourceTypeShown } from '../../../src/sources/api-contract.ts';
import type {
  SettingsChange,
  SourceHours,
  SourceSettings,
  SourceUrgency,
} from '../../../src/sources/contract.ts';
import { inputInstant, inputTime } from '../webhooks/form-values.ts';
import type { WordRow } from '../webhooks/word-rows.tsx';

/** The values of the form of a page source. */
export type SourceValues = {
  name: string;
  secret: string;
  /** In the format of a `datetime-local` input, in the viewer's zone; empty: never expires. */
  end: string;
  interval: number | string;
  /** The usual words of the type; an urgency of null is the usual one. */
  usual: { word: string; urgency: SourceUrgency | null }[];
  /** Other words. */
  words: WordRow<SourceUrgency>[];
  wait: number | string;
  onResolve: 'resolve' | 'keep';
  onAcknowledge: 'acknowledge' | 'ignore';
  hours: SourceHours | null;
  recordMoments: boolean;
};

type UsualWords = SourceTypeShown['urgencies'];

export function sourceValues(source: SourceDetail, usual: UsualWords): SourceValues {
  const { name, signing_secret, expires_at, interval_minutes, settings } = source;
  const own = Object.entries(settings.urgencies ?? {});
  const isUsual = (word: string) => usual.some((one) => sameWord(one.word, word));
  return {
    name,
    secret: signing_secret ?? '',
    end: inputTime(expires_at),
    interval: interval_minutes ?? '',
    usual: usual.map(({ word }) => ({
      word,
      urgency: own.find(([given]) => sameWord(given, word))?.[1] ?? null,
    })),
    words: own.filter(([word]) => !isUsual(word)).map(([word, value], key) => ({ key, word, value })),
    wait: settings.wait_minutes ?? 0,
    onResolve: settings.on_resolve ?? 'resolve',
    onAcknowledge: settings.on_acknowledge ?? 'acknowledge',
    hours: settings.hours ?? null,
    recordMoments: settings.record_moments ?? true,
  };
}

/** Only changed values, including those of the settings, so a save overwrites no changes that were made elsewhere. */
export function sourceChanges(before: SourceValues, after: SourceValues): SourceChangeBody {
  const settings = settingsChanges(settingsOf(before), settingsOf(after));
  return {
    ...(after.name === before.name ? {} : { name: after.name }),
    ...(after.secret === before.secret ? {} : { signing_secret: after.secret || null }),
    ...(after.end === before.end ? {} : { expires_at: inputInstant(after.end) }),
    ...(after.interval === before.interval ? {} : { interval_minutes: Number(after.interval) }),
    ...(Object.keys(settings).length > 0 ? { settings } : {}),
  };
}

function settingsChanges(before: SourceSettings, after: SourceSettings): SettingsChange {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof SourceSettings)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name] ?? null]));
}

/** What differs from the defaults. */
function settingsOf(values: SourceValues): SourceSettings {
  const { usual, words, wait, onResolve, onAcknowledge, hours, recordMoments } = values;
  const urgencies = [
    ...usual.flatMap(({ word, urgency }) => (urgency === null ? [] : [[word, urgency] as const])),
    ...words.flatMap(({ word, value }) => (word.trim() ? [[word.trim(), value] as const] : [])),
  ];
  return {
    ...(urgencies.length > 0 ? { urgencies: Object.fromEntries(urgencies) } : {}),
    ...(Number(wait) > 0 ? { wait_minutes: Number(wait) } : {}),
    ...(onResolve === 'keep' ? { on_resolve: onResolve } : {}),
    ...(onAcknowledge === 'ignore' ? { on_acknowledge: onAcknowledge } : {}),
    ...(hours ? { hours } : {}),
    ...(recordMoments ? {} : { record_moments: false }),
  };
}

function sameWord(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
