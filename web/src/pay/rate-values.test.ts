import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { ENGLISH, speakWith, speechOf } from '../../../src/language/contract.ts';
import { asWritten, sentOf } from './rate-values.ts';

/** What is sent for a rate that somebody enters in a dashboard of this language. */
function sent(language: string, entered: string): unknown {
  speakWith(() => speechOf(language, {}));
  return sentOf({ 'on_call.standby': entered }).rates.on_call?.standby;
}

describe('a rate that somebody enters', () => {
  afterEach(() => speakWith(() => ENGLISH));

  it('has its decimals after a point or a comma', () => {
    for (const language of ['en', 'ja', 'de', 'fr', 'es', 'pt-BR'])
      for (const entered of ['2.50', '2,50', ' 2.50 '])
        assert.equal(sent(language, entered), '2.50', `${entered} in ${language}`);
    assert.equal(sent('en', ''), '0');
  });

  it('can have separated thousands, as its language writes them', () => {
    assert.equal(sent('ja', '1,200'), '1200');
    assert.equal(sent('en', '1,234.50'), '1234.50');
    assert.equal(sent('de', '1.200'), '1200');
    assert.equal(sent('de', '1.234,50'), '1234.50');
    assert.equal(sent('fr', '1 200,5'), '1200.5');
    assert.equal(sent('de', '1,200'), '1.200');
    assert.equal(sent('en', '1.200'), '1.200');
  });

  it('is left for the service to refuse if it is no number', () => {
    assert.equal(sent('en', 'much'), 'much');
    assert.equal(sent('en', '1,2,3'), '1.2,3');
  });

  it('is shown as it would be entered, so that nothing is sent that was only shown', () => {
    const classes = { standby: '1.200', night: '0', weekend: '1200', holiday: '12.5' };
    const rates = {
      on_call: classes,
      called_out: {
        ...classes,
        ...{ minimum_minutes: 60, step_minutes: 15, longest_hours: 12, on_call: 'continues' as const },
      },
      stages: [{ from_stage: 2, on_call: classes }],
      overlap: 'highest' as const,
      night: { from: '22:00', to: '06:00' },
      weekend: [],
      working_hours: [],
    };
    for (const language of ['en', 'ja', 'de', 'fr', 'es', 'pt-BR']) {
      speakWith(() => speechOf(language, {}));
      const shown = asWritten(rates);
      assert.equal(shown.on_call.standby, ['en', 'ja'].includes(language) ? '1.200' : '1,200');
      for (const [name, rate] of Object.entries(classes)) {
        const read = sentOf({ [`on_call.${name}`]: shown.on_call[name as keyof typeof classes] });
        assert.equal(read.rates.on_call?.[name as keyof typeof classes], rate);
      }
      assert.deepEqual(sentOf({ stages: shown.stages }).rates.stages, rates.stages);
    }
  });
});
