import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type FakeTwilio, fakeTwilio, type PlacedCall } from '../../../../testing/fakes/fake-twilio.ts';
import {
  inboundServer,
  type RecordedPorts,
  recordedPorts,
} from '../../../../testing/fakes/inbound-server.ts';
import { aNotification } from '../../../../testing/fakes/notification.ts';
import { PATIENCE_MS } from '../../../../testing/patience.ts';
import { voiceChannel } from '../voice/channel.ts';
import { twilioCallbacks } from './callbacks.ts';

// Below a path, as behind a proxy that strips it: the server sees a different path than the one that Twilio signs.
const publicUrl = 'https://tocsin.example/pager';
const { deliveryId } = aNotification();

describe('callbacks of Twilio', () => {
  let twilio: FakeTwilio;
  let ports: RecordedPorts;
  let server: { url: string; stop(): Promise<void> };
  before(async () => {
    twilio = await fakeTwilio({ publicUrl });
    ports = recordedPorts(aNotification());
    server = await inboundServer(twilioCallbacks({ twilio: twilio.settings, publicUrl }, ports));
    twilio.reachAt(server.url);
  });
  after(async () => {
    await server.stop();
    twilio.assertNothingUnexpected();
    await twilio.stop();
  });

  const placeCall = async (): Promise<PlacedCall> => {
    const address = { value: '+15005550009', userId: 'organization_user_1' };
    const channel = voiceChannel({ twilio: twilio.settings, publicUrl });
    await channel.send(aNotification(), address, AbortSignal.timeout(PATIENCE_MS));
    return twilio.calls.next();
  };
  const said = (twiml: string) => /<(?:Say|Message)>([^<]*)</.exec(twiml)?.[1];

  it('a text message acknowledges the page with that code, and gets an answer', async () => {
    const answer = await twilio.sms('+15005550009', 'ack 4821');
    assert.equal(answer.headers.get('content-type'), 'text/xml; charset=utf-8');
    assert.equal(said(await answer.text()), 'Acknowledged: Disk full on db-1');
    assert.deepEqual(ports.acknowledged.at(-1), {
      answered: { phone: '+15005550009', code: '4821' },
      via: 'sms',
    });
  });

  it('a text message without a code is passed on without one', async () => {
    await twilio.sms('+15005550009', 'Yes');
    assert.deepEqual(ports.acknowledged.at(-1)?.answered, { phone: '+15005550009', code: null });
  });

  it('a text message that is not a command gets help, and STOP gets no reply', async () => {
    const before = ports.acknowledged.length;
    assert.match(said(await (await twilio.sms('+15005550009', 'who is this')).text()) ?? '', /Reply ACK/);
    assert.equal(said(await (await twilio.sms('+15005550009', 'STOP')).text()), undefined);
    assert.equal(ports.acknowledged.length, before);
  });

  it("a person's name cannot break out of the answer", async () => {
    ports.acknowledgeResult = { outcome: 'already', by: '<Redirect>&', title: '</Message>' };
    const xml = await (await twilio.sms('+15005550009', 'ack')).text();
    assert.doesNotMatch(xml, /<Redirect>|<\/Message><\/Message>/);
    ports.acknowledgeResult = { outcome: 'acknowledged', title: 'Disk full on db-1', by: 'Ada Lovelace' };
  });

  it('keys 4 and 1 acknowledge, key 6 escalates', async () => {
    const call = await placeCall();
    for (const key of ['4', '1']) {
      const twiml = await twilio.press(call, key);
      assert.equal(said(twiml), 'You have acknowledged the page. Thank you. Goodbye.');
      assert.match(twiml, /<Hangup\/>/);
      assert.deepEqual(ports.acknowledged.at(-1), { answered: { deliveryId }, via: 'voice' });
    }
    assert.match(said(await twilio.press(call, '6')) ?? '', /^Escalated: Grace Hopper is notified\./);
    assert.deepEqual(ports.escalated.at(-1), { answered: { deliveryId }, via: 'voice' });
  });

  it('another key gets an explanation, and the page is read again', async () => {
    const call = await placeCall();
    const twiml = await twilio.press(call, '9');
    const again = /<Redirect method="POST">([^<]+)</.exec(twiml)?.[1] ?? '';
    const page = await (await twilio.callback(again, { CallSid: call.sid })).text();
    assert.match(said(page) ?? '', /Disk full on db-1.*Press 4 to acknowledge/);
    assert.equal(page, call.twiml, 'what we serve is what the call carried');
  });

  it('a key for a page that somebody else acknowledged is answered with their name', async () => {
    const call = await placeCall();
    ports.acknowledgeResult = { outcome: 'already', by: 'Grace Hopper' };
    assert.match(
      said(await twilio.press(call, '4')) ?? '',
      /^Grace Hopper has acknowledged this page already\./,
    );
    ports.acknowledgeResult = { outcome: 'acknowledged', title: 'Disk full on db-1', by: 'Ada Lovelace' };
  });

  it('a page that no longer exists ends the call politely', async () => {
    const url = `${publicUrl}/callbacks/twilio/voice/delivery_gone`;
    const twiml = await (await twilio.callback(url, { CallSid: 'CA1' })).text();
    assert.match(said(twiml) ?? '', /no longer exists\. Goodbye\./);
  });

  it('a receipt without information is accepted and ignored', async () => {
    const url = `${publicUrl}/callbacks/twilio/status/${deliveryId}`;
    const answer = await twilio.callback(url, { MessageSid: 'SM1', MessageStatus: 'receiving' });
    assert.equal(answer.status, 204);
    assert.equal(ports.receipts.length, 0);
  });

  it('a replayed receipt changes nothing', async () => {
    const url = `${publicUrl}/callbacks/twilio/status/${deliveryId}`;
    await twilio.callback(url, { MessageSid: 'SM1', MessageStatus: 'delivered' });
    await twilio.callback(url, { MessageSid: 'SM1', MessageStatus: 'sent' });
    await twilio.callback(url, { MessageSid: 'SM1', MessageStatus: 'sent' });
    assert.equal(ports.states.get(deliveryId), 'delivered');
  });
});

