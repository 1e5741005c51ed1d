import { asSentence, tlsTrouble } from '../../../kit/tls-trouble.ts';
import { stored } from '../../../language/contract.ts';
import type { Channel, Outcome, Problem } from '../channel.ts';
import type { ChannelCode } from '../channel-code.ts';
import { isMessage, messageMail } from '../message.ts';
import { accepted, makeChannel, messageOf, refused, retry } from '../outcome.ts';
import { shorten } from '../wording.ts';
import { emailMessage } from './message.ts';
import { emailMethod } from './method.ts';
import { SMTP, type SmtpSettings } from './settings.ts';

const NOT_CONFIGURED = stored('Email is not set up: set SMTP_URL and SMTP_FROM.');
/** The time limit of each SMTP step. The deadline of the attempt limits the whole conversation. */
const STEP_MS = 9_000;

/** Sends through any SMTP server, with a connection for each message. */
export function emailChannel(settings: SmtpSettings): Channel {
  const { smtp } = settings;
  const from = smtp ? parseSender(smtp.from) : null;
  const unavailable = !smtp
    ? NOT_CONFIGURED
    : from
      ? null
      : stored('SMTP_FROM is not an email address; give one such as {example}.', {
          example: '"Tocsin <tocsin@example.com>"',
        });
  return makeChannel('email', unavailable, async (content, address, signal) => {
    if (!smtp || !from) return refused(NOT_CONFIGURED);
    if (!isMailbox(address.value))
      return refused(stored('{value} is not an email address.', { value: shorten(address.value, 80) }));
    const progress = { sent: false };
    try {
      const transport = await openTransport(smtp.url, progress);
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
  });
}

/**
 * A transport for one message. The library reports only in its log that the whole message, including the final dot, was
 * written to the socket. From then on, the server may have accepted it.
 */
async function openTransport(url: string, progress: { sent: boolean }) {
  const { createTransport } = await import('nodemailer');
  const silent = () => {};
  const logger = {
    level: silent,
    trace: silent,
    debug: silent,
    warn: silent,
    error: silent,
    fatal: silent,
    info(entry: { tnx?: string }) {
      if (entry.tnx === 'message') progress.sent = true;
    },
  };
  return createTransport({
    url,
    logger,
    dnsTimeout: STEP_MS,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    socketCloseTimeout: 1_000,
    maxResponseSize: 64 * 1024,
  });
}

type SmtpError = Error & { code?: string; responseCode?: number; response?: string; originalCode?: string };

const CREDENTIALS: Problem = {
  code: 'credentials',
  fix: stored('The mail server refuses our sign-in: check the user name and password in SMTP_URL.'),
};
const SENDER: Problem = {
  code: 'misconfigured',
  fix: stored(
    'The mail server refuses our sender: check that SMTP_FROM is an address that this server may send from.',
  ),
};
const UNREACHABLE: Problem = {
  code: 'unreachable',
  fix: stored(
    'The mail server does not answer: check the host and port in SMTP_URL, and that the server is running.',
  ),
};

/** RFC 5321, section 4.2.1: 4yz codes are temporary, 5yz codes are permanent. */
function smtpOutcome(error: SmtpError, sent: boolean, aborted: boolean): Outcome {
  const status = error.responseCode ?? 0;
  const said = stored('The mail server answered: {response}', {
    response: shorten(error.response ?? '', 300),
  });
  if (error.code === 'EAUTH' && (status === 0 || status >= 500)) {
    return refused(
      status ? said : stored('Signing in to the mail server failed: {error}.', { error: messageOf(error) }),
      CREDENTIALS,
    );
  }
  if (status === 530) return refused(said, CREDENTIALS);
  if (status >= 500) return refused(said, isAboutSender(error) ? SENDER : undefined);
  if (status >= 400) return retry(said, { maybeSent: false });
  if (error.code === 'EENVELOPE')
    return refused(stored('The mail cannot be sent to this address: {error}.', { error: messageOf(error) }));
  const trouble = tlsTrouble(error, stored('the mail server'));
  if (trouble) return retry(asSentence(trouble), { maybeSent: sent, problem: UNREACHABLE });
  const reason = aborted ? stored('it did not answer in time') : messageOf(error);
  return retry(stored('The mail server could not be used: {reason}.', { reason }), {
    maybeSent: sent,
    problem: UNREACHABLE,
  });
}

function isAboutSender(error: SmtpError): boolean {
  return 'command' in error && error.command === 'MAIL FROM';
}

/** Whether the text is exactly one address: not a list, without a display name or a second header. */
function isMailbox(text: string): boolean {
  return /^[^\s@,;:<>()[\]"\\\p{Cc}]+@[^\s@,;:<>()"\\\p{Cc}]+$/u.test(text);
}

/** Parses `Tocsin <tocsin@example.com>` or an address alone. */
function parseSender(
  text: string,
): { sender: { name: string; address: string }; address: string; domain: string } | null {
  const match = /^\s*(?:"?([^"<>\r\n]*?)"?\s*<([^<>]+)>|([^<>\s]+))\s*$/.exec(text);
  const address = match?.[2] ?? match?.[3] ?? '';
  if (!isMailbox(address)) return null;
  return { sender: { name: match?.[1] || 'Tocsin', address }, address, domain: address.split('@')[1] ?? '' };
}

export const emailCode = {
  settings: SMTP,
  build: emailChannel,
  method: emailMethod,
  load: ({ smtp }: SmtpSettings) => smtp && import('nodemailer'),
  callbacks: null,
  mutable: true,
} satisfies ChannelCode;
