import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { SourceSettings } from '../src/sources/contract.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import type { Story } from '../testing/story.ts';
import { twoStageStory } from '../testing/two-stage-story.ts';

type Pages = { id: string; action: string }[];

/** A sample of what a sender posts, with some of its fields replaced. */
function sample(name: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  const file = new URL(`../src/moments/integrations/samples/${name}.json`, import.meta.url);
  return { ...JSON.parse(readFileSync(file, 'utf8')), ...changes };
}

describe('a page source', () => {
  let t: Story;
  let ada: SignedIn;
  let names = 0;

  /** Posts to a new source of this type, and returns the effect on its page. */
  async function source(type: string, settings: SourceSettings = {}) {
    return (await callsTo(type, settings)).action;
  }

  async function callsTo(type: string, settings: SourceSettings = {}) {
    const { path } = await t.source({ team: 'sre', name: `${type} ${++names}`, type, settings });
    const post = async (body: unknown) => {
      const answer = await t.post(path, body);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      await t.settle();
      const status = await t.get(`/request/${answer.body.service_request_id}/status`);
      const { response } = status.body as { response: { pages: Pages } };
      return response.pages;
    };
    return {
      urgency: async (body: unknown): Promise<string> => {
        const [page] = await post(body);
        return (await ada.call('GET', `/api/pages/${page?.id}`)).body.page.urgency;
      },
      action: async (body: unknown) => (await post(body))[0]?.action,
    };
  }

  before(async () => {
    t = await twoStageStory();
    ada = await signIn(t, 'ada');
  });
  after(() => t.end());

  it('of Azure Monitor counts severities from Sev0', async () => {
    const { urgency, action } = await callsTo('azure-monitor');
    const alert = (condition: string, severity: string) => ({
      schemaId: 'azureMonitorCommonAlertSchema',
      data: { essentials: { alertId: severity, alertRule: 'CPU', severity, monitorCondition: condition } },
    });
    const urgencies: string[] = [];
    for (const severity of ['Sev0', 'Sev1', 'Sev2', 'Sev3', 'Sev4']) {
      urgencies.push(await urgency(alert('Fired', severity)));
      await t.notified('ada');
      assert.equal(await action(alert('Resolved', severity)), 'resolved');
    }
    assert.deepEqual(urgencies, ['high', 'high', 'medium', 'low', 'low']);
  });

  it('of Sentry goes on notifying when Sentry itself assigns the issue', async () => {
    const post = await source('sentry');
    const assigned = sample('sentry-issue-assigned');
    assert.equal(await post(sample('sentry-issue-created')), 'raised');
    await t.notified('ada');
    const bySentry = { ...assigned, actor: { type: 'application', id: 'sentry', name: 'Sentry' } };
    assert.notEqual(await post(bySentry), 'acknowledged', 'nobody has seen it');
    await t.advance({ minutes: 5 });
    await t.notified('grace');
    assert.equal(await post(assigned), 'acknowledged', 'a person assigned it');
    assert.equal(await post(sample('sentry-issue-resolved')), 'resolved');
  });

  it('of Zabbix raises no page for a comment on a problem that is over', async () => {
    const post = await source('zabbix');
    assert.equal(await post(sample('zabbix-problem')), 'raised');
    await t.notified('ada');
    assert.equal(await post(sample('zabbix-recovery')), 'resolved');
    const { event_recovery_at, event_recovery_date, event_recovery_time } = sample('zabbix-recovery');
    const comment = sample('zabbix-acknowledged', {
      ...{ event_recovery_at, event_recovery_date, event_recovery_time },
      ...{
        event_ack_status: 'No',
        event_update_action: 'commented',
        event_update_at: '2026-11-20T06:00:00Z',
      },
    });
    assert.notEqual(await post(comment), 'raised');
    await t.notified();
  });

  it('pages for a problem whose acknowledgement was taken back before the page was due', async () => {
    const post = await source('zabbix', { wait_minutes: 5 });
    const now = { event_at: null, event_date: null, event_update_at: null, event_recovery_at: null };
    const problem = sample('zabbix-problem', now);
    const recovery = sample('zabbix-recovery', now);
    const acknowledged = sample('zabbix-acknowledged', now);
    const takenBack = { ...acknowledged, event_ack_status: 'No', event_update_action: 'unacknowledged' };
    assert.equal(await post(problem), 'waiting');
    assert.equal(await post(acknowledged), 'ignored');
    assert.equal(await post(takenBack), 'waiting');
    await t.advance({ minutes: 5 });
    await t.notified('ada');
    assert.equal(await post(acknowledged), 'acknowledged');
    assert.equal(await post(takenBack), 'updated');
    await t.notified('ada');
    assert.equal(await post(recovery), 'resolved');
  });

  it('pages nobody when an acknowledgement is taken back after a person has resolved the page', async () => {
    const post = await source('zabbix');
    const now = { event_at: null, event_date: null, event_update_at: null, event_recovery_at: null };
    const takenBack = {
      ...sample('zabbix-acknowledged', now),
      ...{ event_ack_status: 'No', event_update_action: 'unacknowledged' },
    };
    assert.equal(await post(sample('zabbix-problem', now)), 'raised');
    await t.notified('ada');
    const { id } = await t.db
      .selectFrom('pages')
      .select('id')
      .where('state', '=', 'notifying')
      .executeTakeFirstOrThrow();
    assert.equal((await t.post(`/api/pages/${id}/resolve`, {})).status, 200);
    assert.equal(await post(takenBack), 'ignored');
    await t.notified();
    assert.equal(await post(sample('zabbix-problem', now)), 'raised');
    await t.notified('ada');
    assert.equal(await post(sample('zabbix-recovery', now)), 'resolved');
  });

  it('pages nobody when an issue is only edited after a person has resolved its page', async () => {
    const change = (field: string) => ({ changelog: { items: [{ field, fromString: 'a', toString: 'b' }] } });
    const labeled = sample('github-labeled');
    const created = sample('jira-issue-created');
    const changed = sample('jira-issue-priority-lowered', { issue: created.issue });
    const linear = sample('linear-create');
    const opened = sample('gitlab-issue-open');
    const updated = {
      ...opened,
      object_attributes: { ...(opened.object_attributes as object), action: 'update' },
    };
    const senders = {
      github: {
        begins: labeled,
        edits: [sample('github-assigned'), { ...labeled, action: 'edited' }],
        pages: sample('github-reopened', { issue: labeled.issue, repository: labeled.repository }),
      },
      jira: {
        begins: created,
        edits: [
          { ...changed, ...change('summary') },
          { ...changed, changelog: undefined, comment: { id: '1', body: 'Fixed' } },
        ],
        pages: { ...changed, ...change('priority') },
      },
      gitlab: {
        begins: opened,
        edits: [{ ...updated, changes: { description: { previous: 'a', current: 'b' } } }],
        pages: { ...updated, changes: { labels: { previous: [], current: [] } } },
      },
      linear: {
        begins: linear,
        edits: [
          { ...linear, action: 'update', updatedFrom: { updatedAt: '2026-11-20T02:00:00Z', title: 'x' } },
        ],
        pages: { ...linear, action: 'update', updatedFrom: { priority: 4 } },
      },
    };
    for (const [type, { begins, edits, pages }] of Object.entries(senders)) {
      const post = await source(type);
      const resolve = async () => {
        await t.notified('ada');
        const { id } = await t.db
          .selectFrom('pages')
          .select('id')
          .where('state', '=', 'notifying')
          .executeTakeFirstOrThrow();
        assert.equal((await t.post(`/api/pages/${id}/resolve`, {})).status, 200);
      };
      assert.equal(await post(edits[0]), 'raised', `${type}: nothing is known about the issue`);
      assert.equal(await post(begins), 'updated', type);
      await resolve();
      for (const edit of edits) assert.equal(await post(edit), 'ignored', type);
      await t.notified();
      assert.equal(await post(pages), 'raised', type);
      await resolve();
    }
  });

  it('of a sender with exact times answers a dry run with the documented fields alone', async () => {
    const { path } = await t.source({ team: 'sre', name: 'Tried', type: 'zabbix' });
    assert.equal((await t.post(`${path}?dry_run=true`, sample('zabbix-problem'))).status, 200);
  });

  for (const type of ['nagios', 'icinga2'])
    it(`of ${type} resolves what recovered during its downtime`, async () => {
      const post = await source(type);
      const check = { host_name: 'db-01', service_description: 'Disk' };
      assert.equal(
        await post({ ...check, notification_type: 'PROBLEM', service_state: 'CRITICAL' }),
        'raised',
      );
      await t.notified('ada');
      assert.notEqual(
        await post({ ...check, notification_type: 'DOWNTIMESTART', service_state: 'CRITICAL' }),
        'resolved',
      );
      assert.equal(
        await post({ ...check, notification_type: 'DOWNTIMEEND', service_state: 'OK' }),
        'resolved',
      );
    });
});
