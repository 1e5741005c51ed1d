import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MomentState } from '../contract.ts';
import type { Moment } from '../moment.ts';
import { followUpKey, planRecording } from '../recording.ts';
import { eventsOf, samplesOf } from './adapter.contract.ts';
import { adapterFor } from './registry.ts';

/** What senders tell of one thing, in its order, and the state of its moment after each. */
const STORIES: Record<string, [sample: string, state: MomentState][]> = {
  alertmanager: [
    ['firing', 'open'],
    ['resolved', 'resolved'],
  ],
  'azure-monitor': [
    ['fired', 'open'],
    ['resolved', 'resolved'],
  ],
  'better-stack': [
    ['started', 'open'],
    ['acknowledged', 'acknowledged'],
    ['resolved', 'resolved'],
  ],
  checkly: [
    ['failure', 'open'],
    ['recovery', 'resolved'],
  ],
  cloudwatch: [
    ['alarm', 'open'],
    ['eventbridge', 'open'],
    ['ok', 'resolved'],
  ],
  datadog: [
    ['triggered', 'open'],
    ['no-data', 'open'],
    ['recovered', 'resolved'],
  ],
  github: [
    ['opened', 'open'],
    ['labeled', 'open'],
    ['assigned', 'open'],
    ['closed', 'resolved'],
  ],
  gitlab: [
    ['issue-open', 'open'],
    ['issue-assigned', 'acknowledged'],
    ['issue-close', 'resolved'],
  ],
  'google-cloud-monitoring': [
    ['open', 'open'],
    ['closed', 'resolved'],
  ],
  grafana: [
    ['firing', 'open'],
    ['resolved', 'resolved'],
  ],
  honeycomb: [
    ['triggered', 'open'],
    ['ok', 'resolved'],
  ],
  icinga2: [
    ['service-problem', 'open'],
    ['service-acknowledgement', 'acknowledged'],
    ['service-recovery', 'resolved'],
  ],
  'incident-io': [
    ['created', 'open'],
    ['updated', 'open'],
    ['status-learning', 'resolved'],
    ['status-closed', 'resolved'],
  ],
  jira: [
    ['issue-created', 'open'],
    ['issue-in-progress', 'acknowledged'],
    ['issue-priority-lowered', 'acknowledged'],
    ['issue-done', 'resolved'],
  ],
  linear: [
    ['create', 'open'],
    ['started', 'acknowledged'],
    ['edited', 'acknowledged'],
    ['completed', 'resolved'],
    ['remove', 'resolved'],
  ],
  nagios: [
    ['service-problem', 'open'],
    ['service-acknowledgement', 'acknowledged'],
    ['service-recovery', 'resolved'],
  ],
  newrelic: [
    ['activated', 'open'],
    ['acknowledged', 'acknowledged'],
    ['closed', 'resolved'],
  ],
  opsgenie: [
    ['create', 'open'],
    ['acknowledge', 'acknowledged'],
    ['update-priority', 'acknowledged'],
    ['close', 'resolved'],
  ],
  pagerduty: [
    ['triggered', 'open'],
    ['acknowledged', 'acknowledged'],
    ['priority-updated', 'acknowledged'],
    ['resolved-by-merge', 'resolved'],
  ],
  sentry: [
    ['event-alert-triggered', 'open'],
    ['issue-created', 'open'],
    ['issue-assigned', 'acknowledged'],
    ['issue-resolved', 'resolved'],
  ],
  statuspage: [
    ['investigating', 'open'],
    ['identified', 'open'],
    ['resolved', 'resolved'],
    ['postmortem', 'resolved'],
  ],
  'uptime-kuma': [
    ['down', 'open'],
    ['up', 'resolved'],
  ],
  zabbix: [
    ['problem', 'open'],
    ['acknowledged', 'acknowledged'],
    ['recovery', 'resolved'],
  ],
};

/** Those who send no time: what they tell after the end is new. */
const WITHOUT_TIME = ['honeycomb'];

const origin = { organizationId: 'organization_1', teamId: 'team_1', webhookId: 'webhook_1' };

/** The moments of one webhook. */
function ledger() {
  const moments = new Map<string, Moment>();
  return {
    moments,
    take(integration: string, sample: string): void {
      const adapter = adapterFor(integration);
      const body = samplesOf(integration).get(sample);
      assert.ok(adapter && body, `there is no sample ${sample} of ${integration}`);
      const known = new Map(
        [...moments.values()].map((moment) => [followUpKey('webhook_1', moment.dedupKey ?? ''), moment]),
      );
      const batch = { ...origin, notificationId: 'notification_1', events: eventsOf(adapter, body) };
      const { created, changed } = planRecording([batch], known, () => `moment_${moments.size + 1}`);
      for (const moment of [...created, ...changed]) moments.set(moment.id, moment);
    },
  };
}

for (const [integration, story] of Object.entries(STORIES))
  describe(`what ${integration} tells of one thing`, () => {
    it('is one moment that follows it to its end, however often each call comes', () => {
      const { moments, take } = ledger();
      for (const [sample, state] of story) {
        take(integration, sample);
        take(integration, sample);
        assert.deepEqual(
          [...moments.values()].map((moment) => moment.state),
          [state],
          sample,
        );
      }
    });

    if (WITHOUT_TIME.includes(integration)) return;
    it('begins nothing anew when it is told once more after the end', () => {
      const { moments, take } = ledger();
      for (const [sample] of [...story, ...story, ...story.toReversed()]) take(integration, sample);
      assert.deepEqual(
        [...moments.values()].map((moment) => moment.state),
        ['resolved'],
      );
    });
  });
