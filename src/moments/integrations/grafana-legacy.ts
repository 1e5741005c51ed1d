import { stored } from '../../language/contract.ts';
import { httpUrlOrNull, type MomentEvent, momentEvent } from '../event.ts';
import { codeSpan, markdownLink } from '../markdown.ts';
import type { AdapterResult } from './adapter.ts';
import { paragraphs } from './facts.ts';
import {
  field,
  firstText,
  type JsonObject,
  objectField,
  objectsField,
  quoted,
  textField,
} from './payload.ts';
import { markdownText } from './sender-text.ts';
import { priorityOfSeverity } from './severity.ts';
import { bodyLacks, unreadable } from './unread.ts';

const ACTIONS = new Map<string, MomentEvent['action']>([
  ['alerting', 'open'],
  ['no_data', 'open'],
  ['ok', 'resolve'],
]);

/** Grafana's alerting before version 9, which sent one rule per call. */
export function isLegacyGrafana(body: JsonObject): boolean {
  return field(body, 'alerts') === undefined && textField(body, 'ruleName') !== null;
}

export function readLegacyGrafana(body: JsonObject, receivedAt: Temporal.Instant): AdapterResult {
  const state = textField(body, 'state');
  const action = ACTIONS.get(state?.toLowerCase() ?? '');
  if (!state) return unreadable(bodyLacks('state'), stored('"alerting" or "ok"'));
  if (!action)
    return {
      ignored: stored('The state {state} neither begins nor ends an alert.', { state: quoted(state) }),
    };
  const name = textField(body, 'ruleName') ?? 'Grafana alert';
  const severity = firstText(objectField(body, 'tags'), ['severity', 'priority']);
  const event = momentEvent(
    {
      dedupKey: `rule ${textField(body, 'orgId') ?? ''} ${textField(body, 'ruleId') ?? name}`,
      action,
      name,
      type: 'alert',
      priority: priorityOfSeverity(severity) ?? 'medium',
      severity,
      description: description(body),
      source: 'Grafana',
      sourceUrl: textField(body, 'ruleUrl'),
      occurredAt: receivedAt,
      at: receivedAt,
    },
    receivedAt,
  );
  return { events: [event] };
}

function description(body: JsonObject): string | null {
  const matches = objectsField(body, 'evalMatches')
    .slice(0, 20)
    .map((match) =>
      codeSpan(`${textField(match, 'metric') ?? 'value'}=${textField(match, 'value') ?? '?'}`.slice(0, 200)),
    );
  return paragraphs(
    markdownText(textField(body, 'message')),
    matches.join(' '),
    markdownLink('Image', httpUrlOrNull(textField(body, 'imageUrl'))),
  );
}
