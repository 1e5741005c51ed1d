import { parseInstant } from '../../kit/instant.ts';
import type { MomentEvent } from '../event.ts';
import type { LooseFields } from './loose-fields.ts';
import { senderTime } from './sender-time.ts';

const DAY_MS = 86_400_000;

/**
 * When a problem began, and when the event happened. Our media type sends exact times besides the macros. The times of
 * macros are in the server's zone, which is unknown, so they are only used if they are at least a day away.
 */
export function zabbixTimes(
  fields: LooseFields,
  action: MomentEvent['action'],
  isUpdate: boolean,
  receivedAt: Temporal.Instant,
): Pick<MomentEvent, 'occurredAt' | 'at' | 'inOrder'> {
  const began = senderTime(fields.value('event_at', 'event_timestamp'));
  const exact =
    action === 'resolve'
      ? senderTime(fields.value('event_recovery_at', 'event_recovery_timestamp'))
      : isUpdate
        ? senderTime(fields.value('event_update_at', 'event_update_timestamp'))
        : began;
  return {
    occurredAt: began ?? localTime(fields, receivedAt) ?? receivedAt,
    at: exact ?? receivedAt,
    ...(exact ? { inOrder: true } : {}),
  };
}

/**
 * Whether an event names the time at which its problem ended. Only a readable time counts, because a placeholder of
 * somebody's own script must not end a problem that continues.
 */
export function hasEnded(fields: LooseFields): boolean {
  const at = senderTime(fields.value('event_recovery_at', 'event_recovery_timestamp'));
  return at !== null || /^20\d\d\.\d\d\.\d\d$/.test(fields.text('event_recovery_date')?.trim() ?? '');
}

function localTime(fields: LooseFields, receivedAt: Temporal.Instant): Temporal.Instant | null {
  const date = fields.text('event_date')?.slice(0, 20).replaceAll('.', '-') ?? '';
  const at = parseInstant(`${date}T${fields.text('event_time')?.slice(0, 20) ?? ''}`);
  if (!at || at.epochMilliseconds <= 0) return null;
  return Math.abs(at.epochMilliseconds - receivedAt.epochMilliseconds) < DAY_MS ? null : at;
}
