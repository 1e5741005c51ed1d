import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type FakePush, fakePush } from '../../../../testing/fakes/fake-push.ts';
import { aNotification, THREE_MORE } from '../../../../testing/fakes/notification.ts';
import type { Answer } from '../../../../testing/fakes/scripted-server.ts';
import { PATIENCE_MS } from '../../../../testing/patience.ts';
import { channelContract, type Situation } from '../channel.contract.ts';
import type { Address, Outcome } from '../channel.ts';
import { pushChannel } from './channel.ts';

const ANSWERS: Partial<Record<Situation, Answer>> = {
  'refused for good': { status: 410 },
  'refused for now': { status: 429, headers: { 'retry-after': '7' } },
  'slow but in time': { delayMs: 100 },
  hanging: 'hang',
  'reset mid-answer': 'cut',
  'malformed answer': 'malformed',
  'dripping answer': 'drip-head',
  'endless answer': 'endless',
  'wrong credentials': { status: 403 },
};

channelContract('push', {
  async open() {
    const service = await fakePush();
    const gone = await fakePush();
    await gone.stop();
    const here = service.subscribe();
    const there = gone.subscribe();
    const address: Address = { ...here, userId: 'organization_user_1' };
    return {
      channel: pushChannel({ vapid: service.settings, allowPrivateWebhooks: true }),
      address,
      arrange(situation) {
        address.value = situation === 'connection refused' ? there.value : here.value;
        const answer = ANSWERS[situation];
        if (answer) service.script(answer);
      },
      check() {
        service.messages.takeAll();
        service.assertNothingUnexpected();
      },
      stop: () => service.stop(),
    };
  },
  unconfigured: pushChannel({
    vapid: { publicKey: '', privateKey: '', subject: 'mailto:a@example.com' },
    allowPrivateWebhooks: true,
  }),
  unlike: {
    'endless answer': { because: 'the status 200 came before the flood', ending: { kind: 'accepted' } },
  },
});

