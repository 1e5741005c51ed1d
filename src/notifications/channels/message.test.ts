import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CODE_POINT } from '../../../testing/code-point.ts';
import { aNotification } from '../../../testing/fakes/notification.ts';
import { slackLimits } from '../../../testing/fakes/slack-limits.ts';
import { WEB_URL } from '../../../testing/web-url.ts';
import { type Message, messageBody, messageChat, messageMail, messageSms, messageTwiml } from './message.ts';
import { smsSegments } from './sms/text.ts';
import { webhookBody } from './webhook/channel.ts';

const code: Message = {
  type: 'verification',
  id: 'message_01jd3v8k3ze2a9h5q7x0w4m6np',
  kind: null,
  subject: 'Your Tocsin code is 042137',
  text: 'Enter it where you added this contact method.',
  url: 'https://tocsin.example/profile',
  code: '042137',
  sentAt: Temporal.Instant.from('2026-11-20T03:04:05.678Z'),
};
const anyMessage = fc.record({
  subject: fc.string({ unit: CODE_POINT, minLength: 1, maxLength: 300 }),
  text: fc.string({ unit: CODE_POINT, maxLength: 3_000 }),
  url: fc.option(WEB_URL),
});

describe('messages that are not pages', () => {
  it('share only the fields of a page that mean the same', () => {
    const shared = Object.keys(messageBody(code)).filter((field) => field in webhookBody(aNotification()));
    assert.deepEqual(shared, ['type', 'text', 'sent_at']);
    assert.equal('code' in messageBody({ ...code, code: null }), false);
  });

  it('are spoken twice, with codes digit by digit', async () => {
    const twiml = await messageTwiml(code);
    assert.equal(twiml.split('0, 4, 2, 1, 3, 7').length - 1, 2);
  });

  it('fit and never end a header, whatever they contain', () => {
    fc.assert(
      fc.property(anyMessage, (words) => {
        const message: Message = { ...code, ...words, type: 'notice', code: null };
        assert.ok(smsSegments(messageSms(message)) <= 4, messageSms(message));
        const mail = messageMail(message, 'tocsin.example');
        assert.doesNotMatch(mail.subject, /[\r\n]/);
        assert.doesNotMatch(mail.html, /<script/i);
        assert.deepEqual(slackLimits(messageChat(message).blocks as never), []);
      }),
      { numRuns: 200 },
    );
  });
});
