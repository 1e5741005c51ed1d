import { randomBytes } from 'node:crypto';
import twilio from 'twilio';
import { type Fake, fakeOver } from './fake.ts';
import { Inbox } from './inbox.ts';
import { type Answer, type FakeRequest, type Reply, ScriptedServer } from './scripted-server.ts';

export type SentSms = { sid: string; to: string; from: string; body: string; statusCallback: string | null };
export type PlacedCall = {
  sid: string;
  to: string;
  from: string;
  twiml: string;
  statusCallback: string | null;
  statusCallbackEvents: string[];
};

export type FakeTwilio = Fake & {
  /** In the format of `ChannelSettings`. */
  settings: { accountSid: string; authToken: string; from: string; apiUrl: string };
  /** The same as environment variables of a server. */
  env: Record<string, string>;
  messages: Inbox<SentSms>;
  calls: Inbox<PlacedCall>;
  /** The ids of calls that we ended. */
  ended: Inbox<string>;
  /** Sets the URL of the server under test when it differs from PUBLIC_URL. */
  reachAt(url: string): void;
  /** Reports a status of a message or call with Twilio's signature: `delivered`, `failed`, `no-answer`, … */
  receipt(of: SentSms | PlacedCall, state: string, fields?: Record<string, string>): Promise<Response>;
  /** Sends an SMS to our number. */
  sms(from: string, body: string): Promise<Response>;
  /** Presses a key during a call and returns the TwiML of the answer. */
  press(call: PlacedCall, key: string): Promise<string>;
  /** Sends a signed form POST to one of our callbacks. */
  callback(url: string, fields: Record<string, string>): Promise<Response>;
};

/**
 * Twilio's REST API for messages and calls. `publicUrl` is the PUBLIC_URL of the server under test. `answerFor`: the answer to
 * messages and calls to a number; null for the usual one.
 */
export async function fakeTwilio(
  options: { publicUrl?: string; answerFor?(to: string): Answer | null } = {},
): Promise<FakeTwilio> {
  const { publicUrl = 'https://tocsin.example', answerFor = () => null } = options;
  let reachedAt = publicUrl;
  const account = {
    accountSid: `AC${randomBytes(16).toString('hex')}`,
    authToken: randomBytes(16).toString('hex'),
  };
  const messages = new Inbox<SentSms>('SMS');
  const calls = new Inbox<PlacedCall>('call');
  const ended = new Inbox<string>('end of a call');
  const server = await ScriptedServer.start((request, unexpected) => {
    const refusal = refusalOf(request, account, unexpected);
    if (refusal) return refusal;
    if (request.method === 'GET')
      return readAccount(request, { ...account, from: settings.from }, unexpected);
    const fields = new URLSearchParams(request.raw);
    const taken = request.path.endsWith('/Messages.json')
      ? takeMessage(fields, messages, unexpected)
      : request.path.endsWith('/Calls.json')
        ? takeCall(fields, calls, unexpected)
        : null;
    if (taken) return answerFor(fields.get('To') ?? '') ?? taken;
    const sid = /\/Calls\/(CA[0-9a-f]{32})\.json$/.exec(request.path)?.[1];
    if (sid) return takeEnd(sid, fields, { calls, ended }, unexpected);
    unexpected('Twilio has no such resource here');
    return failure(404, 20404, 'The requested resource was not found');
  });

  const callback: FakeTwilio['callback'] = (url, fields) => {
    const signature = twilio.getExpectedTwilioSignature(account.authToken, url, fields);
    return fetch(url.replace(publicUrl, reachedAt), {
      method: 'POST',
      headers: { 'x-twilio-signature': signature },
      body: new URLSearchParams(fields),
    });
  };
  const settings = { ...account, from: '+15005550006', apiUrl: server.origin };
  return {
    ...fakeOver('Twilio', server, [messages, calls, ended]),
    settings,
    env: {
      TWILIO_ACCOUNT_SID: settings.accountSid,
      TWILIO_AUTH_TOKEN: settings.authToken,
      TWILIO_FROM: settings.from,
      TWILIO_API_URL: settings.apiUrl,
    },
    messages,
    calls,
    ended,
    callback,
    reachAt(url) {
      reachedAt = url;
    },
    receipt(of, state, fields = {}) {
      if (!of.statusCallback) throw new Error('No status callback was asked for, so Twilio would send none.');
      const own: Record<string, string> =
        'body' in of ? { MessageSid: of.sid, MessageStatus: state } : { CallSid: of.sid, CallStatus: state };
      return callback(of.statusCallback, { ...own, To: of.to, From: of.from, ...fields });
    },
    sms: (from, body) =>
      callback(`${publicUrl}/callbacks/twilio/sms`, {
        MessageSid: `SM${randomBytes(16).toString('hex')}`,
        From: from,
        To: settings.from,
        Body: body,
      }),
    async press(call, key) {
      const action = /<Gather[^>]* action="([^"]+)"/.exec(call.twiml)?.[1]?.replaceAll('&amp;', '&');
      if (!action) throw new Error(`This call listens to no keys: ${call.twiml}`);
      const answer = await callback(action, { CallSid: call.sid, Digits: key, From: call.from, To: call.to });
      return answer.text();
    },
  };
}

