import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Means, type MethodFacts, type ReachFacts, reachability } from './reachability.ts';

const everything: Means = { unavailable: new Map(), allowPrivate: false };

function method(type: MethodFacts['type'], more: Partial<MethodFacts> = {}): MethodFacts {
  const values: Partial<Record<MethodFacts['type'], string>> = {
    phone: '+1500',
    email: 'a@b.c',
    chat: 'ada',
    webhook: 'https://example.com/',
    push: 'https://p.example',
  };
  return { userId: 'ada', type, value: values[type] ?? '1', chatUserId: null, verified: true, ...more };
}

const asked = (methods: MethodFacts[], means = everything, more: Partial<ReachFacts> = {}) =>
  reachability({ disabled: false, dashboardOpen: false, methods, ...more }, means);

describe('a person can be reached', () => {
  it('by one working method, whatever the others are', () => {
    assert.deepEqual(asked([method('email', { verified: false }), method('push')]), {
      reachable: true,
      by: 'contact_method',
      whyNot: null,
      whyNotInShort: null,
    });
  });

  it('by only an open dashboard, which then is the reason', () => {
    const unverified = [method('email', { verified: false })];
    const found = asked(unverified, everything, { dashboardOpen: true });
    assert.deepEqual([found.reachable, found.by], [true, 'dashboard']);
    assert.equal(found.whyNot, 'email a@b.c is not verified');
    assert.equal(asked([method('push')], everything, { dashboardOpen: true }).by, 'contact_method');
  });

  it('not without any method', () => {
    const found = asked([]);
    assert.deepEqual([found.reachable, found.by, found.whyNot], [false, null, 'no contact method']);
  });

  it('not if they are disabled, whatever is open and set up', () => {
    const found = asked([method('push')], everything, { disabled: true, dashboardOpen: true });
    assert.deepEqual([found.reachable, found.whyNot], [false, 'disabled']);
  });

  it('with the reason in short form, without addresses', () => {
    const bare: Means = { unavailable: new Map([['email', 'Set SMTP_URL.']]), allowPrivate: false };
    const methods = [method('email'), method('email'), method('phone', { verified: false }), method('chat')];
    assert.equal(
      asked(methods, bare).whyNotInShort,
      'email not set up here; phone not verified; chat without a chat_user_id',
    );
    assert.equal(asked([], bare).whyNotInShort, 'no contact method');
  });

  it('by phone if either SMS or calls are set up', () => {
    const noSms: Means = { unavailable: new Map([['sms', 'SMS is not set up.']]), allowPrivate: false };
    assert.equal(asked([method('phone')], noSms).reachable, true);
    const neither: Means = { ...noSms, unavailable: new Map([...noSms.unavailable, ['voice', 'No calls.']]) };
    const found = asked([method('phone')], neither);
    assert.deepEqual([found.reachable, found.whyNot], [false, 'SMS is not set up']);
  });

  it('with each obstacle named once, and never the address of a browser', () => {
    const found = asked([
      method('chat'),
      method('webhook', { value: 'http://127.0.0.1/' }),
      method('push', { verified: false }),
      method('push', { verified: false }),
    ]);
    assert.equal(
      found.whyNot,
      'chat ada has no chat_user_id; webhook http://127.0.0.1/ is a private address, and ALLOW_PRIVATE_WEBHOOKS is not set; push to a browser is not verified',
    );
  });
});
