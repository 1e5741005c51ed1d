import { t } from '../../../language/contract.ts';
import type { Notification } from '../channel.ts';
import { canAcknowledge, headline, moreLine, repeatLine, shorten, urgencyText, whence } from '../wording.ts';

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
 * The text of an SMS: the title, the origin of the page, and how to acknowledge it. It has at most three segments. The
 * title is shortened if necessary, the reply code never.
 */
export function smsText(notification: Notification): string {
  const title = plainer(headline(notification));
  const { facts, reply, link } = restLines(notification);
  // Leaves out the link if it leaves too little room for the title, because the reply code acknowledges as well. Then
  // leaves out facts, because an alphabet with 67 characters in a segment may have no room for them.
  return (
    fit(title, [...facts, ...reply, link], 40) ??
    fit(title, [...facts, ...reply], 0) ??
    fit(title, [...facts.slice(0, 1), ...reply], 0) ??
    fit(title, reply, 0) ??
    [shorten(title, 60, '...'), ...reply].join('\n')
  );
}

/**
 * Accents that GSM does not support are removed from our own words, because a single one would double the number of
 * segments.
 */
function restLines(notification: Notification): { facts: string[]; reply: string[]; link: string } {
  const where = whence(notification);
  const urgency = urgencyText(notification.urgency);
  const open = canAcknowledge(notification);
  const facts = [
    where ? t('{where}, {urgency}', { where: shorten(where, 60, '...'), urgency }) : urgency,
    moreLine(notification, 90),
    repeatLine(notification),
  ];
  const { replyCode: code, acknowledgeUrl, pageUrl } = notification;
  return {
    facts: facts.filter((fact) => fact !== null).map(withoutAccents),
    // Everybody replies ACK: it is a command, and no language translates it.
    reply: open ? [withoutAccents(t('Reply ACK {code}', { code }))] : [],
    link: open ? acknowledgeUrl : pageUrl,
  };
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

/**
 * `informações` becomes `informacoes`, `l’alerte` becomes `l'alerte`. Scripts that GSM does not support stay as they
 * are.
 */
export function withoutAccents(text: string): string {
  return plainer(text).replace(/[^\n -~]/g, (character) => {
    if (isGsm(character)) return character;
    const [base = ''] = character.normalize('NFD');
    return /^[A-Za-z]$/.test(base) ? base : character;
  });
}

function plainer(text: string): string {
  return text.replace(/[^\n -~]/g, (character) => PLAINER[character] ?? character);
}
