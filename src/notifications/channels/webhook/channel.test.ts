import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { aNotification, aResolution, THREE_MORE } from '../../../../testing/fakes/notification.ts';
import type { Answer } from '../../../../testing/fakes/scripted-server.ts';
import {
  type WebhookReceiver,
  webhookReceiver,
  webhookSecret,
} from '../../../../testing/fakes/webhook-receiver.ts';
import { PATIENCE_MS } from '../../../../testing/patience.ts';
import { channelContract, type Situation } from '../channel.contract.ts';
import type { Address, Outcome } from '../channel.ts';
import { webhookChannel } from './channel.ts';

const ANSWERS: Record<Exclude<Situation, 'accepted' | 'connection refused' | 'wrong credentials'>, Answer> = {
  'refused for good': { status: 400, body: 'no such person' },
  'refused for now': { status: 503, headers: { 'retry-after': '7' } },
  'slow but in time': { delayMs: 100 },
  hanging: 'hang',
  'reset mid-answer': 'cut',
  'malformed answer': 'malformed',
  'dripping answer': 'drip-head',
  'endless answer': 'endless',
};

channelContract('webhook', {
  async open() {
    const secret = webhookSecret();
    const receiver = await webhookReceiver({ secret });
    const gone = await webhookReceiver();
    await gone.stop();
    const address: Address = { value: receiver.url, signingSecret: secret, userId: 'organization_user_1' };
    return {
      channel: webhookChannel({ allowPrivateWebhooks: true }),
      address,
      arrange(situation) {
        address.value = situation === 'connection refused' ? gone.url : receiver.url;
        const answer = (ANSWERS as Partial<Record<Situation, Answer>>)[situation];
        if (answer) receiver.script(answer);
      },
      check() {
        receiver.inbox.takeAll();
        receiver.assertNothingUnexpected();
      },
      stop: () => receiver.stop(),
    };
  },
  unconfigured: null,
  unlike: {
    'endless answer': { because: 'the status 200 came before the flood', ending: { kind: 'accepted' } },
    'wrong credentials': { because: 'we have none', ending: null },
  },
});

