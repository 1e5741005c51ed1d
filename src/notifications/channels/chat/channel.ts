import { stored } from '../../../language/contract.ts';
import type { Channel, Resolution } from '../channel.ts';
import type { ChannelCode } from '../channel-code.ts';
import { isMessage, messageChat } from '../message.ts';
import { type Attempt, makeChannel, refused } from '../outcome.ts';
import { resolvedLine } from '../wording.ts';
import { slackCallbacks } from './callbacks.ts';
import { answeredChatMessage, chatMessage } from './message.ts';
import { chatMethod } from './method.ts';
import { SLACK, type SlackSettings } from './settings.ts';
import { callSlack } from './slack-call.ts';

const NOT_CONFIGURED = stored(
  'Chat is not set up: set it up under Settings, Channels, or set SLACK_BOT_TOKEN and SLACK_SIGNING_SECRET.',
);

/** Direct messages in Slack. People answer with buttons. */
export function chatChannel(settings: SlackSettings): Channel {
  const write: Attempt = async (content, { chatUserId: channel }, signal) => {
    const { slack } = settings;
    if (!slack) return refused(NOT_CONFIGURED);
    if (!channel)
      return refused(
        stored('The Slack user id of this person is not known; add chat_user_id to the contact method.'),
      );
    const options = { channel, unfurl_links: false, unfurl_media: false };
    return callSlack(slack, signal, ({ chat }, links) =>
      chat.postMessage({
        ...(isMessage(content) ? messageChat(content, links) : chatMessage(content, links)),
        ...options,
      }),
    );
  };
  // An edited message makes no sound.
  const edit: Attempt<Resolution> = async (over, _, signal) => {
    const { slack } = settings;
    if (!slack) return refused(NOT_CONFIGURED);
    const [channel, ts] = over.providerId?.split(':') ?? [];
    if (!channel || !ts) return refused(stored('Slack gave this message no id, so it cannot be edited.'));
    return callSlack(slack, signal, ({ chat }, links) =>
      chat.update({
        ...answeredChatMessage(over.notification, resolvedLine(over), false, links),
        channel,
        ts,
      }),
    );
  };
  return makeChannel('chat', () => (settings.slack ? null : NOT_CONFIGURED), write, edit);
}

export const chatCode = {
  settings: SLACK,
  build: chatChannel,
  method: chatMethod,
  load: ({ slack }: SlackSettings) => slack && import('@slack/web-api'),
  callbacks: slackCallbacks,
  mutable: true,
} satisfies ChannelCode;