describe('the signature of Twilio', () => {
  const url = `${publicUrl}/callbacks/twilio/sms`;
  const fields = { From: '+15005550009', Body: 'ack 4821', MessageSid: 'SM1' };
  const post = async (
    server: string,
    headers: Record<string, string>,
    body: Record<string, string> = fields,
  ) =>
    (
      await fetch(`${server}/callbacks/twilio/sms`, {
        method: 'POST',
        headers,
        body: new URLSearchParams(body),
      })
    ).status;

  it('is required on every route, and covers our public address and every field', async (test) => {
    const twilio = await fakeTwilio({ publicUrl });
    const stranger = await fakeTwilio({ publicUrl });
    const ports = recordedPorts(aNotification());
    const server = await inboundServer(twilioCallbacks({ twilio: twilio.settings, publicUrl }, ports));
    test.after(() => Promise.all([server.stop(), twilio.stop(), stranger.stop()]));
    twilio.reachAt(server.url);
    stranger.reachAt(server.url);

    assert.equal((await stranger.callback(url, fields)).status, 403);
    for (const path of ['sms', 'status/d', 'voice/d', 'voice/d/key']) {
      const unsigned = await fetch(`${server.url}/callbacks/twilio/${path}`, {
        method: 'POST',
        body: new URLSearchParams(fields),
      });
      assert.equal(unsigned.status, 403, path);
    }
    const { default: library } = await import('twilio');
    const signature = library.getExpectedTwilioSignature(twilio.settings.authToken, url, fields);
    const inside = library.getExpectedTwilioSignature(
      twilio.settings.authToken,
      `${server.url}/callbacks/twilio/sms`,
      fields,
    );
    assert.equal(await post(server.url, { 'x-twilio-signature': inside }), 403, 'signed for another address');
    assert.equal(
      await post(server.url, { 'x-twilio-signature': signature }, { ...fields, Body: 'ack 9999' }),
      403,
    );
    assert.equal(await post(server.url, { 'x-twilio-signature': `${signature}x` }), 403);
    assert.equal(ports.acknowledged.length + ports.receipts.length + ports.escalated.length, 0);
    assert.equal(await post(server.url, { 'x-twilio-signature': signature }), 200);

    const twice = await fetch(`${server.url}/callbacks/twilio/sms`, {
      method: 'POST',
      headers: { 'x-twilio-signature': signature, 'content-type': 'application/x-www-form-urlencoded' },
      body: `${new URLSearchParams(fields)}&Body=ack+9999`,
    });
    assert.equal(twice.status, 200);
    const codes = ports.acknowledged.map(({ answered }) => ('code' in answered ? answered.code : null));
    assert.deepEqual(codes, ['4821', '4821'], 'what was signed is what counts');
  });
});