describe('push', () => {
  let service: FakePush;
  before(async () => {
    service = await fakePush();
  });
  after(async () => {
    service.assertNothingUnexpected();
    await service.stop();
  });
  const send = (notification = aNotification(), overrides: Partial<Address> = {}): Promise<Outcome> => {
    const channel = pushChannel({ vapid: service.settings, allowPrivateWebhooks: true });
    const address = { ...service.subscribe(), userId: 'organization_user_1', ...overrides };
    return channel.send(notification, address, AbortSignal.timeout(PATIENCE_MS));
  };

  it('encrypts the payload of the service worker for the browser', async () => {
    const outcome = await send(aNotification({ bundled: THREE_MORE }));
    assert.match(outcome.kind === 'accepted' ? (outcome.providerId ?? '') : '', /\/message\/1$/);
    const message = await service.messages.next();
    assert.deepEqual(message.payload, {
      type: 'page.notification',
      page_id: 'page_01jd3v8k2ye2a9h5q7x0w4m6np',
      delivery_id: 'delivery_01jd3v8k3ze2a9h5q7x0w4m6np',
      title: 'Disk full on db-1',
      text: 'The disk of db-1 is at 99 % and fills up in 20 minutes.',
      urgency: 'high',
      bundled: 3,
      repeat: false,
      acknowledge_url: 'https://tocsin.example/a/3kTq9hX0a1b2c3d4e5f6g7',
      page_url: 'https://tocsin.example/pages/page_01jd3v8k2ye2a9h5q7x0w4m6np',
      buttons: { acknowledge: 'Acknowledge', open: 'Open' },
      unconfirmed: 'Your acknowledgement may not have arrived. Acknowledge again, or open the page.',
    });
    assert.equal(message.urgency, 'high');
    assert.equal(message.ttl, 3_600);
  });

  it('replaces an older message about the same page only', async () => {
    await send();
    await send(aNotification({ deliveryId: 'delivery_2' }));
    await send(aNotification({ pageId: 'page_2' }));
    const topics = service.messages.takeAll().map(({ topic }) => topic);
    assert.equal(topics[0], topics[1]);
    assert.notEqual(topics[0], topics[2]);
  });

  it('stays within 4 KB, whatever the page contains', async () => {
    for (const letter of ['a', 'é', '盘', '👩🏽‍🚒', '"\\', '\u0001']) {
      const text = letter.repeat(5_000).slice(0, 10_000);
      assert.equal((await send(aNotification({ text, title: text.slice(0, 200) }))).kind, 'accepted');
      const { size } = await service.messages.next();
      assert.ok(size <= 4_096, `${size} bytes of ${letter}`);
    }
  });

  it('retries once without the text if the service refuses the message as too long', async () => {
    service.script({ status: 413 });
    assert.equal((await send()).kind, 'accepted');
    const [first, second] = service.messages.takeAll();
    assert.notEqual(first?.payload.text, '');
    assert.equal(second?.payload.text, '');
    service.script({ status: 413 }, { status: 413 });
    assert.equal((await send()).kind, 'refused');
    service.messages.takeAll();
  });

  it('recognizes a subscription that has ended', async () => {
    for (const status of [404, 410]) {
      service.script({ status });
      assert.deepEqual(await send(), {
        kind: 'refused',
        error: 'This browser is no longer subscribed to push.',
      });
      service.messages.takeAll();
    }
  });

  it('refuses damaged subscriptions', async () => {
    const { value, pushKeys } = service.subscribe();
    const damaged: Partial<Address>[] = [
      { value, pushKeys: null },
      { value, pushKeys: { ...pushKeys, p256dh: 'AAAA' } },
      { value, pushKeys: { ...pushKeys, auth: '' } },
      { value: 'nonsense' },
    ];
    for (const overrides of damaged) {
      const outcome = await send(aNotification(), overrides);
      assert.match(
        outcome.kind === 'refused' ? outcome.error : '',
        /turn push on again/,
        JSON.stringify(overrides),
      );
    }
  });

  it('does not let a subscription lead to an internal address', async () => {
    const channel = pushChannel({ vapid: service.settings, allowPrivateWebhooks: false });
    const { value, pushKeys } = service.subscribe();
    for (const inside of [
      value,
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://localhost/',
      'https://0x7f.1/',
    ]) {
      const address = { value: inside, pushKeys, userId: 'organization_user_1' };
      const outcome = await channel.send(aNotification(), address, AbortSignal.timeout(PATIENCE_MS));
      assert.equal(outcome.kind, 'refused', inside);
    }
  });

  it('names the contact and the clock if Apple refuses the signature', async () => {
    const channel = pushChannel({ vapid: service.settings, allowPrivateWebhooks: true });
    service.script({ status: 403, body: '{"reason":"BadJwtToken"}' });
    const address = { ...service.subscribe(), userId: 'organization_user_1' };
    const outcome = await channel.send(aNotification(), address, AbortSignal.timeout(PATIENCE_MS));
    assert.match(outcome.kind === 'refused' ? (outcome.problem?.fix ?? '') : '', /VAPID_SUBJECT.*clock/);
    await service.messages.next();
  });

  it('blames its own keys if they are the cause', async () => {
    const vapid = { ...service.settings, privateKey: 'AAAA' };
    const address = { ...service.subscribe(), userId: 'organization_user_1' };
    const channel = pushChannel({ vapid, allowPrivateWebhooks: true });
    const outcome = await channel.send(aNotification(), address, AbortSignal.timeout(PATIENCE_MS));
    assert.equal(outcome.kind === 'refused' && outcome.problem?.code, 'misconfigured');
    assert.match(
      pushChannel({ vapid: { ...vapid, subject: 'me' }, allowPrivateWebhooks: true }).unavailable ?? '',
      /^VAPID_SUBJECT/,
    );
  });
});
