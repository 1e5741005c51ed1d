import type { Notification, Resolution } from './channel.ts';

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The first line of a message. */
export function headline(notification: Notification): string {
  const title = oneLine(notification.title);
  return notification.type === 'page.expired' ? `Nobody acknowledged: ${title}` : title;
}

/** `Site Reliability, stage 1, round 2` or `Site Reliability, backstop`; null for a page to a person. */
export function whence(notification: Notification): string | null {
  const { team, stage, round, type } = notification;
  if (!team) return null;
  const place = stage !== null ? `stage ${stage}` : type === 'page.expired' ? null : 'backstop';
  return [oneLine(team.name), place, round > 1 ? `round ${round}` : null]
    .filter((part) => part !== null)
    .join(', ');
}

/** `3 more pages`; null when the message is not bundled. */
export function moreCount(notification: Notification): string | null {
  const count = notification.bundled.length;
  return count === 0 ? null : `${count} more ${count === 1 ? 'page' : 'pages'}`;
}

/** `3 more pages: Disk full; Queue stuck; …`, at most `max` characters. */
export function moreLine(notification: Notification, max: number): string | null {
  const count = moreCount(notification);
  if (count === null) return null;
  return shorten(`${count}: ${notification.bundled.map((page) => oneLine(page.title)).join('; ')}`, max);
}

/** A warning that an earlier attempt may have arrived; null without one. */
export function repeatLine(notification: Notification): string | null {
  return notification.repeat ? 'Sent again: you may have had this message before.' : null;
}

/** `Resolved by Prometheus.`; for a bundle, that all of its pages are over. */
export function resolvedLine({ notification, by }: Resolution): string {
  const pages = notification.bundled.length + 1;
  if (pages > 1) return `All ${pages} pages of this message are over.`;
  return by === null ? 'Resolved.' : `Resolved by ${oneLine(by)}.`;
}

export const canAcknowledge = (notification: Notification): boolean =>
  notification.type === 'page.notification';

/** The text on one line without control characters or broken surrogates, safe for headers, XML and terminals. */
export function oneLine(text: string): string {
  return clean(text).replace(/\s+/g, ' ').trim();
}

/** Removes characters that XML, email and phones cannot handle, but keeps line breaks and tabs. */
export function clean(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}|[\u2028\u2029\ufffe\uffff]/gu, ' ');
}

/** At most `max` UTF-16 units, cut between graphemes, with `…` at the end if something is missing. */
export function shorten(text: string, max: number, ellipsis = '…'): string {
  if (text.length <= max) return text;
  let kept = '';
  for (const { segment } of GRAPHEMES.segment(text.slice(0, max + 64))) {
    if (kept.length + segment.length + ellipsis.length > max) break;
    kept += segment;
  }
  return `${kept.trimEnd()}${ellipsis}`;
}
