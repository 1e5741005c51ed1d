import type { Notification } from '../channel.ts';
import { canAcknowledge, headline, moreLine, repeatLine, shorten, whence } from '../wording.ts';

const SEGMENTS = 3;
/** Room in one of several segments: the rest is the header that joins them (3GPP TS 23.040). */
const GSM_ROOM = 153 * SEGMENTS;
const UCS2_ROOM = 67 * SEGMENTS;

const GSM_BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const GSM_EXTENDED = '^{}\\[~]|€';

/** Characters that writers do not mean and that would double the price of a message. */
const PLAINER: Record<string, string> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
  '\u00a0': ' ',
  '\u202f': ' ',
  '\u2011': '-',
  '·': '-',
  '•': '-',
  '\t': ' ',
};

/**
 * The text of an SMS: title first, where it comes from, how to acknowledge. Never more than three segments: the
 * title gives way, the reply code never does.
 */
export function smsText(notification: Notification): string {
  const title = plainer(headline(notification));
  const rest = restLines(notification).map(plainer);
  const withoutLink = rest.slice(0, -1);
  const link = rest.at(-1) ?? '';
  // A link that leaves no room for the title is worth less than the title: the code acknowledges as well.
  return fit(title, [...withoutLink, link], 40) ?? fit(title, withoutLink, 0) ?? shorten(title, 60, '...');
}

function restLines(notification: Notification): string[] {
  const where = whence(notification);
  const urgency = `${notification.urgency} urgency`;
  const open = canAcknowledge(notification);
  const lines = [
    where ? `${shorten(where, 60, '...')}, ${urgency}` : urgency,
    moreLine(notification, 90),
    repeatLine(notification),
    open ? `Reply ACK ${notification.replyCode}` : null,
    open ? notification.acknowledgeUrl : notification.pageUrl,
  ];
  return lines.filter((line) => line !== null);
}

/** Shortens the title until all of it fits; null when less than `least` characters would be left of it. */
function fit(title: string, lines: string[], least: number): string | null {
  const whole = (head: string) => [head, ...lines].join('\n');
  const gsm = isGsm(whole(title));
  const room = gsm ? GSM_ROOM : UCS2_ROOM;
  let left = room - smsLength(whole(''), gsm);
  while (left >= Math.min(least, title.length)) {
    const text = whole(shorten(title, left, '...'));
    const over = smsLength(text, gsm) - room;
    if (over <= 0) return text;
    // Extended characters take two places each.
    left -= Math.max(1, Math.ceil(over / 2));
  }
  return null;
}

/** How many segments the text takes. */
export function smsSegments(text: string): number {
  const gsm = isGsm(text);
  const length = smsLength(text, gsm);
  if (length <= (gsm ? 160 : 70)) return 1;
  return Math.ceil(length / (gsm ? 153 : 67));
}

function isGsm(text: string): boolean {
  return [...text].every((character) => GSM_BASIC.includes(character) || GSM_EXTENDED.includes(character));
}

function smsLength(text: string, gsm: boolean): number {
  if (!gsm) return text.length;
  return [...text].reduce((sum, character) => sum + (GSM_EXTENDED.includes(character) ? 2 : 1), 0);
}

function plainer(text: string): string {
  return text.replace(/[^\n -~]/g, (character) => PLAINER[character] ?? character);
}
