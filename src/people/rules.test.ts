import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CHANNELS, METHOD_TYPES, type Method, type Rule, URGENCIES } from './contract.ts';
import { DASHBOARD_RULE, FALLBACK_RULE, type PlannedNotification, planNotifications } from './rules.ts';

const phone: Method = { id: 'phone', type: 'phone', value: '+15005550006', verified: true, position: 0 };
const email: Method = { id: 'email', type: 'email', value: 'a@example.com', verified: true, position: 1 };
const chat: Method = { id: 'chat', type: 'chat', value: 'ada', verified: true, position: 2 };
const hook: Method = { id: 'hook', type: 'webhook', value: 'https://x.test/', verified: true, position: 3 };
const push: Method = { id: 'push', type: 'push', value: 'https://push.test/', verified: true, position: 4 };
const everything = [phone, email, chat, hook, push];

/** `minutes:channel@method`, without the dashboard unless a rule names it. */
function told(plan: readonly PlannedNotification[]): string[] {
  return plan
    .filter((planned) => planned.rule !== DASHBOARD_RULE)
    .map(({ afterMs, channel, methodId }) => `${afterMs / 60_000}:${channel}@${methodId ?? 'dashboard'}`);
}

function rule(
  minutes: number,
  channels: Rule['channels'],
  position = 0,
  urgency: Rule['urgency'] = 'high',
): Rule {
  return { urgency, position, afterMs: minutes * 60_000, channels };
}

describe('the default rules', () => {
  it('send texts at once, and call from two minutes on, at high urgency', () => {
    assert.deepEqual(told(planNotifications('high', [], everything)), [
      '0:push@push',
      '0:sms@phone',
      '0:chat@chat',
      '0:email@email',
      '0:webhook@hook',
      '2:voice@phone',
      '4:voice@phone',
      '6:voice@phone',
    ]);
  });

  it('wait five minutes before an SMS at medium urgency, and never call', () => {
    assert.deepEqual(told(planNotifications('medium', [], everything)), [
      '0:push@push',
      '0:chat@chat',
      '0:email@email',
      '0:webhook@hook',
      '5:sms@phone',
    ]);
  });

  it('stay quiet at low urgency', () => {
    assert.deepEqual(told(planNotifications('low', [], everything)), [
      '0:chat@chat',
      '0:email@email',
      '0:webhook@hook',
    ]);
  });
});

describe('own rules', () => {
  it("are replaced only for the urgency of a person's own rules", () => {
    const own = [rule(0, ['email']), rule(2, ['voice'], 1)];
    assert.deepEqual(told(planNotifications('high', own, everything)), ['0:email@email', '2:voice@phone']);
    assert.deepEqual(told(planNotifications('low', own, everything)).length, 3);
  });

  it("reach every method of the channel, in the person's order", () => {
    const second: Method = { ...phone, id: 'second', position: 9 };
    const first: Method = { ...phone, id: 'first', position: -1 };
    assert.deepEqual(told(planNotifications('high', [rule(0, ['sms'])], [second, phone, first])), [
      '0:sms@first',
      '0:sms@phone',
      '0:sms@second',
    ]);
  });

  it('are sorted by time, however they were written', () => {
    const own = [rule(10, ['voice'], 0), rule(0, ['sms'], 1)];
    assert.deepEqual(told(planNotifications('high', own, [phone])), ['0:sms@phone', '10:voice@phone']);
  });

  it('send a notification once if it is repeated at the same time', () => {
    const own = [rule(0, ['sms', 'sms'], 0), rule(0, ['sms'], 1), rule(1, ['sms'], 2)];
    assert.deepEqual(told(planNotifications('high', own, [phone])), ['0:sms@phone', '1:sms@phone']);
  });
});

describe('nobody is left without a notification', () => {
  it('rules that reach no method of the person fall back to all methods at once', () => {
    const plan = planNotifications('high', [rule(5, ['email'])], [phone, hook]);
    assert.deepEqual(told(plan).toSorted(), ['0:sms@phone', '0:voice@phone', '0:webhook@hook']);
    assert.ok(plan.every(({ rule: which }) => which === FALLBACK_RULE || which === DASHBOARD_RULE));
  });

  it('a person with only a phone gets a message at low urgency, and no call', () => {
    assert.deepEqual(told(planNotifications('low', [], [phone])), ['0:sms@phone']);
  });

  it('a rule that names only the dashboard counts as one that reaches nobody', () => {
    assert.deepEqual(told(planNotifications('high', [rule(0, ['browser'])], [email])), ['0:email@email']);
  });

  it('unverified methods are never used, not even by the fallback', () => {
    assert.deepEqual(told(planNotifications('high', [], [{ ...phone, verified: false }, email])), [
      '0:email@email',
    ]);
    assert.deepEqual(told(planNotifications('high', [], [{ ...phone, verified: false }])), []);
  });

  it('the open dashboard is notified at once, and once', () => {
    for (const rules of [[], [rule(0, ['browser', 'email'])], [rule(7, ['email'])]]) {
      const browser = planNotifications('high', rules, everything).filter((n) => n.channel === 'browser');
      assert.deepEqual(browser, [{ methodId: null, channel: 'browser', afterMs: 0, rule: DASHBOARD_RULE }]);
    }
  });
});

const anyMethods = fc.uniqueArray(
  fc.record({
    id: fc.string({ minLength: 1, maxLength: 4 }),
    type: fc.constantFrom(...METHOD_TYPES),
    value: fc.constant('somewhere'),
    verified: fc.boolean(),
    position: fc.nat(20),
  }),
  { selector: (method) => method.id, maxLength: 8 },
);
const anyRules = fc.array(
  fc.record({
    urgency: fc.constantFrom(...URGENCIES),
    position: fc.nat(20),
    afterMs: fc.nat(86_400_000),
    channels: fc.array(fc.constantFrom(...CHANNELS), { minLength: 1, maxLength: 5 }),
  }),
  { maxLength: 8 },
);

describe('for any rules and methods', () => {
  it('only verified methods are used, on their channels, in order of time, and none twice', () => {
    fc.assert(
      fc.property(fc.constantFrom(...URGENCIES), anyRules, anyMethods, (urgency, rules, methods) => {
        const plan = planNotifications(urgency, rules, methods);
        const verified = new Set(methods.filter((method) => method.verified).map((method) => method.id));
        for (const { methodId } of plan) assert.ok(methodId === null || verified.has(methodId));
        const times = plan.map((planned) => planned.afterMs);
        assert.deepEqual(
          times,
          times.toSorted((a, b) => a - b),
        );
        const names = plan.map((planned) => `${planned.methodId} ${planned.channel} ${planned.afterMs}`);
        assert.equal(new Set(names).size, names.length);
      }),
    );
  });

  it('a person with a verified method always gets something through a method', () => {
    fc.assert(
      fc.property(fc.constantFrom(...URGENCIES), anyRules, anyMethods, (urgency, rules, methods) => {
        const plan = planNotifications(urgency, rules, methods);
        const reachable = methods.some((method) => method.verified);
        assert.equal(
          plan.some((planned) => planned.methodId !== null),
          reachable,
        );
      }),
    );
  });
});
