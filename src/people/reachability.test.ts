import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Means,
  type MethodFacts,
  obstacleSentence,
  obstaclesInShort,
  reachability,
} from './reachability.ts';

const everything: Means = { unavailable: new Map(), allowPrivate: false };

function method(type: MethodFacts['type'], more: Partial<MethodFacts> = {}): MethodFacts {
  const values = {
    phone: '+1500',
    email: 'a@b.c',
    chat: 'ada',
    webhook: 'https://example.com/',
    push: 'https://p.example',
  };
  return { userId: 'ada', type, value: values[type], chatUserId: null, verified: true, ...more };
}

describe('whether somebody can be reached', () => {
  it('by one method that something can be sent to, whatever the others are', () => {
    assert.deepEqual(reachability([method('email', { verified: false }), method('push')], everything), {
      reachable: true,
    });
  });

  it('not without any', () => {
    const found = reachability([], everything);
    assert.deepEqual(found, { reachable: false, obstacles: [] });
    assert.equal(obstacleSentence([]), 'no contact method');
  });

  it('is said in short where it is said of many', () => {
    const bare: Means = { unavailable: new Map([['email', 'Set SMTP_URL.']]), allowPrivate: false };
    const methods = [method('email'), method('email'), method('phone', { verified: false }), method('chat')];
    assert.equal(
      obstaclesInShort(methods, bare),
      'email not set up here; phone not verified; chat without a chat_user_id',
    );
    assert.equal(obstaclesInShort([], bare), 'no contact method');
  });

  it('by phone as long as either SMS or calls are set up', () => {
    const noSms: Means = { unavailable: new Map([['sms', 'SMS is not set up.']]), allowPrivate: false };
    assert.equal(reachability([method('phone')], noSms).reachable, true);
    const neither: Means = { ...noSms, unavailable: new Map([...noSms.unavailable, ['voice', 'No calls.']]) };
    assert.deepEqual(reachability([method('phone')], neither), {
      reachable: false,
      obstacles: ['SMS is not set up.'],
    });
  });

  it('names each obstacle once, and never the address of a browser', () => {
    const found = reachability(
      [
        method('chat'),
        method('webhook', { value: 'http://127.0.0.1/' }),
        method('push', { verified: false }),
        method('push', { verified: false }),
      ],
      everything,
    );
    assert.deepEqual(found, {
      reachable: false,
      obstacles: [
        'chat ada has no chat_user_id',
        'webhook http://127.0.0.1/ is a private address, and ALLOW_PRIVATE_WEBHOOKS is not set',
        'push to a browser is not verified',
      ],
    });
  });
});
