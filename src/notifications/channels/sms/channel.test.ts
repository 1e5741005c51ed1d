import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type FakeTwilio, failure, fakeTwilio } from '../../../../testing/fakes/fake-twilio.ts';
import { aNotification } from '../../../../testing/fakes/notification.ts';
import { PATIENCE_MS } from '../../../../testing/patience.ts';
import { ADA, publicUrl, twilioContract } from '../../../../testing/twilio-contract.ts';
import type { Outcome } from '../channel.ts';
import { smsChannel } from './channel.ts';

twilioContract('SMS', smsChannel, (twilio) => twilio.messages);

describe('SMS', () => {
  let twilio: FakeTwilio;
  before(async () => {
    twilio = await fakeTwilio({ publicUrl });
  });
  after(async () => {
    twilio.assertNothingUnexpected();
    await twilio.stop();
  });
  const send = (settings: Partial<FakeTwilio['settings']> = {}, ourUrl = publicUrl): Promise<Outcome> =>
    smsChannel({ twilio: { ...twilio.settings, ...settings }, publicUrl: ourUrl }).send(
      aNotification(),
      ADA,
      AbortSignal.timeout(PATIENCE_MS),
    );

  it('sends the text and requests receipts for this delivery', async () => {
    const outcome = await send();
    const message = await twilio.messages.next();
    assert.deepEqual(outcome, { kind: 'accepted', providerId: message.sid });
    assert.equal(message.to, '+15005550009');
    assert.equal(message.from, '+15005550006');
    assert.match(message.body, /^Disk full on db-1\n/);
    assert.equal(
      message.statusCallback,
      'https://tocsin.example/callbacks/twilio/status/delivery_01jd3v8k3ze2a9h5q7x0w4m6np',
    );
  });

  it('can send through a messaging service', async () => {
    await send({ from: 'MG0123456789abcdef0123456789abcdef' });
    assert.equal((await twilio.messages.next()).from, 'MG0123456789abcdef0123456789abcdef');
  });

  it('does not request receipts that Twilio could not deliver, because Twilio would refuse the message', async () => {
    await send({}, 'http://127.0.0.1:8080');
    assert.notEqual(
      (await twilio.messages.next()).statusCallback,
      null,
      'this Twilio is on the same machine',
    );
    const { callbackBase } = await import('../phone/twilio-call.ts');
    for (const ourUrl of [
      'http://127.0.0.1:8080',
      'http://localhost:8080',
      'http://[::1]:8080',
      'https://10.1.2.3',
    ]) {
      assert.equal(callbackBase(ourUrl, 'https://api.twilio.com'), null, ourUrl);
    }
    assert.equal(
      callbackBase('https://tocsin.example/', 'https://api.twilio.com'),
      'https://tocsin.example/callbacks/twilio',
    );
  });

  it('distinguishes a failure of our account from a failure of the number', async () => {
    const cases: [code: number, status: number, kind: Outcome['kind'], problem: string | undefined][] = [
      [21211, 400, 'refused', undefined],
      [21610, 400, 'refused', undefined],
      [21614, 400, 'refused', undefined],
      [21606, 400, 'refused', 'misconfigured'],
      [21408, 400, 'refused', 'misconfigured'],
      [21609, 400, 'refused', 'misconfigured'],
      [20003, 401, 'refused', 'credentials'],
      [20005, 403, 'refused', 'credentials'],
      [10004, 403, 'retry', 'rate_limited'],
      [20429, 429, 'retry', 'rate_limited'],
      [21611, 400, 'retry', 'rate_limited'],
      [22005, 400, 'retry', 'rate_limited'],
      [20500, 500, 'retry', 'unreachable'],
      [20503, 503, 'retry', 'unreachable'],
    ];
    for (const [code, status, kind, problem] of cases) {
      twilio.script(failure(status, code, 'as Twilio says'));
      const outcome = await send();
      assert.equal(outcome.kind, kind, `${code}`);
      assert.equal('problem' in outcome ? outcome.problem?.code : undefined, problem, `${code}`);
      await twilio.messages.next();
    }
  });

  it('treats a message that Twilio accepted and failed at once as refused', async () => {
    twilio.script({ status: 201, body: JSON.stringify({ sid: 'SM1', status: 'failed', error_code: 30006 }) });
    assert.deepEqual(await send(), {
      kind: 'refused',
      error: 'Twilio accepted the message and then failed: error 30006.',
    });
    await twilio.messages.next();
  });

  it('retries after an answer without a message id, and marks that it may have been sent', async () => {
    for (const body of ['{}', 'null', '[]', '"fine"', '']) {
      twilio.script({ status: 200, body });
      const outcome = await send();
      assert.equal(outcome.kind === 'retry' && outcome.maybeSent, true, body);
      await twilio.messages.next();
    }
  });

  it('names the wrong setting', () => {
    const channel = smsChannel({ twilio: { ...twilio.settings, accountSid: 'SK1' }, publicUrl });
    assert.match(channel.unavailable ?? '', /^TWILIO_ACCOUNT_SID must start with AC/);
  });
});
