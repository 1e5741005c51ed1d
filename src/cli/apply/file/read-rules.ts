import { CHANNEL, CHANNELS, type ChannelName } from '../../../notifications/channels/contract.ts';
import { type Rule, URGENCIES, type Urgency } from '../../../people/contract.ts';
import type { Value } from './value.ts';

/** What people may call the channels. */
const NAMES = new Map<string, ChannelName>(
  CHANNELS.flatMap((channel) =>
    [...(CHANNEL[channel].aliases ?? []), channel].map((name) => [name, channel] as const),
  ),
);
const CHOICES = [...NAMES.keys()];
const MAX_MINUTES = 1_440;
const MAX_RULES = 50;

export function readRules(value: Value | undefined): Rule[] | undefined {
  const fields = value?.fields('notification rules', URGENCIES);
  return fields && URGENCIES.flatMap((urgency) => readUrgency(urgency, fields.get(urgency)));
}

function readUrgency(urgency: Urgency, value: Value | undefined): Rule[] {
  const items = value?.list() ?? [];
  if (items.length > MAX_RULES) value?.problem(`has ${items.length} rules; give at most ${MAX_RULES}`);
  return items.flatMap((item, position) => readRule(urgency, position, item) ?? []);
}

function readRule(urgency: Urgency, position: number, value: Value): Rule | undefined {
  const fields = value.fields('a notification rule', ['after_minutes', 'types']);
  if (!fields) return undefined;
  const minutes = fields
    .require('after_minutes', 'the minutes to wait, 0 for at once')
    ?.number({ min: 0, max: MAX_MINUTES });
  const types = fields.require('types', `a list of ${CHOICES.join(', ')}`);
  const items = types?.list();
  const names = items?.flatMap((item) => item.choice(CHOICES) ?? []);
  if (items?.length === 0) types?.problem(`is empty; give at least one of ${CHOICES.join(', ')}`);
  if (minutes === undefined || !names || names.length === 0) return undefined;
  const channels = [...new Set(names.flatMap((name) => NAMES.get(name) ?? []))];
  return { urgency, position, afterMs: Math.round(minutes * 60) * 1_000, channels };
}