describe('webhook', () => {
  let receiver: WebhookReceiver;
  const secret = webhookSecret();
  before(async () => {
    receiver = await webhookReceiver({ secret });
  });
  after(async () => {
    receiver.assertNothingUnexpected();
    await receiver.stop();
  });

  const channel = webhookChannel({ allowPrivateWebhooks: true });
  const send = (overrides: Partial<Address> = {}, notification = aNotification()): Promise<Outcome> => {
    const address = {
      value: receiver.url,
      signingSecret: secret,
      userId: 'organization_user_1',
      ...overrides,
    };
    return channel.send(notification, address, AbortSignal.timeout(PATIENCE_MS));
  };

  it('posts exactly the documented body, with a signature', async () => {
    const notification = aNotification({ bundled: THREE_MORE.slice(0, 1), stage: '1.5', repeat: true });
    assert.deepEqual(await send({}, notification), { kind: 'accepted', providerId: null });
    const { body, headers } = await receiver.next();
    assert.deepEqual(body, {
      type: 'page.notification',
      page_id: 'page_01jd3v8k2ye2a9h5q7x0w4m6np',
      delivery_id: 'delivery_01jd3v8k3ze2a9h5q7x0w4m6np',
      title: 'Disk full on db-1',
      text: 'The disk of db-1 is at 99 % and fills up in 20 minutes.',
      urgency: 'high',
      source_url: 'https://grafana.example/alerts/17',
      team: 'sre',
      stage: 1.5,
      round: 1,
      repeat: true,
      bundled: [{ page_id: 'page_01jd3v8k2ye2a9h5q7x0w4m6n1', title: 'Queue stuck' }],
      acknowledge_url: 'https://tocsin.example/a/3kTq9hX0a1b2c3d4e5f6g7',
      page_url: 'https://tocsin.example/pages/page_01jd3v8k2ye2a9h5q7x0w4m6np',
      sent_at: '2026-11-20T03:04:05.678Z',
    });
    assert.match(String(headers['user-agent']), /^Tocsin\/\d+\.\d+\.\d+$/);
  });

  it('posts the end of a page in the documented form, with a signature', async () => {
    const address = { value: receiver.url, signingSecret: secret, userId: 'organization_user_1' };
    const notification = aNotification({ bundled: THREE_MORE, repeat: true });
    const signal = AbortSignal.timeout(PATIENCE_MS);
    assert.deepEqual(await channel.resolve?.(aResolution({ notification }), address, signal), {
      kind: 'accepted',
      providerId: null,
    });
    const [over] = receiver.over;
    assert.equal(over?.id, 'delivery_01jd3v8k9me2a9h5q7x0w4m6np');
    const { type, delivery_id, bundled, repeat, resolved_by, resolved_at, sent_at } = over.body;
    assert.deepEqual(
      { type, delivery_id, bundled, repeat, resolved_by, resolved_at, sent_at },
      {
        type: 'page.resolved',
        delivery_id: 'delivery_01jd3v8k9me2a9h5q7x0w4m6np',
        bundled: [],
        repeat: false,
        resolved_by: 'Prometheus',
        resolved_at: '2026-11-20T03:09:11.012Z',
        sent_at: '2026-11-20T03:09:11.034Z',
      },
    );
  });

  it('has null for the team of a page to a person and for the stage of a backstop', async () => {
    await send({}, aNotification({ team: null, stage: null, sourceUrl: null }));
    const { body } = await receiver.next();
    assert.deepEqual([body.team, body.stage, body.source_url, body.bundled], [null, null, null, []]);
  });

  it('keeps the webhook-id for all attempts of one delivery', async () => {
    receiver.script({ status: 500 });
    await send({}, aNotification({ attempt: 1 }));
    await send({}, aNotification({ attempt: 2, repeat: true }));
    const [first, second] = [await receiver.next(), await receiver.next()];
    assert.equal(first.id, second.id);
  });

  it('delivers without a signature if there is no secret, and refuses with a damaged one', async () => {
    const unsigned = await webhookReceiver();
    assert.equal((await send({ value: unsigned.url, signingSecret: null })).kind, 'accepted');
    assert.equal((await unsigned.next()).headers['webhook-signature'], undefined);
    const damaged = await send({ value: unsigned.url, signingSecret: 'whsec_***' });
    assert.equal(damaged.kind, 'refused');
    assert.match('error' in damaged ? damaged.error : '', /signing secret/);
    unsigned.assertNothingUnexpected();
    await unsigned.stop();
  });

  it('does not follow redirects, not even to an internal address', async () => {
    const inside = await webhookReceiver();
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.script({ status, headers: { location: inside.url } });
      const outcome = await send();
      assert.equal(outcome.kind, 'refused');
      await receiver.next();
    }
    assert.equal(inside.received.length, 0);
    await inside.stop();
  });

  it('retries temporary failures and gives up on permanent ones', async () => {
    const kinds: Record<number, Outcome['kind']> = {
      200: 'accepted',
      202: 'accepted',
      204: 'accepted',
      400: 'refused',
      401: 'refused',
      404: 'refused',
      408: 'retry',
      410: 'refused',
      425: 'retry',
      429: 'retry',
      500: 'retry',
      502: 'retry',
    };
    for (const [status, kind] of Object.entries(kinds)) {
      receiver.script({ status: Number(status) });
      assert.equal((await send()).kind, kind, status);
      await receiver.next();
    }
  });

  it('does not wait for the rest of an answer once the status is known', async () => {
    receiver.script('drip');
    assert.equal((await send()).kind, 'accepted');
    await receiver.next();
  });

  it("quotes the endpoint's reason for a refusal, in one short line", async () => {
    receiver.script({ status: 422, body: `team is closed.\n${'x'.repeat(100_000)}` });
    assert.deepEqual(await send(), { kind: 'refused', error: 'It answered 422: team is closed.' });
    await receiver.next();
  });

  it('refuses addresses that are not plain http URLs', async () => {
    for (const value of [
      '',
      'nonsense',
      'ftp://example.com/',
      'file:///etc/passwd',
      'http://ada:pw@example.com/',
    ]) {
      const outcome = await send({ value });
      assert.equal(outcome.kind, 'refused', value);
      assert.match('error' in outcome ? outcome.error : '', /^The address of this webhook .*\.$/);
    }
  });

  it('reports that a host name does not exist', async () => {
    const outcome = await send({ value: 'http://no-such-host.invalid/' });
    assert.equal(outcome.kind, 'retry');
  });
});