type Unexpected = (problem: string) => void;

function refusalOf(
  request: FakeRequest,
  account: { accountSid: string; authToken: string },
  unexpected: Unexpected,
): Reply | null {
  const { accountSid, authToken } = account;
  if (!request.path.startsWith(`/2010-04-01/Accounts/${accountSid}`))
    unexpected('not a path of this account');
  if (
    request.method !== 'GET' &&
    !String(request.headers['content-type']).startsWith('application/x-www-form-urlencoded')
  ) {
    unexpected('the body is not a form');
  }
  const right = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  if (request.headers.authorization === right) return null;
  unexpected('wrong credentials');
  return failure(401, 20003, 'Authenticate');
}

/** The account, or its numbers that equal the one asked for. */
function readAccount(
  request: FakeRequest,
  { accountSid, from }: { accountSid: string; from: string },
  unexpected: Unexpected,
): Reply {
  const { pathname, searchParams } = new URL(request.path, 'http://twilio.example');
  const account = `/2010-04-01/Accounts/${accountSid}`;
  if (pathname === `${account}.json`) return found({ sid: accountSid, status: 'active' });
  if (pathname !== `${account}/IncomingPhoneNumbers.json`) unexpected('Twilio has no such resource here');
  const isOurs = searchParams.get('PhoneNumber') === from;
  return found({ incoming_phone_numbers: isOurs ? [{ phone_number: from }] : [] });
}

function found(body: object): Reply {
  return { ...created(body), status: 200 };
}

function takeMessage(fields: URLSearchParams, inbox: Inbox<SentSms>, unexpected: Unexpected): Reply {
  const sid = `SM${randomBytes(16).toString('hex')}`;
  const body = required(fields, 'Body', unexpected);
  if (body.length > 1600) unexpected('the body is longer than 1,600 characters');
  const from = fields.get('MessagingServiceSid') ?? required(fields, 'From', unexpected);
  inbox.add({
    sid,
    to: required(fields, 'To', unexpected),
    from,
    body,
    statusCallback: fields.get('StatusCallback'),
  });
  return created({ sid, status: 'queued', error_code: null, error_message: null });
}

function takeCall(fields: URLSearchParams, inbox: Inbox<PlacedCall>, unexpected: Unexpected): Reply {
  const sid = `CA${randomBytes(16).toString('hex')}`;
  const twiml = required(fields, 'Twiml', unexpected);
  if (twiml.length > 4000) unexpected('the TwiML is longer than 4,000 characters');
  inbox.add({
    sid,
    to: required(fields, 'To', unexpected),
    from: required(fields, 'From', unexpected),
    twiml,
    statusCallback: fields.get('StatusCallback'),
    statusCallbackEvents: fields.getAll('StatusCallbackEvent'),
  });
  return created({ sid, status: 'queued' });
}

/** An update of a call: `completed` ends it in any state, and does nothing to a call that has ended. */
function takeEnd(
  sid: string,
  fields: URLSearchParams,
  { calls, ended }: Pick<FakeTwilio, 'calls' | 'ended'>,
  unexpected: Unexpected,
): Reply {
  if (!calls.received.some((call) => call.sid === sid)) {
    unexpected('there is no such call');
    return failure(404, 20404, `The requested resource /Calls/${sid}.json was not found`);
  }
  if (fields.get('Status') !== 'completed') unexpected('the call is not ended');
  ended.add(sid);
  return found({ sid, status: 'completed' });
}

function required(fields: URLSearchParams, name: string, unexpected: Unexpected): string {
  const value = fields.get(name);
  if (!value) unexpected(`${name} is missing`);
  return value ?? '';
}

function created(body: object): Reply {
  return { status: 201, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** An error in Twilio's format, for scripts. */
export function failure(status: number, code: number, message: string): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }),
  };
}
