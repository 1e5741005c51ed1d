import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { failOn } from './fake.ts';
import { Inbox } from './inbox.ts';
import { type Mail, readMail } from './mail.ts';

type Step = 'connect' | 'auth' | 'mail' | 'rcpt' | 'data';

/**
 * The answer to the next message. `code` refuses at a step; `delayMs` delays the step. Faults: `hang` stops answering,
 * `cut` resets the connection, `malformed` and `endless` answer something that is not SMTP. At `data` the whole message
 * has been received.
 */
export type MailAnswer =
  | { at: Step; code: number; message?: string }
  | { at: Step; delayMs: number }
  | { at: Step; fault: 'hang' | 'cut' | 'malformed' | 'endless' };

export type FakeSmtp = {
  /** With user name and password, in the format of `SMTP_URL`. */
  url: string;
  settings: { url: string; from: string };
  env: Record<string, string>;
  messages: Inbox<Mail>;
  /** One answer for each of the next messages, in order. */
  script(...answers: MailAnswer[]): void;
  /** From now on, only this password is right. */
  changePassword(password: string): void;
  assertNothingUnexpected(): void;
  stop(): Promise<void>;
};

const FIRST_PASSWORD = 'correct horse';

/** A mail server on the loopback address that requires a sign-in and keeps the accepted messages. */
export async function fakeSmtp(): Promise<FakeSmtp> {
  const messages = new Inbox<Mail>('email');
  const problems: string[] = [];
  let password = FIRST_PASSWORD;
  const script: MailAnswer[] = [];
  const sockets = new Map<string, Socket>();
  const timers = new Set<NodeJS.Timeout>();
  // The answer of a session is chosen when it connects: each connection sends one message.
  const answers = new Map<string, MailAnswer>();

  const step = (at: Step, session: SMTPServerSession, goOn: (error?: Error | null) => void) => {
    const answer = answers.get(session.id);
    if (answer?.at !== at) return goOn();
    if ('code' in answer) return goOn(refusal(answer.code, answer.message));
    if ('delayMs' in answer) return void timers.add(setTimeout(goOn, answer.delayMs));
    const socket = sockets.get(`${session.remotePort}`);
    if (socket) misbehave(answer.fault, socket, timers);
  };

  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onConnect(session, callback) {
      const answer = script.shift();
      if (answer) answers.set(session.id, answer);
      step('connect', session, callback);
    },
    onAuth(auth, session, callback) {
      const right = auth.username === 'tocsin' && auth.password === password;
      if (!right) problems.push(`a sign-in as ${auth.username} with a wrong password`);
      const user = { user: 'tocsin' };
      step('auth', session, (error) =>
        error ? callback(error) : callback(right ? null : refusal(535), user),
      );
    },
    onMailFrom: (_address, session, callback) => step('mail', session, callback),
    onRcptTo: (_address, session, callback) => step('rcpt', session, callback),
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        messages.add(readMail(Buffer.concat(chunks).toString('utf8'), envelopeOf(session)));
        step('data', session, callback);
      });
    },
  });
  // Many stories are about clients that disconnect halfway.
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => sockets.set(`${socket.remotePort}`, socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  // A story that fails before it stops its fakes must still exit.
  server.server.unref();
  const { port } = server.server.address() as AddressInfo;
  const url = `smtp://tocsin:${encodeURIComponent(FIRST_PASSWORD)}@127.0.0.1:${port}`;
  const from = 'Tocsin <tocsin@tocsin.example>';
  return {
    url,
    settings: { url, from },
    env: { SMTP_URL: url, SMTP_FROM: from },
    messages,
    script: (...next) => void script.push(...next),
    changePassword(next) {
      password = next;
    },
    assertNothingUnexpected: () => failOn('The mail server', problems, [messages]),
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets.values()) socket.destroy();
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
}

function refusal(code: number, message = 'this is what the script says'): Error {
  return Object.assign(new Error(message), { responseCode: code });
}

function misbehave(
  fault: 'hang' | 'cut' | 'malformed' | 'endless',
  socket: Socket,
  timers: Set<NodeJS.Timeout>,
): void {
  if (fault === 'cut') socket.resetAndDestroy();
  if (fault === 'malformed') socket.write('HTTP/1.1 200 OK\r\n');
  if (fault === 'endless') {
    const line = `250-${'a'.repeat(1000)}\r\n`.repeat(10);
    const timer = setInterval(() => (socket.writable ? socket.write(line) : clearInterval(timer)), 1);
    timers.add(timer);
  }
}

function envelopeOf(session: SMTPServerSession): Mail['envelope'] {
  const { mailFrom, rcptTo } = session.envelope;
  return { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) };
}
