import type { Notification } from '../channel.ts';
import { canAcknowledge, headline, moreLine, repeatLine, shorten, whence } from '../wording.ts';

const SEGMENTS = 3;
/** Characters in a segment of a long message; the header that joins the segments takes the rest (3GPP TS 23.040). */
const GSM_ROOM = 153 * SEGMENTS;
const UCS2_ROOM = 67 * SEGMENTS;

const GSM_BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const GSM_EXTENDED = '^{}\\[~]|€';

/** Replacements for typographic characters, which would double the number of segments. */
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
 * The text of an SMS: the title, where the page comes from, and how to acknowledge it. At most three segments; the
 * title is shortened if necessary, the reply code never.
 */
export function smsText(notification: Notification): string {
  const title = plainer(headline(notification));
  const rest = restLines(notification).map(plainer);
  const withoutLink = rest.slice(0, -1);
  const link = rest.at(-1) ?? '';
  // Leave out the link if it leaves too little room for the title, because the reply code acknowledges as well.
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

/** Shortens the title until everything fits. Null when less than `least` characters of it would be left. */
function fit(title: string, lines: string[], least: number): string | null {
  const whole = (head: string) => [head, ...lines].join('\n');
  const gsm = isGsm(whole(title));
  const room = gsm ? GSM_ROOM : UCS2_ROOM;
  let left = room - smsLength(whole(''), gsm);
  while (left >= Math.min(least, title.length)) {
    const text = whole(shorten(title, left, '...'));
    const over = smsLength(text, gsm) - room;
    if (over <= 0) return text;
    // Characters of the GSM extension table take two places each.
    left -= Math.max(1, Math.ceil(over / 2));
  }
  return null;
}

/** The number of segments that the text takes. */
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
