import { createHmac, randomBytes } from 'node:crypto';
import { type Fake, fakeOver } from './fake.ts';
import { Inbox } from './inbox.ts';
import { type FakeRequest, type Reply, ScriptedServer } from './scripted-server.ts';
import { type SlackBlock, slackLimits } from './slack-limits.ts';

export type PostedMessage = { channel: string; ts: string; text: string; blocks: SlackBlock[] };
/** A message replaced through the `response_url` of a click. */
type ReplacedMessage = {
  responseUrl: string;
  replaceOriginal: boolean;
  text: string;
  blocks: SlackBlock[];
};

export type FakeSlack = Fake & {
  settings: { botToken: string; signingSecret: string; apiUrl: string };
  env: Record<string, string>;
  messages: Inbox<PostedMessage>;
  replaced: Inbox<ReplacedMessage>;
  /** Messages that we edited, with the channel and time stamp of the original. */
  edited: Inbox<PostedMessage>;
  /** What the token may do, as Slack lists it. */
  scopes: string;
  /** Sets the URL of the server under test when it differs from `publicUrl`. */
  reachAt(url: string): void;
  /** Clicks a button of a message as a user; the request has Slack's signature. */
  click(message: PostedMessage, actionId: string, user?: { id: string; username: string }): Promise<Response>;
  /** Sends a signed form POST to our interactivity endpoint; `at` is the time that Slack claims. */
  callback(fields: Record<string, string>, at?: Date): Promise<Response>;
};

/** The part of Slack's Web API that we use. `publicUrl` is the URL of the server under test. */
export async function fakeSlack(options: { publicUrl?: string } = {}): Promise<FakeSlack> {
  const { publicUrl = 'https://tocsin.example' } = options;
  let reachedAt = publicUrl;
  const secrets = {
    botToken: `xoxb-${randomBytes(12).toString('hex')}`,
    signingSecret: randomBytes(16).toString('hex'),
  };
  const messages = new Inbox<PostedMessage>('chat message');
  const replaced = new Inbox<ReplacedMessage>('replaced chat message');
  const edited = new Inbox<PostedMessage>('edited chat message');
  const server = await ScriptedServer.start((request, unexpected) => {
    if (request.path.startsWith('/response/'))
      return takeReplacement(request, server.origin, replaced, unexpected);
    if (request.path === '/api/chat.postMessage')
      return takeMessage(request, secrets.botToken, messages, unexpected);
    if (request.path === '/api/chat.update')
      return takeEdit(request, secrets.botToken, { messages, edited }, unexpected);
    if (request.path === '/api/auth.test')
      return testToken(request, secrets.botToken, fake.scopes, unexpected);
    unexpected('we use no such method of Slack');
    return json({ ok: false, error: 'unknown_method' });
  });

  const callback: FakeSlack['callback'] = (fields, at = new Date()) => {
    const body = new URLSearchParams(fields).toString();
    const timestamp = String(Math.floor(at.getTime() / 1000));
    const digest = createHmac('sha256', secrets.signingSecret)
      .update(`v0:${timestamp}:${body}`)
      .digest('hex');
    return fetch(`${reachedAt}/callbacks/slack/actions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${digest}`,
      },
      body,
    });
  };
  const settings = { ...secrets, apiUrl: `${server.origin}/api/` };
  const fake: FakeSlack = {
    ...fakeOver('Slack', server, [messages, replaced, edited]),
    scopes: 'chat:write',
    settings,
    env: {
      SLACK_BOT_TOKEN: settings.botToken,
      SLACK_SIGNING_SECRET: settings.signingSecret,
      SLACK_API_URL: settings.apiUrl,
    },
    messages,
    replaced,
    edited,
    callback,
    reachAt(url) {
      reachedAt = url;
    },
    click(message, actionId, user = { id: message.channel, username: 'ada' }) {
      const action = message.blocks
        .flatMap((block) => block.elements ?? [])
        .find((one) => one.action_id === actionId);
      if (!action)
        throw new Error(`The message has no button ${actionId}: ${JSON.stringify(message.blocks)}`);
      const payload = {
        type: 'block_actions',
        user,
        channel: { id: message.channel },
        message: { ts: message.ts },
        response_url: `${server.origin}/response/${message.ts}`,
        trigger_id: randomBytes(12).toString('hex'),
        actions: [
          {
            type: 'button',
            action_id: actionId,
            value: action.value,
            action_ts: `${Date.now() / 1000}.${randomBytes(3).toString('hex')}`,
          },
        ],
      };
      return callback({ payload: JSON.stringify(payload) });
    },
  };
  return fake;
}

