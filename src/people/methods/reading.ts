import type { Detail } from '../../kit/fault.ts';
import { privateLiteral } from '../../kit/private-addresses.ts';
import { FORMATS } from '../../kit/validation.ts';
import { WRITTEN_TYPES, type WrittenType } from '../../notifications/channels/contract.ts';
import type { NewMethodBody } from '../contact-contract.ts';
import { EMAIL_HINT, isEmail } from '../email.ts';
import { readPhone } from '../phone.ts';

export type NewMethod = { type: WrittenType; value: string; chatUserId: string | null };

/** A new contact method as somebody wrote it, or all that is wrong with it. */
export function readNewMethod(
  body: NewMethodBody,
  allowPrivate: boolean,
): { method: NewMethod } | { problems: Detail[] } {
  const type = WRITTEN_TYPES.find((one) => one === body.type);
  if (!type)
    return {
      problems: [
        {
          field: 'type',
          message: `is ${JSON.stringify(body.type)}; give one of ${WRITTEN_TYPES.join(', ')}`,
        },
      ],
    };
  const value = readMethodValue(type, body.value, allowPrivate);
  const chat = readChatUserId(type, body.chat_user_id);
  const problems = [value, chat].flatMap((read) => ('problem' in read ? [read.problem] : []));
  if ('problem' in value || 'problem' in chat) return { problems };
  return { method: { type, value: value.text, chatUserId: chat.id } };
}

type Read = { text: string } | { problem: Detail };

/** The number, address, name or URL of a contact method in the form in which it is stored. */
export function readMethodValue(type: WrittenType, value: string, allowPrivate: boolean): Read {
  return READERS[type](value.trim(), allowPrivate);
}

const READERS: Record<WrittenType, (text: string, allowPrivate: boolean) => Read> = {
  phone(text) {
    const reading = readPhone(text);
    return 'number' in reading ? { text: reading.number } : wrong(reading.problem);
  },
  email: (text) => (isEmail(text) ? { text } : wrong(`is no email address; give ${EMAIL_HINT}`)),
  chat: (text) =>
    text.length >= 1 && text.length <= 200 && FORMATS.text?.(text)
      ? { text }
      : wrong('is no name; give the name that you have in Slack, at most 200 characters'),
  webhook(text, allowPrivate) {
    if (!FORMATS['http-url']?.(text))
      return wrong('is no http or https URL; give one such as https://example.com/pages');
    const url = new URL(text);
    if (url.username || url.password)
      return wrong('holds a user name or password; leave them out, every call is signed instead');
    if (!allowPrivate && (url.hostname === 'localhost' || privateLiteral(url) !== null))
      return wrong('is a private address; give one that is public, or have ALLOW_PRIVATE_WEBHOOKS set');
    return { text };
  },
};

function wrong(message: string): { problem: Detail } {
  return { problem: { field: 'value', message } };
}

/** Slack shows it in a profile under "Copy member ID". */
function readChatUserId(
  type: WrittenType,
  given: string | undefined,
): { id: string | null } | { problem: Detail } {
  const field = 'chat_user_id';
  const id = given?.trim() ?? '';
  if (type !== 'chat')
    return id === ''
      ? { id: null }
      : { problem: { field, message: `belongs to chat, and this is ${type}; leave it out` } };
  if (/^[UW][A-Z0-9]{5,30}$/.test(id)) return { id };
  const how = 'give the member ID from your Slack profile ("Copy member ID"), such as U024BE7LH';
  return { problem: { field, message: `${id === '' ? 'is missing' : 'is no member ID'}; ${how}` } };
}
