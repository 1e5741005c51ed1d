import { instantText } from '../../kit/instant.ts';
import { locale, t, tIn } from '../../language/contract.ts';
import type { Notification } from './channel.ts';
import type { Links } from './chat/message.ts';
import { type EmailMessage, escapeHtml, idToken } from './email/message.ts';
import { andSoOn, voiceOf } from './voice/spoken.ts';
import { clean, oneLine, shorten } from './wording.ts';

/**
 * A message that is not about a page, so it cannot be acknowledged.
 * - `notice`: information for the person.
 * - `verification`: a code that proves that the address is theirs.
 * - `test`: sent on request, to see whether it arrives.
 */
export type Message = {
  type: 'notice' | 'verification' | 'test';
  /** The same for every attempt, so that receivers can drop repeats. */
  id: string;
  /** The kind of the notice, for programs; null for other messages. */
  kind: string | null;
  subject: string;
  text: string;
  /** A complete URL with more details. */
  url: string | null;
  /** The event, for programs, which get this instead of the texts. Only webhooks send it. */
  event?: { type: string; data: Record<string, unknown> };
  /** The digits of a verification code. */
  code: string | null;
  /** The page that it is about, so that mail programs show it with the emails of that page. */
  pageId?: string;
  sentAt: Temporal.Instant;
};

/** What a channel sends. */
export type Content = Notification | Message;

export function isMessage(content: Content): content is Message {
  return content.type === 'notice' || content.type === 'verification' || content.type === 'test';
}

/** The body for webhooks and browsers. Neither its `type` nor its fields are those of a page. */
export function messageBody(message: Message) {
  const { event, id, url } = message;
  if (event) return { type: event.type, id, ...event.data, url, sent_at: instantText(message.sentAt) };
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

/**
 * The message as an SMS of at most three segments in any alphabet. The link is left out before the text is shortened.
 */
export function messageSms({ subject, text, url }: Message): string {
  const words = shorten(oneLine(`${withStop(subject)} ${text}`), url === null ? 200 : 140, '...');
  return url === null || url.length > 60 ? words : `${words}\n${url}`;
}

/** The message as speech: digits one by one, and everything twice. */
export async function messageTwiml({ subject, text, code }: Message): Promise<string> {
  const { default: twilio } = await import('twilio');
  const response = new twilio.twiml.VoiceResponse();
  const voice = voiceOf(locale());
  const digits = code === null ? '' : ` ${[...code].join(', ')}.`;
  const words = code === null ? `${withStop(subject)} ${text}` : withStop(subject);
  const spoken = `Tocsin. ${shorten(oneLine(words).replace(/[<>&]/g, ' '), 600, andSoOn())}${digits}`;
  response.pause({ length: 1 });
  response.say(voice, spoken);
  response.pause({ length: 1 });
  response.say(voice, t('Again. {text} Goodbye.', { text: spoken }));
  return response.toString();
}

/** The message for Slack, in plain text only, as for pages. */
export function messageChat({ subject, text, url }: Message, links: Links = 'buttons') {
  const plain = (words: string, most: number) =>
    ({ type: 'plain_text', text: shorten(words, most), emoji: false }) as const;
  const words = clean(text).trim();
  const button = {
    type: 'button',
    action_id: 'open_notice',
    text: plain(tIn('a button', 'Open'), 75),
  } as const;
  return {
    text: shorten(heading(subject), 1_000).replace(/[&<>]/g, ' '),
    blocks: [
      { type: 'header', text: plain(heading(subject), 150) } as const,
      ...(words ? [{ type: 'section', text: plain(words, 3_000) } as const] : []),
      ...(url && links === 'buttons' ? [{ type: 'actions', elements: [{ ...button, url }] } as const] : []),
      ...(url && links === 'text' ? [{ type: 'section', text: plain(url, 3_000) } as const] : []),
    ],
  };
}

/** The message as an email. */
export function messageMail(message: Message, domain: string): EmailMessage {
  const { subject, text, url, id, pageId } = message;
  const words = clean(text).trim();
  const link = url ? `<p><a href="${escapeHtml(url)}">${escapeHtml(t('Open in Tocsin'))}</a></p>` : '';
  return {
    subject: `[Tocsin] ${shorten(heading(subject), 180)}`,
    text: `${words}\n${url ? `\n${url}\n` : ''}`,
    html: `<!doctype html>\n<html lang="${locale()}"><head><meta charset="utf-8"></head>\n<body style="font:16px/1.5 sans-serif">
<h1 style="font-size:18px;margin:0 0 16px">${escapeHtml(heading(subject))}</h1>
<p style="margin:0 0 16px;white-space:pre-wrap">${escapeHtml(words)}</p>
${link}
</body></html>\n`,
    messageId: `${idToken(id)}@${domain}`,
    references: pageId === undefined ? '' : `<${idToken(pageId)}@${domain}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'X-Tocsin-Message': idToken(id),
    },
  };
}

/** Providers refuse a blank heading. */
function heading(subject: string): string {
  return oneLine(subject) || 'Tocsin';
}

function withStop(text: string): string {
  return /[.!?:。！？：]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`;
}
