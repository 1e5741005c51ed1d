import { instantText } from '../kit/instant.ts';
import { methodOf } from '../notifications/channels/contract.ts';
import type { Oncall } from './contract.ts';
import type { OncallRow } from './read-store.ts';

/** A shift as `GET /schedules/:id/oncalls` answers it. */
export function presentOncall(scheduleId: string, row: OncallRow): Oncall {
  return {
    schedule_id: scheduleId,
    stage: row.stage,
    start_time: instantText(row.startsAt),
    end_time: instantText(row.endsAt),
    user: presentUser(row),
  };
}

export function presentUser({
  userName,
  userEmail,
  contactMethods,
}: Pick<OncallRow, 'userName' | 'userEmail' | 'contactMethods'>): Oncall['user'] {
  return {
    name: userName,
    email: userEmail,
    contact_methods: contactMethods.map(({ type, value, chatUserId }) =>
      methodOf(type).detail ? { type, value, chat_user_id: chatUserId } : { type, value },
    ),
  };
}
