import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type FakeTwilio, failure, fakeTwilio } from '../../../../testing/fakes/fake-twilio.ts';
import { aNotification, aResolution, THREE_MORE } from '../../../../testing/fakes/notification.ts';
import { PATIENCE_MS } from '../../../../testing/patience.ts';
import { ADA, publicUrl, twilioContract } from '../../../../testing/twilio-contract.ts';
import type { ReceiptState } from '../../inbound/receipt.ts';
import { voiceChannel } from './channel.ts';
import { pageTwiml } from './twiml.ts';

/** Twilio's answers about calls, for the states in the contract. */
const CALL_STATES: Partial<Record<ReceiptState, string>> = {
  accepted: 'initiated',
  sent: 'ringing',
  delivered: 'in-progress',
  failed: 'failed',
};

twilioContract('voice', voiceChannel, (twilio) => twilio.calls, CALL_STATES);

describe('voice', () => {
  let twilio: FakeTwilio;
  before(async () => {
    twilio = await fakeTwilio({ publicUrl });
  });
  after(async () => {
    twilio.assertNothingUnexpected();
    await twilio.stop();
  });

  it('places a call with its own text, waits for a key and reports every state', async () => {
    const channel = voiceChannel({ twilio: twilio.settings, publicUrl });
    const outcome = await channel.send(aNotification(), ADA, AbortSignal.timeout(PATIENCE_MS));
    const call = await twilio.calls.next();
    assert.deepEqual(outcome, { kind: 'accepted', providerId: call.sid });
    assert.deepEqual([call.to, call.from], ['+15005550009', '+15005550006']);
    const delivery = 'delivery_01jd3v8k3ze2a9h5q7x0w4m6np';
    assert.equal(call.statusCallback, `https://tocsin.example/callbacks/twilio/status/${delivery}`);
    assert.deepEqual(call.statusCallbackEvents, ['initiated', 'ringing', 'answered', 'completed']);
    assert.ok(call.twiml.includes(`action="https://tocsin.example/callbacks/twilio/voice/${delivery}/key"`));
    assert.match(call.twiml, /<Gather [^>]*numDigits="1"/);
  });

  it('ends a call whose page has ended, in any state', async () => {
    const channel = voiceChannel({ twilio: twilio.settings, publicUrl });
    const notification = aNotification();
    await channel.send(notification, ADA, AbortSignal.timeout(PATIENCE_MS));
    const { sid } = await twilio.calls.next();
    const end = (providerId: string | null) =>
      channel.resolve?.(aResolution({ notification, providerId }), ADA, AbortSignal.timeout(PATIENCE_MS));
    assert.deepEqual(await end(sid), { kind: 'accepted', providerId: sid });
    assert.equal(await twilio.ended.next(), sid);
    twilio.script(failure(404, 20404, 'The requested resource was not found'));
    const refused = await end(sid);
    assert.deepEqual([refused?.kind, refused && 'problem' in refused], ['refused', false]);
    await twilio.ended.next();
    assert.equal((await end(null))?.kind, 'refused');
  });

  it('needs a phone number as the caller', () => {
    const channel = voiceChannel({ twilio: { ...twilio.settings, from: 'MG1' }, publicUrl });
    assert.match(channel.unavailable ?? '', /phone number in TWILIO_FROM/);
  });
});

describe('the text of a call', () => {
  const KEY = 'https://tocsin.example/callbacks/twilio/voice/delivery_1/key';
  const sentences = (twiml: string) =>
    [...twiml.matchAll(/<Say>([^<]*)<\/Say>/g)].map((match) => match[1] ?? '');

  it('speaks the page and the keys, twice', async () => {
    const said = sentences(await pageTwiml(aNotification(), KEY));
    assert.equal(
      said[0],
      'Tocsin. A page of high urgency for Site Reliability, stage 1. Disk full on db-1. The disk of db-1 is at 99 % and fills up in 20 minutes. Press 4 to acknowledge. Press 6 to escalate.',
    );
    assert.equal(said[1], `Again. ${said[0]}`);
  });

  it('pauses between title, text and keys, however they end', async () => {
    const [said = ''] = sentences(
      await pageTwiml(aNotification({ title: 'Who is there?', text: 'nobody & no one' }), KEY),
    );
    assert.match(said, /stage 1\. Who is there\? nobody and no one\. Press 4/);
  });

  it('marks repeats and bundles in words', async () => {
    const [said = ''] = sentences(await pageTwiml(aNotification({ repeat: true, bundled: THREE_MORE }), KEY));
    assert.match(said, /And 3 more pages\. Sent again: you may have had this message before\./);
  });

  it('stays well-formed and within 4,000 characters, whatever the page contains', async () => {
    const texts = [
      '<Hangup/>&"\'',
      '\u0000\u0007\ud800',
      'é'.repeat(10_000),
      '&'.repeat(10_000),
      `https://x.example/${'y'.repeat(900)}`,
    ];
    for (const text of texts) {
      const twiml = await pageTwiml(aNotification({ text, title: text.slice(0, 200) }), KEY);
      assert.ok(twiml.length <= 4_000, `${twiml.length} characters`);
      assert.doesNotMatch(twiml, /<Hangup/);
      assert.doesNotMatch(twiml, /\p{Cc}/u);
      assert.ok(twiml.isWellFormed());
    }
  });

  it('waits for no keys if they could not reach us, or if nothing can be acknowledged', async () => {
    assert.doesNotMatch(await pageTwiml(aNotification(), null), /<Gather|Press 4/);
    const expired = await pageTwiml(aNotification({ type: 'page.expired' }), KEY);
    assert.doesNotMatch(expired, /<Gather|Press 4/);
    assert.match(expired, /Nobody acknowledged: Disk full on db-1\./);
  });
});
