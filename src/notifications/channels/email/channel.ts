import { stored } from '../../../language/contract.ts';
import type { Channel } from '../channel.ts';
import type { ChannelCode } from '../channel-code.ts';
import { isMessage, messageMail } from '../message.ts';
import { accepted, makeChannel, refused } from '../outcome.ts';
import { shorten } from '../wording.ts';
import { emailMessage } from './message.ts';
import { emailMethod } from './method.ts';
import { isMailbox, parseSender } from './sender.ts';
import { SMTP, type SmtpSettings } from './settings.ts';
import { openTransport, type SmtpError, smtpOutcome } from './transport.ts';

const NOT_CONFIGURED = stored(
  'Email is not set up: set it up under Settings, Channels, or set SMTP_URL and SMTP_FROM.',
);

/** Sends through any SMTP server, with a connection for each message. */
export function emailChannel(settings: SmtpSettings): Channel {
  return makeChannel(
    'email',
    () => (settings.smtp ? null : NOT_CONFIGURED),
    async (content, address, signal) => {
      const { smtp } = settings;
      const from = smtp && parseSender(smtp.from);
      if (!from) return refused(NOT_CONFIGURED);
      if (!isMailbox(address.value))
        return refused(stored('{value} is not an email address.', { value: shorten(address.value, 80) }));
      const progress = { sent: false };
      try {
        const transport = await openTransport(smtp, progress);
        const info = await transport.sendMail({
          ...(isMessage(content) ? messageMail(content, from.domain) : emailMessage(content, from.domain)),
          from: from.sender,
          to: { name: '', address: address.value },
          envelope: { from: from.address, to: [address.value] },
          priority: !isMessage(content) && content.urgency === 'high' ? 'high' : 'normal',
          disableFileAccess: true,
          disableUrlAccess: true,
          signal,
        });
        return accepted(info.messageId);
      } catch (error) {
        return smtpOutcome(error as SmtpError, progress.sent, signal.aborted);
      }
    },
  );
}

export const emailCode = {
  settings: SMTP,
  build: emailChannel,
  method: emailMethod,
  load: ({ smtp }: SmtpSettings) => smtp && import('nodemailer'),
  callbacks: null,
  mutable: true,
} satisfies ChannelCode;
