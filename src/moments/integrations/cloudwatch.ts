import { stored } from '../../language/contract.ts';
import { type MomentEvent, momentEvent } from '../event.ts';
import { type Adapter, type AdapterInput, type AdapterResult, USUAL_BODY_LIMIT } from './adapter.ts';
import { alarmEvent, readAlarm } from './cloudwatch-alarm.ts';
import { firstText, type JsonObject, objectField, quoted, readJsonObject, textField } from './payload.ts';
import { codeBlock, plainText } from './sender-text.ts';
import { senderTime } from './sender-time.ts';
import { isSnsUrl, snsSignature } from './sns.ts';
import { unreadable, unreadableBody } from './unread.ts';
import { readPayload } from './wrapped-payload.ts';

const EXPECTED = stored('a call of Amazon SNS');

/** CloudWatch alarms through Amazon SNS, whose envelope is JSON sent as text, with the message as a text inside. */
export const cloudwatch: Adapter = {
  bodyLimit: USUAL_BODY_LIMIT,
  read: readCloudwatch,
  senderCallId({ headers, body }) {
    const parsed = readPayload(body);
    // The id in the body is signed, but the one in the header is not.
    const inBody = 'object' in parsed ? textField(parsed.object, 'MessageId') : null;
    return inBody?.slice(0, 200) ?? headers['x-amz-sns-message-id'] ?? null;
  },
};

function readCloudwatch({ headers, body, settings, receivedAt }: AdapterInput): AdapterResult {
  const parsed = readPayload(body);
  if ('problem' in parsed) return unreadableBody(parsed.problem, EXPECTED);
  const call = parsed.object;
  const topic = textField(call, 'TopicArn') ?? headers['x-amz-sns-topic-arn'] ?? null;
  if (settings.topic && topic && topic !== settings.topic)
    return {
      error: stored('it comes from the topic {topic}, but this webhook accepts only another topic.', {
        topic: quoted(topic),
      }),
    };
  const type = textField(call, 'Type');
  if (type === 'SubscriptionConfirmation') return confirmation(call, topic);
  if (type === 'UnsubscribeConfirmation')
    return {
      ignored: stored(
        'The subscription has ended: nothing arrives until somebody subscribes to the topic again.',
      ),
    };
  if (type === 'Notification') {
    const read = readNotification(call, receivedAt);
    return settings.topic && 'events' in read ? certified(call, read, receivedAt) : read;
  }
  if (settings.topic)
    return {
      error: stored('it is not signed; turn off raw message delivery at the subscription of the topic.'),
    };
  return readRaw(call, receivedAt);
}

/** How long ids of deliveries are remembered. An older delivery could be a replay. */
const OLDEST_HOURS = 48;

/**
 * The subscription proved that Amazon signs its calls. From then on, only calls with a recent signature are accepted.
 */
function certified(
  call: JsonObject,
  { events }: { events: MomentEvent[] },
  receivedAt: Temporal.Instant,
): AdapterResult {
  const signature = snsSignature(call);
  if ('problem' in signature)
    return { error: stored('the notification is refused: {problem}.', { problem: signature.problem }) };
  const signedAt = senderTime(textField(call, 'Timestamp'));
  const oldest = receivedAt.subtract({ hours: OLDEST_HOURS });
  if (!signedAt || Temporal.Instant.compare(signedAt, oldest) < 0)
    return {
      error: stored('the notification is refused: it was signed more than {hours} hours ago.', {
        hours: OLDEST_HOURS,
      }),
    };
  return { events, certified: signature };
}

function confirmation(call: JsonObject, topic: string | null): AdapterResult {
  const url = textField(call, 'SubscribeURL');
  if (!topic || !url) return { error: stored('the confirmation has no "TopicArn" or no "SubscribeURL".') };
  if (!isSnsUrl(url)) return { error: stored('the address of the confirmation is not one of Amazon SNS.') };
  const signature = snsSignature(call);
  if ('problem' in signature)
    return { error: stored('the confirmation is refused: {problem}.', { problem: signature.problem }) };
  return { confirm: { url, topic, ...signature } };
}

function readNotification(call: JsonObject, receivedAt: Temporal.Instant): AdapterResult {
  const message = textField(call, 'Message');
  const parsed = message === null ? null : readJsonObject(Buffer.from(message));
  const inner = parsed && 'object' in parsed ? parsed.object : null;
  const alarm = inner && readAlarm(inner);
  if (alarm) return { events: [alarmEvent(alarm, receivedAt)] };
  const title =
    textField(call, 'Subject') ?? bridgedTitle(inner) ?? message?.trim().split('\n', 1)[0] ?? null;
  if (!title) return { error: stored('the notification has neither "Message" nor "Subject".') };
  return { events: [otherEvent(call, title, inner ? codeBlock(message) : plainText(message), receivedAt)] };
}

/** EventBridge names the type and the service of the event that it forwards. */
function bridgedTitle(event: JsonObject | null): string | null {
  const kind = event && textField(event, 'detail-type');
  const code = event && firstText(objectField(event, 'detail'), ['eventTypeCode', 'title', 'type']);
  return kind && [kind, code].filter(Boolean).join(': ');
}

/** With raw message delivery the envelope is missing. EventBridge also posts events itself. */
function readRaw(call: JsonObject, receivedAt: Temporal.Instant): AdapterResult {
  const alarm = readAlarm(call);
  if (alarm) return { events: [alarmEvent(alarm, receivedAt)] };
  const title = bridgedTitle(call);
  if (title)
    return { events: [otherEvent(call, title, codeBlock(JSON.stringify(call, null, 2)), receivedAt)] };
  return unreadable(stored('the body has neither "Type" nor "AlarmName"'), EXPECTED);
}

/** Other messages of the topic. No later call refers to them. */
function otherEvent(
  call: JsonObject,
  title: string,
  description: string | null,
  receivedAt: Temporal.Instant,
): MomentEvent {
  const id = firstText(call, ['MessageId', 'id']);
  const at = senderTime(firstText(call, ['Timestamp', 'time'])) ?? receivedAt;
  return momentEvent(
    {
      dedupKey: id && `message ${id}`,
      action: 'open',
      name: title,
      type: 'alert',
      priority: 'medium',
      description,
      source: textField(call, 'MessageId') ? 'Amazon SNS' : 'Amazon EventBridge',
      sourceUrl: null,
      occurredAt: at,
      at,
    },
    receivedAt,
  );
}
