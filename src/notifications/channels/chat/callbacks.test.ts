import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type FakeSlack, fakeSlack, type PostedMessage } from '../../../../testing/fakes/fake-slack.ts';
import {
  inboundServer,
  type RecordedPorts,
  recordedPorts,
} from '../../../../testing/fakes/inbound-server.ts';
import { aNotification } from '../../../../testing/fakes/notification.ts';
import { PATIENCE_MS } from '../../../../testing/patience.ts';
import { slackCallbacks } from './callbacks.ts';
import { chatChannel } from './channel.ts';
import { isSlackSignature } from './signature.ts';

const { deliveryId } = aNotification();
const GRACE = { id: 'U777', username: 'grace' };

describe('clicks in Slack', () => {
  let slack: FakeSlack;
  let ports: RecordedPorts;
  let server: { url: string; stop(): Promise<void> };
  let message: PostedMessage;
  before(async () => {
    slack = await fakeSlack();
    ports = recordedPorts(aNotification());
    server = await inboundServer(
      slackCallbacks({ slack: slack.settings, allowPrivateWebhooks: true }, ports),
    );
    slack.reachAt(server.url);
    const address = { value: 'ada', chatUserId: 'U024BE7LH', userId: 'organization_user_1' };
    await chatChannel({ slack: slack.settings }).send(
      aNotification(),
      address,
      AbortSignal.timeout(PATIENCE_MS),
    );
    message = await slack.messages.next();
  });
  after(async () => {
    await server.stop();
    slack.assertNothingUnexpected();
    await slack.stop();
  });
  const buttonsOf = (blocks: PostedMessage['blocks']) =>
    blocks.flatMap((block) => block.elements ?? []).flatMap(({ action_id: id }) => (id ? [id] : []));

  it('acknowledge as the person who clicked, and show that in the message, which loses its buttons', async () => {
    assert.equal((await slack.click(message, 'acknowledge', GRACE)).status, 200);
    assert.deepEqual(ports.acknowledged, [{ answered: { deliveryId, chatUserId: 'U777' }, via: 'chat' }]);
    const replaced = await slack.replaced.next();
    assert.equal(replaced.replaceOriginal, true);
    assert.equal(replaced.text, 'Acknowledged by Ada Lovelace. Disk full on db-1 (high urgency)');
    assert.ok(replaced.blocks.some((block) => block.text?.text === 'Acknowledged by Ada Lovelace.'));
    assert.deepEqual(buttonsOf(replaced.blocks), ['open_page', 'open_source']);
  });

  it('are shown without buttons for links if Slack does not accept these', async () => {
    slack.script({ status: 400, body: 'invalid_blocks' });
    await slack.click(message, 'acknowledge', GRACE);
    await slack.replaced.next();
    const { blocks } = await slack.replaced.next();
    assert.deepEqual(buttonsOf(blocks), []);
    assert.match(blocks.at(-1)?.text?.text ?? '', /^Open the page: https:/);
    ports.acknowledged.length = 0;
  });

  it('that arrive twice name the first person', async () => {
    ports.acknowledgeResult = { outcome: 'already', by: 'Ada Lovelace' };
    await slack.click(message, 'acknowledge', GRACE);
    assert.match((await slack.replaced.next()).text, /^Already acknowledged by Ada Lovelace\./);
  });

  it('escalate, after which the page can still be acknowledged', async () => {
    await slack.click(message, 'escalate');
    assert.deepEqual(ports.escalated, [{ answered: { deliveryId, chatUserId: 'U024BE7LH' }, via: 'chat' }]);
    const replaced = await slack.replaced.next();
    assert.match(replaced.text, /^Escalated: Grace Hopper is notified\./);
    assert.deepEqual(buttonsOf(replaced.blocks), ['acknowledge', 'escalate', 'open_page', 'open_source']);
  });

  it('on a page that no longer exists are answered only to the person who clicked', async () => {
    ports.deliveries.clear();
    ports.acknowledgeResult = { outcome: 'unknown' };
    await slack.click(message, 'acknowledge');
    const answer = await slack.replaced.next();
    assert.equal(answer.replaceOriginal, false);
    assert.match(answer.text, /is not linked to a person in Tocsin/);
    ports.deliveries.set(deliveryId, aNotification());
  });

  it('on a link have no effect here', async () => {
    const before = ports.acknowledged.length;
    assert.equal((await slack.click(message, 'open_page')).status, 200);
    assert.equal(ports.acknowledged.length, before);
  });

  it('are answered even if the message cannot be replaced', async () => {
    slack.script({ status: 500 });
    assert.equal((await slack.click(message, 'acknowledge')).status, 200);
    await slack.replaced.next();
  });

  it('that are not clicks are refused', async () => {
    for (const payload of [
      '',
      'nonsense',
      'null',
      '[]',
      '{"type":"view_submission"}',
      '{"type":"block_actions"}',
    ]) {
      assert.equal((await slack.callback({ payload })).status, 400, payload);
    }
  });

  it('need a recent signature', async () => {
    const hour = 3_600_000;
    const payload = JSON.stringify({ type: 'block_actions', user: { id: 'U1' }, actions: [] });
    assert.equal((await slack.callback({ payload })).status, 200);
    assert.equal((await slack.callback({ payload }, new Date(Date.now() - hour))).status, 401);
    assert.equal((await slack.callback({ payload }, new Date(Date.now() + hour))).status, 401);
    const unsigned = await fetch(`${server.url}/callbacks/slack/actions`, {
      method: 'POST',
      body: new URLSearchParams({ payload }),
    });
    assert.equal(unsigned.status, 401);
  });
});

