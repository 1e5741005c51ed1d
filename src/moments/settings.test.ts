import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applySettings } from './apply-settings.ts';
import { settingsProblems } from './check-settings.ts';
import { formEvent, type MomentEvent } from './event.ts';
import type { WebhookSettings } from './settings-contract.ts';

const AT = Temporal.Instant.from('2026-11-20T06:00:00Z');

describe('the settings of a webhook', () => {
  const event = (more: Partial<MomentEvent> = {}): MomentEvent => ({
    ...formEvent({ name: 'Disk full', type: 'alert' }, AT),
    ...more,
  });
  const applied = (settings: WebhookSettings, more: Partial<MomentEvent> = {}) => {
    const { type, priority } = applySettings(event(more), settings);
    return [type, priority];
  };

  it('leave events unchanged if there are none', () => {
    assert.deepEqual(applySettings(event({ severity: 'critical', labels: ['a'] }), {}), {
      ...event({ severity: 'critical', labels: ['a'] }),
    });
  });

  it("give the sender's severities their own priorities, in any case", () => {
    const settings = { priorities: { Critical: 'low', warning: 'high' } } as const;
    assert.deepEqual(applied(settings, { severity: ' CRITICAL ' }), ['alert', 'low']);
    assert.deepEqual(applied(settings, { severity: 'warning' }), ['alert', 'high']);
    assert.deepEqual(applied(settings, { severity: 'info' }), ['alert', 'medium']);
    assert.deepEqual(applied(settings, { severity: 'constructor' }), ['alert', 'medium']);
    assert.deepEqual(applied(settings), ['alert', 'medium']);
  });

  it('make near misses of events with a label or a keyword, before any other type', () => {
    const settings: WebhookSettings = {
      type: 'incident',
      near_miss: { labels: ['close-call'], keywords: ['rolled back'] },
    };
    assert.deepEqual(applied(settings), ['incident', 'medium']);
    assert.deepEqual(applied(settings, { labels: ['x', 'Close-Call'] })[0], 'near-miss');
    assert.deepEqual(applied(settings, { name: 'Deploy Rolled Back' })[0], 'near-miss');
    assert.deepEqual(applied(settings, { description: 'was\nrolled back.' })[0], 'near-miss');
    assert.deepEqual(applied({ type: 'incident' }, { type: 'near-miss' })[0], 'near-miss');
  });

  it('are checked, and every problem is reported with its place and fix', () => {
    const whole: WebhookSettings = {
      type: 'incident',
      priorities: { P4: 'medium' },
      filter: { labels: ['prod'], types: ['Bug'], priorities: ['Highest'] },
      near_miss: { labels: ['close call'], keywords: ['nearly'] },
    };
    assert.deepEqual(settingsProblems('jira', whole), []);
    assert.deepEqual(settingsProblems('custom', {}), []);
    const wrong = {
      type: 'fire',
      priorites: {},
      priorities: { P4: 'urgent' },
      filter: { label: ['a'], types: 'Bug', priorities: [' '] },
    };
    assert.deepEqual(
      settingsProblems('jira', wrong).map(({ field, message }) => `${field} ${message}`),
      [
        'settings.priorites is not a setting; did you mean priorities?',
        'settings.type is "fire", which is not among the allowed values; give one of alert, incident, near-miss, page',
        'settings.priorities.P4 is "urgent", which is not among the allowed values; give one of low, medium, high',
        'settings.filter.label is not a setting; did you mean labels?',
        'settings.filter.types is "Bug", a string; give a JSON array',
        'settings.filter.priorities[0] is blank; give a text of 1 to 100 characters',
      ],
    );
    for (const odd of [null, [], 'x', 7])
      assert.deepEqual(settingsProblems('jira', odd)[0]?.field, 'settings');
  });

  it('are refused if they would have no effect', () => {
    const fields = (type: string, settings: WebhookSettings) =>
      settingsProblems(type, settings).map(({ field }) => field);
    assert.deepEqual(fields('alertmanager', { filter: {}, topic: 'arn:x' }), [
      'settings.filter',
      'settings.topic',
    ]);
    assert.deepEqual(fields('cloudwatch', { topic: 'arn:x' }), []);
    assert.deepEqual(fields('custom', { type: 'incident' }), ['settings.type']);
  });
});
