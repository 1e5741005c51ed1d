import type { MomentType, Priority } from '../../../src/moments/contract.ts';
import type { WebhookChangeBody, WebhookDetail } from '../../../src/webhooks/api-contract.ts';
import { viewerZone } from '../kit/zones.ts';
import type { WordRow } from './word-rows.tsx';

type WebhookSettings = WebhookDetail['settings'];

/** The values of the webhook form. */
export type WebhookValues = {
  name: string;
  secret: string;
  /** In the format of a `datetime-local` input, in the viewer's zone; empty: never expires. */
  end: string;
  type: MomentType | '';
  priorities: WordRow<Priority>[];
  filter: { labels: string[]; types: string[]; priorities: string[] };
  nearMiss: { labels: string[]; keywords: string[] };
  topic: string;
};

export function valuesOf({ name, signing_secret, expires_at, settings }: WebhookDetail): WebhookValues {
  const { filter, near_miss } = settings;
  return {
    name,
    secret: signing_secret ?? '',
    end: inputTime(expires_at),
    type: settings.type ?? '',
    priorities: Object.entries(settings.priorities ?? {}).map(([word, value], key) => ({ key, word, value })),
    filter: {
      labels: filter?.labels ?? [],
      types: filter?.types ?? [],
      priorities: filter?.priorities ?? [],
    },
    nearMiss: { labels: near_miss?.labels ?? [], keywords: near_miss?.keywords ?? [] },
    topic: settings.topic ?? '',
  };
}

/** Only changed values, so two people can edit different settings of one webhook at the same time. */
export function changesOf(before: WebhookValues, after: WebhookValues): WebhookChangeBody {
  const [old, settings] = [settingsOf(before), settingsOf(after)];
  return {
    ...(after.name === before.name ? {} : { name: after.name }),
    ...(after.secret === before.secret ? {} : { signing_secret: after.secret || null }),
    ...(after.end === before.end ? {} : { expires_at: inputInstant(after.end) }),
    ...(JSON.stringify(old) === JSON.stringify(settings) ? {} : { settings }),
  };
}

function settingsOf({ type, priorities, filter, nearMiss, topic }: WebhookValues): WebhookSettings {
  const named = priorities.filter(({ word }) => word.trim());
  const [filters, near_miss] = [given(filter), given(nearMiss)];
  return {
    ...(type ? { type } : {}),
    ...(named.length > 0
      ? { priorities: Object.fromEntries(named.map(({ word, value }) => [word.trim(), value])) }
      : {}),
    ...(filters ? { filter: filters } : {}),
    ...(near_miss ? { near_miss } : {}),
    ...(topic.trim() ? { topic: topic.trim() } : {}),
  };
}

/** The lists that are not empty; null when all are. */
function given<Lists extends Record<string, string[]>>(lists: Lists): Partial<Lists> | null {
  const held = Object.entries(lists).filter(([, words]) => words.length > 0);
  return held.length > 0 ? (Object.fromEntries(held) as Partial<Lists>) : null;
}

/** A time as the value of a `datetime-local` input; empty for none. */
export function inputTime(at: string | null): string {
  return at ? viewerZone().toInput(Date.parse(at)) : '';
}

/** The time of a `datetime-local` input as ISO 8601; null for none. */
export function inputInstant(text: string): string | null {
  const at = text ? viewerZone().fromInput(text) : null;
  return at === null ? null : new Date(at).toISOString();
}