describe('a slow acknowledgement', () => {
  it('does not keep Slack waiting longer than three seconds', async (test) => {
    const slack = await fakeSlack();
    const ports = recordedPorts(aNotification());
    const { promise, resolve } = Promise.withResolvers<{ outcome: 'acknowledged'; by: string }>();
    ports.acknowledge = () => promise;
    const server = await inboundServer(
      slackCallbacks({ slack: slack.settings, allowPrivateWebhooks: true }, ports),
    );
    test.after(() => Promise.all([server.stop(), slack.stop()]));
    slack.reachAt(server.url);
    const payload = JSON.stringify({
      type: 'block_actions',
      user: { id: 'U1' },
      response_url: `${slack.settings.apiUrl.replace('/api/', '')}/response/1`,
      actions: [{ action_id: 'acknowledge', value: deliveryId }],
    });
    assert.equal((await slack.callback({ payload })).status, 200);
    resolve({ outcome: 'acknowledged', by: 'Ada Lovelace' });
    assert.match((await slack.replaced.next()).text, /^Acknowledged by Ada Lovelace\./);
  });
});

describe('the response URL of a clicked message', () => {
  it('is not called if it is inside a private network, and the click still counts', async (test) => {
    const slack = await fakeSlack();
    const ports = recordedPorts(aNotification());
    const { settings } = slack;
    const server = await inboundServer(
      slackCallbacks({ slack: settings, allowPrivateWebhooks: false }, ports),
    );
    test.after(() => Promise.all([server.stop(), slack.stop()]));
    slack.reachAt(server.url);
    const origin = settings.apiUrl.replace('/api/', '');
    const port = new URL(origin).port;
    for (const inside of [
      origin,
      `http://localhost:${port}`,
      `http://[::1]:${port}`,
      'http://169.254.169.254',
    ]) {
      const payload = JSON.stringify({
        type: 'block_actions',
        user: { id: 'U1' },
        response_url: `${inside}/response/1`,
        actions: [{ action_id: 'acknowledge', value: deliveryId, action_ts: inside }],
      });
      assert.equal((await slack.callback({ payload })).status, 200);
    }
    assert.equal(ports.acknowledged.length, 4);
    assert.equal(slack.replaced.received.length, 0);
    slack.assertNothingUnexpected();
  });
});

describe('isSlackSignature', () => {
  // Computed once with another tool: printf 'v0:1531420618:token=xyz' | openssl dgst -sha256 -hmac 8f742231b10e8888abcd99yyyzzz85a5
  const raw = Buffer.from('token=xyz');
  const timestamp = '1531420618';
  const signature = 'v0=7d1e505747e16b2e9a5cb99318cbd784d12290a7129487637e0b023164e4aafb';
  const secret = '8f742231b10e8888abcd99yyyzzz85a5';
  const at = Temporal.Instant.fromEpochMilliseconds(1_531_420_618_000);

  it('accepts the signature of exactly these bytes', () => {
    assert.equal(isSlackSignature({ signature, timestamp, raw }, secret, at), true);
    assert.equal(
      isSlackSignature({ signature, timestamp, raw: Buffer.from('token=xyy') }, secret, at),
      false,
    );
    assert.equal(isSlackSignature({ signature: signature.slice(0, -1), timestamp, raw }, secret, at), false);
    assert.equal(isSlackSignature({ signature: undefined, timestamp, raw }, secret, at), false);
    assert.equal(isSlackSignature({ signature, timestamp: '1531420619', raw }, secret, at), false);
    assert.equal(isSlackSignature({ signature, timestamp, raw }, 'another secret', at), false);
  });

  it('accepts it for five minutes, before and after', () => {
    const after = (seconds: number) =>
      isSlackSignature({ signature, timestamp, raw }, secret, at.add({ seconds }));
    assert.deepEqual([-301, -300, 300, 301].map(after), [false, true, true, false]);
  });

  it('refuses an invalid time', () => {
    for (const odd of ['', 'now', '1e9', '-1', '1531420618.5', undefined]) {
      assert.equal(isSlackSignature({ signature, timestamp: odd, raw }, secret, at), false);
    }
  });
});
