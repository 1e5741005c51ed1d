import type { MomentType, Priority } from './contract.ts';
import type { MomentEvent } from './event.ts';
import { hasWord, type WebhookSettings } from './settings-contract.ts';

/** Applies the webhook's priorities, types and near-miss rules to an event; they come before the integration's own. */
export function applySettings(event: MomentEvent, settings: Readonly<WebhookSettings>): MomentEvent {
  return { ...event, priority: priorityOf(event, settings), type: typeOf(event, settings) };
}

function priorityOf(
  { severity, priority }: MomentEvent,
  { priorities }: Readonly<WebhookSettings>,
): Priority {
  const word = severity?.trim().toLowerCase();
  const own = word && Object.entries(priorities ?? {}).find(([name]) => name.trim().toLowerCase() === word);
  return own ? own[1] : priority;
}

function typeOf(event: MomentEvent, { type, near_miss }: Readonly<WebhookSettings>): MomentType {
  if (event.type === 'near-miss') return event.type;
  if ((event.labels ?? []).some((label) => hasWord(near_miss?.labels, label))) return 'near-miss';
  const text = `${event.name}\n${event.description ?? ''}`.toLowerCase();
  const speaks = (near_miss?.keywords ?? []).some((word) => text.includes(word.trim().toLowerCase()));
  return speaks ? 'near-miss' : (type ?? event.type);
}
