import { isIP } from 'node:net';
import {
  PrivateAddressError,
  privateLiteral,
  privateSentence,
  publicOnlyLookup,
} from '../../../kit/private-addresses.ts';
import { asSentence, tlsTrouble } from '../../../kit/tls-trouble.ts';
import { stored } from '../../../language/contract.ts';
import type { Outcome, Problem } from '../channel.ts';
import { accepted, messageOf, refused, retry } from '../outcome.ts';
import { shorten } from '../wording.ts';

/** `publicOnly`: the server must be on the public internet, because its address was entered in the dashboard (decision 0022). */
export type Smtp = { url: string; from: string; publicOnly?: boolean };

/** The time limit of each SMTP step. The deadline of the attempt limits the whole conversation. */
const STEP_MS = 9_000;

/**
 * A transport for one message. The library reports only in its log that the whole message, including the final dot, was
 * written to the socket. From then on, the server may have accepted it. @throws PrivateAddressError
 */
export async function openTransport(smtp: Smtp, progress: { sent: boolean }) {
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
    ...(smtp.publicOnly ? await publicServer(smtp.url) : { url: smtp.url }),
    logger,
    dnsTimeout: STEP_MS,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    socketCloseTimeout: 1_000,
    maxResponseSize: 64 * 1024,
  });
}

/**
 * The server of a URL by an address that was checked to be public, and the name that its certificate must have, so that a
 * second, different DNS answer cannot bypass the check. @throws PrivateAddressError
 */
async function publicServer(text: string): Promise<{ url: string; servername?: string }> {
  const url = new URL(text);
  const name = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(name)) {
    const inside = privateLiteral(url);
    if (inside) throw inside;
    return { url: text };
  }
  const { address, family } = await lookUp(name);
  // The host of other schemes than HTTP is not rewritten by assigning `hostname`.
  const where = family === 6 ? `[${address}]` : address;
  const { protocol, username, password, port, search } = url;
  const user = username === '' ? '' : `${username}:${password}@`;
  return { url: `${protocol}//${user}${where}${port ? `:${port}` : ''}/${search}`, servername: name };
}

function lookUp(name: string): Promise<{ address: string; family: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ address: string; family: number }>();
  publicOnlyLookup()(name, { all: false }, (error, address, family) => {
    if (error) reject(error);
    else if (typeof address === 'string') resolve({ address, family: family ?? isIP(address) });
  });
  return promise;
}

/** Connects and signs in without sending anything. */
export async function checkMailServer(
  { smtp }: { smtp: Smtp | null },
  signal: AbortSignal,
): Promise<Outcome> {
  if (!smtp) return refused(UNREACHABLE.fix, UNREACHABLE);
  try {
    const transport = await openTransport(smtp, { sent: false });
    await transport.verify();
    return accepted(null);
  } catch (error) {
    return smtpOutcome(error as SmtpError, false, signal.aborted);
  }
}

export type SmtpError = Error & {
  code?: string;
  responseCode?: number;
  response?: string;
  command?: string;
  originalCode?: string;
};

const CREDENTIALS: Problem = {
  code: 'credentials',
  fix: stored('The mail server refuses our sign-in: check the user name and password (SMTP_URL).'),
};
const SENDER: Problem = {
  code: 'misconfigured',
  fix: stored(
    'The mail server refuses our sender: check that it is an address that this server may send from (SMTP_FROM).',
  ),
};
const UNREACHABLE: Problem = {
  code: 'unreachable',
  fix: stored('The mail server does not answer: check its host and port (SMTP_URL), and that it is running.'),
};

const TURNED_AWAY: Problem = {
  code: 'misconfigured',
  fix: stored(
    'The mail server turns us away before it takes a message: check the host, the port and the encryption (SMTP_URL), and that it accepts mail from this machine.',
  ),
};

/** RFC 5321, section 4.2.1: 4yz codes are temporary, 5yz codes are permanent. */
export function smtpOutcome(error: SmtpError, sent: boolean, aborted: boolean): Outcome {
  if (error instanceof PrivateAddressError) return refused(privateSentence(error.message), UNREACHABLE);
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
  if (status >= 500) return refused(said, PROBLEM_OF_COMMAND.get(error.command ?? ''));
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

/** The problems of permanent refusals that do not concern the recipient, by the command that was refused. */
const PROBLEM_OF_COMMAND = new Map<string, Problem>([
  ['CONN', TURNED_AWAY],
  ['EHLO', TURNED_AWAY],
  ['HELO', TURNED_AWAY],
  ['STARTTLS', TURNED_AWAY],
  ['MAIL FROM', SENDER],
]);
