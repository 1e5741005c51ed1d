import { createECDH, randomBytes } from 'node:crypto';
import webpush from 'web-push';
import { type Fake, fakeOver } from './fake.ts';
import { Inbox } from './inbox.ts';
import { type BrowserKeys, decryptPush, vapidProblem } from './push-decryption.ts';
import { type FakeRequest, ScriptedServer } from './scripted-server.ts';

type ReceivedPush = {
  subscription: string;
  topic: string;
  ttl: number;
  urgency: string;
  /** Bytes of the encrypted body. */
  size: number;
  payload: Record<string, unknown>;
};

type PushSubscription = { value: string; pushKeys: { p256dh: string; auth: string } };

export type FakePush = Fake & {
  settings: { publicKey: string; privateKey: string; subject: string };
  env: Record<string, string>;
  messages: Inbox<ReceivedPush>;
  /** Subscribes a browser that allows notifications. */
  subscribe(): PushSubscription;
};

/** A push service with its browsers: validates the VAPID token and decrypts each message with the browser's key. */
export async function fakePush(): Promise<FakePush> {
  const vapid = { ...webpush.generateVAPIDKeys(), subject: 'mailto:operator@tocsin.example' };
  const browsers = new Map<string, BrowserKeys>();
  const messages = new Inbox<ReceivedPush>('push message');
  const server = await ScriptedServer.start((request, unexpected) => {
    const wrong = vapidProblem(request.headers.authorization, vapid.publicKey, server.origin);
    if (wrong) unexpected(wrong);
    const keys = browsers.get(request.path);
    if (!keys) {
      unexpected('there is no such subscription');
      return { status: 410 };
    }
    for (const problem of headerProblems(request)) unexpected(problem);
    messages.add(received(request, keys));
    return { status: 201, headers: { location: `${server.origin}/message/${messages.received.length}` } };
  });
  return {
    ...fakeOver('The push service', server, [messages]),
    settings: vapid,
    env: {
      VAPID_PUBLIC_KEY: vapid.publicKey,
      VAPID_PRIVATE_KEY: vapid.privateKey,
      VAPID_SUBJECT: vapid.subject,
    },
    messages,
    subscribe() {
      const path = `/push/${randomBytes(16).toString('base64url')}`;
      const keys = { ecdh: createECDH('prime256v1'), auth: randomBytes(16) };
      const p256dh = keys.ecdh.generateKeys('base64url');
      browsers.set(path, keys);
      return {
        value: `${server.origin}${path}`,
        pushKeys: { p256dh, auth: keys.auth.toString('base64url') },
      };
    },
  };
}

function headerProblems({ headers, bytes }: FakeRequest): string[] {
  return [
    headers['content-encoding'] === 'aes128gcm' ? null : 'the body is not aes128gcm',
    /^\d+$/.test(String(headers.ttl)) ? null : 'there is no TTL',
    /^[A-Za-z0-9_-]{1,32}$/.test(String(headers.topic))
      ? null
      : 'the topic is not 1 to 32 URL-safe characters',
    bytes.length <= 4096 ? null : `the body has ${bytes.length} bytes, 4,096 being the limit`,
  ].filter((problem) => problem !== null);
}

function received(request: FakeRequest, keys: BrowserKeys): ReceivedPush {
  return {
    subscription: request.path,
    topic: String(request.headers.topic),
    ttl: Number(request.headers.ttl),
    urgency: String(request.headers.urgency),
    size: request.bytes.length,
    payload: JSON.parse(decryptPush(request.bytes, keys)) as Record<string, unknown>,
  };
}
