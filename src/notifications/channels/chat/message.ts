import { t } from '../../../language/contract.ts';
import type { Notification } from '../channel.ts';
import {
  canAcknowledge,
  canEscalate,
  clean,
  headline,
  moreLine,
  oneLine,
  repeatLine,
  shorten,
  urgencyText,
  whence,
} from '../wording.ts';

type Text = { type: 'plain_text'; text: string; emoji: false };
type Button = {
  type: 'button';
  action_id: string;
  text: Text;
  value?: string;
  url?: string;
  style?: 'primary' | 'danger';
};
type Block =
  | { type: 'header'; text: Text }
  | { type: 'section'; text: Text }
  | { type: 'context'; elements: Text[] }
  | { type: 'actions'; elements: Button[] };

export type ChatMessage = { text: string; blocks: Block[] };

/**
 * How a message shows its links. Slack refuses a whole message because of one button whose URL it does not accept, and does not
 * document which these are.
 */
export type Links = 'buttons' | 'text';

/**
 * A page as a Slack message. External text is `plain_text`, so that `<!channel>` or a disguised link has no effect. The
 * lengths are Slack's limits.
 */
export function chatMessage(notification: Notification, links: Links = 'buttons'): ChatMessage {
  return {
    text: fallback(notification),
    blocks: [...bodyBlocks(notification), ...actionBlocks(notification, links, canAcknowledge(notification))],
  };
}

/** The same message after an answer. The buttons stay while the page is open. */
export function answeredChatMessage(
  notification: Notification,
  answer: string,
  stillOpen: boolean,
  links: Links = 'buttons',
): ChatMessage {
  const answerable = stillOpen && canAcknowledge(notification);
  return {
    text: `${escapeMarkup(answer)} ${fallback(notification)}`,
    blocks: [
      ...bodyBlocks(notification),
      { type: 'section', text: plain(answer, 3000) },
      ...actionBlocks(notification, links, answerable),
    ],
  };
}

function bodyBlocks(notification: Notification): Block[] {
  const text = clean(notification.text).trim();
  const facts = [
    urgencyText(notification.urgency),
    whence(notification),
    moreLine(notification, 1500),
    repeatLine(notification),
  ];
  return [
    { type: 'header', text: plain(headline(notification), 150) },
    ...(text ? [{ type: 'section' as const, text: plain(text, 3000) }] : []),
    {
      type: 'context',
      elements: facts.filter((fact) => fact !== null).map((fact) => plain(fact, 2000)),
    },
  ];
}

/** The buttons of an answer, if it may still be given, and the links. */
function actionBlocks(notification: Notification, links: Links, answerable: boolean): Block[] {
  const answers = answerable ? answerButtons(notification) : [];
  const known = linksOf(notification);
  if (links === 'buttons')
    return [
      { type: 'actions', elements: [...answers, ...known.map(({ line: _, ...link }) => button(link))] },
    ];
  return [
    { type: 'section', text: plain(known.map(({ line }) => line).join('\n'), 3000) },
    ...(answers.length > 0 ? [{ type: 'actions' as const, elements: answers }] : []),
  ];
}

function answerButtons(notification: Notification): Button[] {
  const value = notification.deliveryId;
  return [
    { type: 'button', action_id: 'acknowledge', text: plain(t('Acknowledge'), 75), value, style: 'primary' },
    ...(canEscalate(notification)
      ? [{ type: 'button' as const, action_id: 'escalate', text: plain(t('Escalate'), 75), value }]
      : []),
  ];
}

type Link = { id: string; label: string; url: string };

/** `line`: the link as text. */
function linksOf({ pageUrl, sourceUrl }: Notification): (Link & { line: string })[] {
  const page = {
    ...{ id: 'open_page', label: t('Open the page'), url: pageUrl },
    line: t('Open the page: {url}', { url: pageUrl }),
  };
  if (!sourceUrl || sourceUrl.length > 3000) return [page];
  const source = {
    ...{ id: 'open_source', label: t('More about it'), url: sourceUrl },
    line: t('More about it: {url}', { url: oneLine(sourceUrl) }),
  };
  return [page, source];
}

function button({ id, label, url }: Link): Button {
  return { type: 'button', action_id: id, text: plain(label, 75), url };
}

/** The text for lock screens and screen readers. */
function fallback(notification: Notification): string {
  return escapeMarkup(shorten(`${headline(notification)} (${urgencyText(notification.urgency)})`, 1000));
}

function plain(text: string, max: number): Text {
  return { type: 'plain_text', text: shorten(text.includes('\n') ? text : oneLine(text), max), emoji: false };
}

/** Escapes Slack's three control characters. */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
