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
 * A page as a Slack message. External text is `plain_text`, so that `<!channel>` or a disguised link has no effect. The
 * lengths are Slack's limits.
 */
export function chatMessage(notification: Notification): ChatMessage {
  return {
    text: fallback(notification),
    blocks: [...bodyBlocks(notification), { type: 'actions', elements: buttons(notification) }],
  };
}

/** The same message after an answer. The buttons stay while the page is open. */
export function answeredChatMessage(
  notification: Notification,
  answer: string,
  stillOpen: boolean,
): ChatMessage {
  const elements = stillOpen ? buttons(notification) : linkButtons(notification);
  return {
    text: `${escapeMarkup(answer)} ${fallback(notification)}`,
    blocks: [
      ...bodyBlocks(notification),
      { type: 'section', text: plain(answer, 3000) },
      { type: 'actions', elements },
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

function buttons(notification: Notification): Button[] {
  if (!canAcknowledge(notification)) return linkButtons(notification);
  const value = notification.deliveryId;
  return [
    { type: 'button', action_id: 'acknowledge', text: plain(t('Acknowledge'), 75), value, style: 'primary' },
    ...(canEscalate(notification)
      ? [{ type: 'button' as const, action_id: 'escalate', text: plain(t('Escalate'), 75), value }]
      : []),
    ...linkButtons(notification),
  ];
}

function linkButtons(notification: Notification): Button[] {
  const page: Button = {
    type: 'button',
    action_id: 'open_page',
    text: plain(t('Open the page'), 75),
    url: notification.pageUrl,
  };
  const { sourceUrl } = notification;
  if (!sourceUrl || sourceUrl.length > 3000) return [page];
  return [
    page,
    { type: 'button', action_id: 'open_source', text: plain(t('More about it'), 75), url: sourceUrl },
  ];
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
