import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { STORIES, WITHOUT_TIME } from '../../../testing/moments/stories.ts';
import type { Moment } from '../moment.ts';
import { followUpKey, planRecording } from '../recording.ts';
import { eventsOf, samplesOf } from './adapter.contract.ts';
import { adapterFor } from './registry.ts';

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
      const batch = { ...origin, callId: 'notification_1', events: eventsOf(adapter, body) };
      const { created, changed } = planRecording([batch], known, () => `moment_${moments.size + 1}`);
      for (const moment of [...created, ...changed]) moments.set(moment.id, moment);
    },
  };
}

for (const [integration, story] of Object.entries(STORIES))
  describe(`calls of ${integration} about one problem`, () => {
    it('are one moment that follows it to its end, however often each call arrives', () => {
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
    it('open nothing again if they are repeated after the end', () => {
      const { moments, take } = ledger();
      for (const [sample] of [...story, ...story, ...story.toReversed()]) take(integration, sample);
      assert.deepEqual(
        [...moments.values()].map((moment) => moment.state),
        ['resolved'],
      );
    });
  });
