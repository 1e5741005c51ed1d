import type { Detail } from '../../kit/detail-contract.ts';
import { listed, t } from '../../language/contract.ts';
import { methodOf, WRITTEN_TYPES, type WrittenType } from '../../notifications/channels/contract.ts';
import type { MethodReader, Reading } from '../../notifications/channels/description-contract.ts';
import type { NewMethodBody } from '../contact-contract.ts';
import type { Courier } from './courier.ts';

export type NewMethod = { type: WrittenType; value: string; chatUserId: string | null };

/** Reads a new contact method, or returns all of its problems. */
export function readNewMethod(
  body: NewMethodBody,
  { readMethod, means }: Pick<Courier, 'readMethod' | 'means'>,
): { method: NewMethod } | { problems: Detail[] } {
  const type = WRITTEN_TYPES.find((one) => one === body.type);
  if (!type) {
    const message = t('is {type}; give one of {types}', {
      type: JSON.stringify(body.type),
      types: WRITTEN_TYPES.join(', '),
    });
    return { problems: [{ field: 'type', message }] };
  }
  const reader = readMethod(type);
  const value = reader.value(body.value.trim(), means.allowPrivate);
  const chatUserId = readDetail(type, reader, body.chat_user_id?.trim() ?? '');
  const problems = [...problemsOf('value', value), ...problemsOf('chat_user_id', chatUserId)];
  if ('problem' in value || (chatUserId && 'problem' in chatUserId)) return { problems };
  return { method: { type, value: value.value, chatUserId: chatUserId?.value ?? null } };
}

/** Null when the method has no second field and none was given. */
function readDetail(type: WrittenType, reader: MethodReader, text: string): Reading | null {
  if (methodOf(type).detail) return reader.detail?.(text) ?? { value: text };
  if (text === '') return null;
  const owners = listed(
    WRITTEN_TYPES.filter((one) => methodOf(one).detail),
    'or',
  );
  return { problem: t('applies only to {owners}, and this is {type}; leave it out', { owners, type }) };
}

function problemsOf(field: string, reading: Reading | null): Detail[] {
  return reading && 'problem' in reading ? [{ field, message: reading.problem }] : [];
}
