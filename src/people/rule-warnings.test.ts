import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Rule } from './contract.ts';
import type { Means, MethodFacts } from './reachability.ts';
import { readRules } from './rule-reading.ts';
import { ruleWarnings } from './rule-warnings.ts';
import { effectiveRules } from './rules.ts';

const means: Means = { unavailable: new Map(), allowPrivate: true };
const phone: MethodFacts = { userId: 'ada', type: 'phone', value: '+1', chatUserId: null, verified: true };

const rule = (minutes: number, ...channels: Rule['channels']): Rule => ({
  urgency: 'high',
  position: minutes,
  afterMs: minutes * 60_000,
  channels,
});
const words = (rules: Rule[], methods: MethodFacts[], other = means) =>
  ruleWarnings('high', rules, methods, other).map(({ rule: place, message }) => `${place}: ${message}`);

describe("warnings about a person's rules", () => {
  it('are none if every step reaches something soon', () => {
    assert.deepEqual(words([rule(0, 'sms', 'push'), rule(2, 'voice')], [phone]), []);
  });

  it('name a step that reaches nobody, and the reasons', () => {
    assert.deepEqual(words([rule(0, 'sms'), rule(2, 'email', 'chat')], [phone]), [
      '1: This step reaches nobody: you have no verified email address; you have no verified chat.',
    ]);
    const noVoice: Means = { ...means, unavailable: new Map([['voice', 'Voice calls are not set up.']]) };
    assert.deepEqual(words([rule(0, 'sms'), rule(2, 'voice')], [phone], noVoice), [
      '1: This step reaches nobody: Voice calls are not set up.',
    ]);
  });

  it('report that only an open dashboard would be notified, which wakes nobody', () => {
    assert.match(words([rule(0, 'browser'), rule(1, 'sms')], [phone])[0] ?? '', /only an open dashboard/);
  });

  it('describe what happens if none of the rules reaches anything', () => {
    assert.deepEqual(words([rule(0, 'email')], [phone]), [
      'null: None of these rules reaches you, so all of your verified contact methods are used at once.',
    ]);
    assert.match(words([rule(0, 'email')], [])[0] ?? '', /Pages reach you only in an open dashboard/);
  });

  it('report that the first notification at high urgency is late', () => {
    assert.match(words([rule(10, 'sms')], [phone])[0] ?? '', /sent after 10 minutes/);
    assert.deepEqual(ruleWarnings('low', [rule(10, 'sms')], [phone], means), []);
  });
});

describe('rules that a person writes', () => {
  it('are sorted by time, with each channel once', () => {
    const read = readRules('high', {
      rules: [
        { after_minutes: 2.5, channels: ['voice', 'voice'] },
        { after_minutes: 0, channels: ['push'] },
      ],
    });
    assert.ok('rules' in read);
    assert.deepEqual(
      read.rules.map(({ position, afterMs, channels }) => [position, afterMs, ...channels]),
      [
        [0, 0, 'push'],
        [1, 150_000, 'voice'],
      ],
    );
    assert.deepEqual(effectiveRules('high', read.rules), read.rules);
  });

  it('are refused with all problems', () => {
    const read = readRules('low', {
      rules: [
        { after_minutes: 0, channels: [] },
        { after_minutes: 1, channels: ['fax'] },
      ],
    });
    assert.ok('problems' in read);
    assert.deepEqual(
      read.problems.map(({ field, message }) => `${field} ${message.split(';')[0]}`),
      ['rules[0].channels is empty', 'rules[1].channels names fax'],
    );
    assert.ok('problems' in readRules('low', { rules: [] }));
  });
});
