import { t } from '../../language/contract.ts';
import type { Urgency } from '../../pages/urgency-contract.ts';
import type { Notification, Resolution } from './channel.ts';

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The first line of a message. */
export function headline(notification: Notification): string {
  const title = oneLine(notification.title);
  return notification.type === 'page.expired' ? t('Nobody acknowledged: {title}', { title }) : title;
}

/** `Site Reliability, stage 1, round 2` or `Site Reliability, backstop`; null for a page to a person. */
export function whence(notification: Notification): string | null {
  const { stage, round, type } = notification;
  if (!notification.team) return null;
  const team = oneLine(notification.team.name);
  const isFirst = round <= 1;
  if (stage !== null) {
    const values = { team, stage, round };
    return isFirst ? t('{team}, stage {stage}', values) : t('{team}, stage {stage}, round {round}', values);
  }
  if (type === 'page.expired') return isFirst ? team : t('{team}, round {round}', { team, round });
  return isFirst ? t('{team}, backstop', { team }) : t('{team}, backstop, round {round}', { team, round });
}

/** `high urgency` */
export function urgencyText(urgency: Urgency): string {
  return { high: () => t('high urgency'), medium: () => t('medium urgency'), low: () => t('low urgency') }[
    urgency
  ]();
}

/** `3 more pages: Disk full; Queue stuck; …`, at most `max` characters. */
export function moreLine(notification: Notification, max: number): string | null {
  const count = notification.bundled.length;
  if (count === 0) return null;
  const titles = notification.bundled.map((page) => oneLine(page.title)).join('; ');
  return shorten(
    t('{count, plural, one {# more page: {titles}} other {# more pages: {titles}}}', { count, titles }),
    max,
  );
}

/** A warning that an earlier attempt may have arrived; null without one. */
export function repeatLine(notification: Notification): string | null {
  return notification.repeat ? t('Sent again: you may have had this message before.') : null;
}

/** `Resolved by Prometheus.`; for a bundle, that all of its pages have ended. */
export function resolvedLine({ notification, by }: Resolution): string {
  const pages = notification.bundled.length + 1;
  if (pages > 1)
    return t(
      '{count, plural, one {The page in this message has ended.} other {All # pages in this message have ended.}}',
      { count: pages },
    );
  return by === null ? t('Resolved.') : t('Resolved by {who}.', { who: oneLine(by) });
}

export const canAcknowledge = (notification: Notification): boolean =>
  notification.type === 'page.notification';

/** A page to a person has no stages. */
export const canEscalate = (notification: Notification): boolean =>
  canAcknowledge(notification) && notification.team !== null;

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