type Unexpected = (problem: string) => void;

function takeMessage(
  request: FakeRequest,
  botToken: string,
  inbox: Inbox<PostedMessage>,
  unexpected: Unexpected,
): Reply {
  const message = readMessage(request, botToken, unexpected);
  if (!message) return json({ ok: false, error: 'invalid_auth' });
  const ts = `${Math.floor(Date.now() / 1000)}.${String(inbox.received.length).padStart(6, '0')}`;
  inbox.add({ ...message, ts });
  return json({ ok: true, channel: conversationOf(message.channel), ts, message: { text: message.text } });
}

/** Slack edits by the id of the conversation, not of the person. */
function takeEdit(
  request: FakeRequest,
  botToken: string,
  { messages, edited }: Pick<FakeSlack, 'messages' | 'edited'>,
  unexpected: Unexpected,
): Reply {
  const message = readMessage(request, botToken, unexpected);
  if (!message) return json({ ok: false, error: 'invalid_auth' });
  const { ts, channel } = message;
  const original = messages.received.some((one) => one.ts === ts && conversationOf(one.channel) === channel);
  if (!original) {
    unexpected(`no message ${ts} was posted to ${channel}`);
    return json({ ok: false, error: 'message_not_found' });
  }
  edited.add(message);
  return json({ ok: true, channel, ts, text: message.text, message: { text: message.text } });
}

/** Answers whose token it is, with its permissions in a header. */
function testToken(request: FakeRequest, botToken: string, scopes: string, unexpected: Unexpected): Reply {
  if (request.headers.authorization !== `Bearer ${botToken}`) {
    unexpected('wrong token');
    return json({ ok: false, error: 'invalid_auth' });
  }
  const { headers, ...reply } = json({ ok: true, team: 'Acme', user: 'tocsin' });
  return { ...reply, headers: { ...headers, 'x-oauth-scopes': scopes } };
}

const conversationOf = (userId: string): string => `D${userId.slice(1)}`;

function readMessage(request: FakeRequest, botToken: string, unexpected: Unexpected): PostedMessage | null {
  if (request.headers.authorization !== `Bearer ${botToken}`) {
    unexpected('wrong token');
    return null;
  }
  const fields = new URLSearchParams(request.raw);
  const blocks = JSON.parse(fields.get('blocks') ?? '[]') as SlackBlock[];
  const text = fields.get('text') ?? '';
  if (!text) unexpected('text is missing, so that phones show nothing');
  for (const problem of slackLimits(blocks)) unexpected(problem);
  return { channel: fields.get('channel') ?? '', ts: fields.get('ts') ?? '', text, blocks };
}

function takeReplacement(
  request: FakeRequest,
  origin: string,
  inbox: Inbox<ReplacedMessage>,
  unexpected: Unexpected,
): Reply {
  const body = JSON.parse(request.raw) as {
    replace_original?: boolean;
    text?: string;
    blocks?: SlackBlock[];
  };
  const blocks = body.blocks ?? [];
  for (const problem of slackLimits(blocks)) unexpected(problem);
  const replaceOriginal = body.replace_original === true;
  inbox.add({ responseUrl: `${origin}${request.path}`, replaceOriginal, text: body.text ?? '', blocks });
  return { status: 200, body: 'ok' };
}

function json(body: object): Reply {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
