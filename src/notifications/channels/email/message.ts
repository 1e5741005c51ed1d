import { locale, t, tIn } from '../../../language/contract.ts';
import type { Notification } from '../channel.ts';
import { canAcknowledge, clean, headline, oneLine, repeatLine, shorten, whence } from '../wording.ts';

export type EmailMessage = {
  subject: string;
  text: string;
  html: string;
  /** Without angle brackets. */
  messageId: string;
  /** Makes mail programs show all messages about a page as one thread. */
  references: string;
  headers: Record<string, string>;
};

/** The email about a page. `domain` is the domain of the sender. */
export function emailMessage(notification: Notification, domain: string): EmailMessage {
  const lines = factLines(notification);
  return {
    subject: subjectOf(notification),
    text: textPart(notification, lines),
    html: htmlPart(notification, lines),
    messageId: `${idToken(notification.deliveryId)}@${domain}`,
    references: `<${idToken(notification.pageId)}@${domain}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'X-Tocsin-Page': idToken(notification.pageId),
      'X-Tocsin-Delivery': idToken(notification.deliveryId),
    },
  };
}

function subjectOf(notification: Notification): string {
  const word = notification.type === 'page.expired' ? tIn('a page', 'expired') : urgencyWord(notification);
  const values = {
    word,
    title: shorten(oneLine(notification.title), 180),
    count: notification.bundled.length,
  };
  return values.count === 0
    ? t('[Tocsin] {word}: {title}', values)
    : t('[Tocsin] {word}: {title} ({count, plural, one {and # more page} other {and # more pages}})', values);
}

function urgencyWord({ urgency }: Notification): string {
  return {
    high: () => tIn('urgency', 'high'),
    medium: () => tIn('urgency', 'medium'),
    low: () => tIn('urgency', 'low'),
  }[urgency]();
}

function factLines(notification: Notification): [name: string, value: string][] {
  const facts: [string, string | null][] = [
    [t('Urgency'), urgencyWord(notification)],
    [t('Paged through'), whence(notification)],
    [tIn('its number', 'Page'), idToken(notification.pageId)],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}

function textPart(notification: Notification, facts: [string, string][]): string {
  const repeat = repeatLine(notification);
  const more = notification.bundled.length > 0;
  return [
    headline(notification),
    ...(repeat ? ['', repeat] : []),
    '',
    clean(notification.text).trim(),
    '',
    ...(canAcknowledge(notification) ? [t('Acknowledge: {url}', { url: notification.acknowledgeUrl })] : []),
    t('Open the page: {url}', { url: notification.pageUrl }),
    ...(notification.sourceUrl ? [t('More about it: {url}', { url: oneLine(notification.sourceUrl) })] : []),
    ...(more ? ['', alsoText(notification), ...notification.bundled.map(bundledLine)] : []),
    '',
    ...facts.map(([name, value]) => `${name}: ${value}`),
    '',
  ].join('\n');
}

/** The text before the titles of the other pages. */
function alsoText({ bundled }: Notification): string {
  return t(
    '{count, plural, one {This message also covers # more page:} other {This message also covers # more pages:}}',
    { count: bundled.length },
  );
}

const bundledLine = (page: { title: string }): string => `- ${oneLine(page.title)}`;

const PARAGRAPH = 'style="margin:0 0 16px"';
const BUTTON =
  'style="display:inline-block;padding:14px 28px;border-radius:6px;background:#b3261e;color:#ffffff;font-weight:600;text-decoration:none"';

function htmlPart(notification: Notification, facts: [string, string][]): string {
  const repeat = repeatLine(notification);
  const more = notification.bundled.length > 0;
  const paragraphs = [
    `<h1 style="font-size:20px;margin:0 0 16px">${escapeHtml(headline(notification))}</h1>`,
    repeat && `<p ${PARAGRAPH}><em>${escapeHtml(repeat)}</em></p>`,
    `<p style="margin:0 0 16px;white-space:pre-wrap">${escapeHtml(clean(notification.text).trim())}</p>`,
    canAcknowledge(notification) &&
      `<p ${PARAGRAPH}><a ${BUTTON} href="${escapeHtml(notification.acknowledgeUrl)}">${escapeHtml(t('Acknowledge'))}</a></p>`,
    `<p ${PARAGRAPH}>${links(notification).join(' &middot; ')}</p>`,
    more && `<p ${PARAGRAPH}>${escapeHtml(alsoText(notification))}</p>`,
    more &&
      `<ul>${notification.bundled.map((page) => `<li>${escapeHtml(oneLine(page.title))}</li>`).join('')}</ul>`,
    `<p style="margin:0;color:#666666">${facts.map(([name, value]) => escapeHtml(`${name}: ${value}`)).join('<br>')}</p>`,
  ];
  const body = paragraphs.filter((paragraph) => typeof paragraph === 'string').join('\n');
  return `<!doctype html>\n<html lang="${locale()}"><head><meta charset="utf-8"></head>\n<body style="font:16px/1.5 sans-serif">\n${body}\n</body></html>\n`;
}

function links(notification: Notification): string[] {
  const page = `<a href="${escapeHtml(notification.pageUrl)}">${escapeHtml(t('Open the page'))}</a>`;
  const source = notification.sourceUrl;
  return source
    ? [page, `<a href="${escapeHtml(oneLine(source))}">${escapeHtml(t('More about it'))}</a>`]
    : [page];
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** Our ids are safe, but no header may contain a character that could end it. */
export function idToken(id: string): string {
  return id.replace(/[^A-Za-z0-9_.-]/g, '');
}
