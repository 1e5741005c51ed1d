import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { RulesShown, UrgencyRules } from '../src/people/rules-contract.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

describe('notification rules that people write themselves', () => {
  let t: Story;
  let ada: SignedIn;

  before(async () => {
    t = await story({ organization: (receiver) => ({ people: webhookPeople(receiver, 'ada', 'grace') }) });
    ada = await signIn(t, 'ada');
  });
  after(() => t.end());

  const of = (shown: RulesShown, urgency: string): UrgencyRules => {
    const found = shown.urgencies.find((one) => one.urgency === urgency);
    assert.ok(found);
    return found;
  };

  it('begin with the defaults, and show what a page would send', async () => {
    const { body } = await ada.call('GET', '/api/notification-rules');
    assert.deepEqual(
      body.urgencies.map(({ urgency, own }: UrgencyRules) => [urgency, own]),
      [
        ['high', false],
        ['medium', false],
        ['low', false],
      ],
    );
    const { plan, warnings } = of(body, 'high');
    assert.deepEqual(
      plan.map(({ after_minutes, channel, method }) => [after_minutes, channel, method?.type]),
      [
        [0, 'browser', undefined],
        [0, 'webhook', 'webhook'],
      ],
    );
    assert.match(warnings[0]?.message ?? '', /^This step reaches nobody: Voice calls are not set up/);
  });

  it('apply from the next page on, and can be reset to the defaults', async () => {
    const rules = [{ after_minutes: 3, channels: ['webhook'] }];
    const saved = await ada.call('PUT', '/api/notification-rules/high', { rules });
    assert.deepEqual([of(saved.body, 'high').own, of(saved.body, 'high').rules], [true, rules]);
    assert.equal(of(saved.body, 'low').own, false);
    await t.page('person', 'ada@example.com', { urgency: 'high' });
    t.receiver.assertNothingUnexpected();
    await t.advance({ minutes: 3 });
    await t.notified('ada');
    const back = await ada.call('DELETE', '/api/notification-rules/high');
    assert.equal(of(back.body, 'high').own, false);
    const log = await t.db.selectFrom('audit_log').select('action').execute();
    assert.deepEqual(
      log.map(({ action }) => action),
      ['notification_rules.change', 'notification_rules.change'],
    );
  });

  it('are refused with the problem, and are hidden from others', async () => {
    const refused = await ada.call('PUT', '/api/notification-rules/high', {
      rules: [{ after_minutes: -1, channels: ['x'] }],
    });
    assert.equal(refused.status, 400);
    assert.equal((await ada.call('PUT', '/api/notification-rules/urgent', { rules: [] })).status, 400);
    const grace = await signIn(t, 'grace');
    await ada.call('PUT', '/api/notification-rules/low', {
      rules: [{ after_minutes: 1, channels: ['webhook'] }],
    });
    assert.equal(of((await grace.call('GET', '/api/notification-rules')).body, 'low').own, false);
  });
});
