import { instantText } from '../../kit/instant.ts';
import type { Notification } from './channel.ts';
import { type EmailMessage, escapeHtml, idToken } from './email/message.ts';
import { clean, oneLine, shorten } from './wording.ts';

/**
 * A text that is no page: nothing to acknowledge, nobody to wake.
 * - `notice`: something that the person should know.
 * - `verification`: a code that proves that the address is theirs.
 * - `test`: sent because somebody asked whether it arrives.
 */
export type Message = {
  type: 'notice' | 'verification' | 'test';
  /** Stays the same for every attempt: receivers use it to drop repeats. */
  id: string;
  /** What happened, for programs; null for messages that are no notice. */
  kind: string | null;
  subject: string;
  text: string;
  /** Where to read more; a whole address. */
  url: string | null;
  /** The digits of a verification. */
  code: string | null;
  sentAt: Temporal.Instant;
};

/** What a channel is given to hand over. */
export type Content = Notification | Message;

export function isMessage(content: Content): content is Message {
  return content.type === 'notice' || content.type === 'verification' || content.type === 'test';
}

/** The body for webhooks and browsers. Its `type` and its fields are never those of a page. */
export function messageBody(message: Message) {
  return {
    type: message.type,
    id: message.id,
    kind: message.kind,
    subject: message.subject,
    text: message.text,
    url: message.url,
    ...(message.code === null ? {} : { code: message.code }),
    sent_at: instantText(message.sentAt),
  };
}

/** As an SMS: never more than three segments in any alphabet. The link gives way before the words do. */
export function messageSms({ subject, text, url }: Message): string {
  const words = shorten(oneLine(`${withStop(subject)} ${text}`), url === null ? 200 : 140, '...');
  return url === null || url.length > 60 ? words : `${words}\n${url}`;
}

/** As it is spoken: digits one by one, and everything twice. */
export async function messageTwiml({ subject, text, code }: Message): Promise<string> {
  const { default: twilio } = await import('twilio');
  const response = new twilio.twiml.VoiceResponse();
  const digits = code === null ? '' : ` ${[...code].join(', ')}.`;
  const words = code === null ? `${withStop(subject)} ${text}` : withStop(subject);
  const spoken = `Tocsin. ${shorten(oneLine(words).replace(/[<>&]/g, ' '), 600, ' and so on.')}${digits}`;
  response.pause({ length: 1 });
  response.say(spoken);
  response.pause({ length: 1 });
  response.say(`Again. ${spoken} Goodbye.`);
  return response.toString();
}

/** As a Slack message; everything is plain text, as in those about pages. */
export function messageChat({ subject, text, url }: Message) {
  const plain = (words: string, most: number) =>
    ({ type: 'plain_text', text: shorten(words, most), emoji: false }) as const;
  const words = clean(text).trim();
  const button = { type: 'button', action_id: 'open_notice', text: plain('Open', 75) } as const;
  return {
    text: shorten(heading(subject), 1_000).replace(/[&<>]/g, ' '),
    blocks: [
      { type: 'header', text: plain(heading(subject), 150) } as const,
      ...(words ? [{ type: 'section', text: plain(words, 3_000) } as const] : []),
      ...(url ? [{ type: 'actions', elements: [{ ...button, url }] } as const] : []),
    ],
  };
}

/** As an email. */
export function messageMail(message: Message, domain: string): EmailMessage {
  const { subject, text, url, id } = message;
  const words = clean(text).trim();
  const link = url ? `<p><a href="${escapeHtml(url)}">Open in Tocsin</a></p>` : '';
  return {
    subject: `[Tocsin] ${shorten(heading(subject), 180)}`,
    text: `${words}\n${url ? `\n${url}\n` : ''}`,
    html: `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"></head>\n<body style="font:16px/1.5 sans-serif">
<h1 style="font-size:18px;margin:0 0 16px">${escapeHtml(heading(subject))}</h1>
<p style="margin:0 0 16px;white-space:pre-wrap">${escapeHtml(words)}</p>
${link}
</body></html>\n`,
    messageId: `${idToken(id)}@${domain}`,
    references: '',
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'X-Tocsin-Message': idToken(id),
    },
  };
}

/** Providers refuse a heading of blanks. */
function heading(subject: string): string {
  return oneLine(subject) || 'Tocsin';
}

function withStop(text: string): string {
  return /[.!?:]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}
