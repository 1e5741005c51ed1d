import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CODE_POINT } from '../../../../testing/code-point.ts';
import { inLanguage } from '../../../language/ambient.ts';
import { acknowledgeAnswer, parseSmsReply, smsHelp } from './reply.ts';
import { smsSegments } from './text.ts';

describe('parseSmsReply', () => {
  const acknowledged: [body: string, code: string | null][] = [
    ['ACK', null],
    ['ack.', null],
    [' Ack!\n', null],
    ['ACK 4821', '4821'],
    ['ACK4821', '4821'],
    ['ack: 4821', '4821'],
    ['ack #4821', '4821'],
    ['a 4821', '4821'],
    ['A', null],
    ['4821', '4821'],
    ['4821.', '4821'],
    ['k7qm2', 'K7QM2'],
    ['yes', null],
    ['Yes 4821', '4821'],
    ['ok', null],
    ['4', null],
    ['acknowledged', null],
    ['ACK, on my way', null],
    ['Acknowledge 4821 please', '4821'],
    ['ＡＣＫ　４８２１', '4821'],
    ['ａｃｋ', null],
  ];
  for (const [body, code] of acknowledged) {
    it(`${JSON.stringify(body)} acknowledges ${code ?? 'the page without a code'}`, () => {
      assert.deepEqual(parseSmsReply(body), { kind: 'acknowledge', code });
    });
  }

  const unclear = [
    '',
    'no',
    'what is this?',
    'A server is down again',
    'yes but who broke it',
    'ackbar',
    '12',
    'thanks',
    '👍',
  ];
  for (const body of unclear) {
    it(`${JSON.stringify(body)} acknowledges nothing`, () =>
      assert.equal(parseSmsReply(body).kind, 'unclear'));
  }

  it('leaves STOP and similar words to Twilio', () => {
    for (const body of ['STOP', 'stop', 'Unsubscribe', 'START', 'HELP']) {
      assert.equal(parseSmsReply(body).kind, 'subscription');
    }
  });

  it('never throws, whatever it reads', () => {
    fc.assert(
      fc.property(fc.string({ unit: CODE_POINT }), (body) => typeof parseSmsReply(body).kind === 'string'),
    );
  });
});

describe('acknowledgeAnswer', () => {
  it('describes the result', () => {
    const title = 'Disk full';
    assert.equal(acknowledgeAnswer({ outcome: 'acknowledged', title }, null), 'Acknowledged: Disk full');
    assert.equal(
      acknowledgeAnswer({ outcome: 'already', title, by: 'Grace' }, null),
      'Already acknowledged by Grace: Disk full',
    );
    assert.equal(acknowledgeAnswer({ outcome: 'not_open' }, '4821'), 'This page is no longer open.');
    assert.equal(
      acknowledgeAnswer({ outcome: 'unknown' }, '4821'),
      'No page with the code 4821 was sent to this number.',
    );
    assert.equal(acknowledgeAnswer({ outcome: 'unknown' }, null), 'No open page was sent to this number.');
  });

  it('names at most five pages to choose from', () => {
    const pages = Array.from({ length: 7 }, (_, index) => ({ code: `482${index}`, title: 'x'.repeat(200) }));
    const text = acknowledgeAnswer({ outcome: 'choose', pages }, null);
    assert.match(text, /^Which page\? Reply ACK and its code: 4820 x+\.\.\.; 4821 /);
    assert.match(text, /4824 x+\.\.\.; open the dashboard for the others$/);
    assert.ok(text.length < 3 * 153, `${text.length} characters`);
  });

  it('takes one segment in each language that the plain alphabet can write, or nearly can', () => {
    const answers = () => [
      smsHelp(),
      acknowledgeAnswer({ outcome: 'acknowledged', title: 'Disk full' }, null),
      acknowledgeAnswer({ outcome: 'already', title: 'Disk full', by: 'Grace' }, null),
      acknowledgeAnswer({ outcome: 'not_open', title: 'Disk full' }, null),
      acknowledgeAnswer({ outcome: 'unknown' }, '4821'),
      acknowledgeAnswer({ outcome: 'choose', pages: [{ code: '4821', title: 'Disk full' }] }, null),
    ];
    for (const language of ['en', 'de', 'fr', 'es', 'pt-BR'] as const) {
      for (const text of inLanguage(language, answers)) {
        assert.ok(text.length <= 160, text);
        // In another alphabet, the same number of characters takes three segments.
        assert.equal(smsSegments(text.padEnd(160, 'x')), 1, text);
      }
    }
  });
});
