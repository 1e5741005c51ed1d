import { parseInstant } from '../../kit/instant.ts';
import type { MomentEvent } from '../event.ts';
import type { LooseFields } from './loose-fields.ts';
import { senderTime } from './sender-time.ts';

const DAY_MS = 86_400_000;

/**
 * When a problem began, and when what tells of it happened. Our media type sends exact times beside the macros, whose
 * times are of the server's zone, which nobody tells: of those, only what is a day or more away is believed.
 */
export function zabbixTimes(
  fields: LooseFields,
  action: MomentEvent['action'],
  isUpdate: boolean,
  receivedAt: Temporal.Instant,
): { occurredAt: Temporal.Instant; at: Temporal.Instant } {
  const began = senderTime(fields.value('event_at', 'event_timestamp'));
  const exact =
    action === 'resolve'
      ? senderTime(fields.value('event_recovery_at', 'event_recovery_timestamp'))
      : isUpdate
        ? senderTime(fields.value('event_update_at', 'event_update_timestamp'))
        : began;
  return { occurredAt: began ?? localTime(fields, receivedAt) ?? receivedAt, at: exact ?? receivedAt };
}

function localTime(fields: LooseFields, receivedAt: Temporal.Instant): Temporal.Instant | null {
  const date = fields.text('event_date')?.slice(0, 20).replaceAll('.', '-') ?? '';
  const at = parseInstant(`${date}T${fields.text('event_time')?.slice(0, 20) ?? ''}`);
  if (!at || at.epochMilliseconds <= 0) return null;
  return Math.abs(at.epochMilliseconds - receivedAt.epochMilliseconds) < DAY_MS ? null : at;
}
