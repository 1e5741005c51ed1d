import type { Priority } from '../contract.ts';
import { type MomentEvent, momentEvent } from '../event.ts';
import { factLines, paragraphs } from './facts.ts';
import { field, type JsonObject, objectField, objectsField, textField } from './payload.ts';
import { markdownText, plainText } from './sender-text.ts';
import { senderTime } from './sender-time.ts';
import { priorityOfSeverity } from './severity.ts';

/** An alarm's change of state, as CloudWatch publishes it to SNS, or as EventBridge does. */
export type Alarm = {
  name: string;
  /** In capitals: ALARM, OK or INSUFFICIENT_DATA. */
  state: string;
  arn: string | null;
  account: string | null;
  reason: string | null;
  description: string | null;
  at: Temporal.Instant | null;
  facts: [string, string | null][];
};

/** Null if the message is about something else. */
export function readAlarm(message: JsonObject): Alarm | null {
  const detail = objectField(message, 'detail');
  const alarm =
    textField(detail, 'alarmName') === null ? publishedAlarm(message) : bridgedAlarm(message, detail);
  return alarm.name && alarm.state ? alarm : null;
}

function publishedAlarm(message: JsonObject): Alarm {
  const trigger = objectField(message, 'Trigger');
  return {
    name: textField(message, 'AlarmName') ?? '',
    state: (textField(message, 'NewStateValue') ?? '').trim().toUpperCase(),
    arn: textField(message, 'AlarmArn'),
    account: textField(message, 'AWSAccountId'),
    reason: textField(message, 'NewStateReason'),
    description: textField(message, 'AlarmDescription'),
    at: senderTime(field(message, 'StateChangeTime')),
    facts: [
      ['Metric', joined(textField(trigger, 'Namespace'), textField(trigger, 'MetricName'))],
      ['Dimensions', dimensions(objectsField(trigger, 'Dimensions'))],
      ['Threshold', joined(textField(trigger, 'ComparisonOperator'), textField(trigger, 'Threshold'))],
      ['Rule', textField(message, 'AlarmRule')],
      ['Region', textField(message, 'Region')],
    ],
  };
}

function bridgedAlarm(message: JsonObject, detail: JsonObject): Alarm {
  const state = objectField(detail, 'state');
  const resources = field(message, 'resources');
  const arn: unknown = Array.isArray(resources) ? resources[0] : null;
  return {
    name: textField(detail, 'alarmName') ?? '',
    state: (textField(state, 'value') ?? '').trim().toUpperCase(),
    arn: typeof arn === 'string' ? arn : null,
    account: textField(message, 'account'),
    reason: textField(state, 'reason'),
    description: textField(objectField(detail, 'configuration'), 'description'),
    at: senderTime(field(state, 'timestamp')) ?? senderTime(field(message, 'time')),
    facts: [['Region', textField(message, 'region')]],
  };
}

function joined(...texts: (string | null)[]): string | null {
  return texts.filter(Boolean).join(' ') || null;
}

function dimensions(list: readonly JsonObject[]): string | null {
  const pairs = list.slice(0, 10).map((one) => `${textField(one, 'name')}=${textField(one, 'value')}`);
  return pairs.join(', ') || null;
}

export function alarmEvent(alarm: Alarm, receivedAt: Temporal.Instant): MomentEvent {
  const severity = severityIn(alarm.description);
  const at = alarm.at ?? receivedAt;
  return momentEvent(
    {
      dedupKey: alarm.arn ?? `alarm ${alarm.account ?? ''} ${alarm.name}`,
      action: alarm.state === 'OK' ? 'resolve' : 'open',
      name: alarm.name,
      type: 'alert',
      priority: priorityOfSeverity(severity) ?? usualPriority(alarm.state),
      severity,
      description: paragraphs(
        markdownText(alarm.description),
        plainText(alarm.reason),
        factLines([['State', alarm.state], ...alarm.facts, ['Account', alarm.account]]),
      ),
      source: 'CloudWatch',
      sourceUrl: consoleUrl(alarm),
      occurredAt: at,
      at,
    },
    receivedAt,
  );
}

/** Missing data may or may not be a problem. */
function usualPriority(state: string): Priority {
  return state === 'ALARM' ? 'high' : 'medium';
}

const SEVERITY = /\[((?:p|sev[- ]?)[1-5])\]|\b(?:severity|priority)\s?[=:]\s?"?([a-z]{1,20}[1-5]?|[1-5])\b/i;

/** CloudWatch has no severities, so people write them into the description: `[P1]`, `severity=critical`. */
function severityIn(description: string | null): string | null {
  const match = SEVERITY.exec(description?.slice(0, 2_000) ?? '');
  const word = match?.[1] ?? match?.[2] ?? null;
  return word && /^[1-5]$/.test(word) ? `P${word}` : word;
}

/** The region from the ARN. Other fields only have its display name. */
function consoleUrl({ arn, name }: Alarm): string | null {
  const [, partition, region] = /^arn:(aws[a-z-]{0,10}):cloudwatch:([a-z0-9-]{3,40}):/.exec(arn ?? '') ?? [];
  if (!region) return null;
  const host = partition === 'aws-cn' ? 'console.amazonaws.cn' : 'console.aws.amazon.com';
  const alarm = encodeURIComponent(name.toWellFormed());
  return `https://${region}.${host}/cloudwatch/home?region=${region}#alarmsV2:alarm/${alarm}`;
}
