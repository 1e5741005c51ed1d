import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { samplesIn } from '../../../testing/moments/samples.ts';
import { adapterContract, RECEIVED_AT } from './adapter.contract.ts';
import { jira } from './jira.ts';

adapterContract('jira', jira);

const { sample, result } = samplesIn('jira', jira);

describe('a Jira webhook', () => {
  it('begins an incident that is named by its key and summary', () => {
    const event = sample('issue-created');
    assert.equal(event.action, 'open');
    assert.equal(event.type, 'incident');
    assert.equal(event.name, 'OPS-311: Payments to two banks fail');
    assert.equal(event.dedupKey, '10452');
    assert.equal(event.priority, 'high');
    assert.equal(event.source, 'Jira');
    assert.equal(event.sourceUrl, 'https://acme.atlassian.net/browse/OPS-311');
    assert.equal(String(event.occurredAt), '2026-11-20T04:10:12.345Z');
    assert.equal(String(event.at), '2026-11-20T04:10:12.901Z');
    assert.match(event.description ?? '', /to \\\*Nordbank\\\*/, 'it writes no Markdown');
    assert.match(event.description ?? '', /\*\*Reported by:\*\* Grace Hopper/);
  });

  it('acknowledges when work begins and resolves when it is done, whatever the states are called', () => {
    const names = ['issue-created', 'issue-in-progress', 'issue-priority-lowered', 'issue-done'];
    const events = names.map((name) => sample(name));
    assert.deepEqual(
      events.map((event) => event.action),
      ['open', 'acknowledge', 'open', 'resolve'],
    );
    assert.equal(new Set(events.map((event) => event.dedupKey)).size, 1);
    assert.equal(events[2]?.priority, 'low');
    const laidDown = { 'issue.fields.status.statusCategory.key': 'new' };
    assert.equal(sample('issue-in-progress', laidDown).action, 'unacknowledge');
  });

  it('resolves a deleted issue, and one that is edited after its end', () => {
    assert.equal(sample('issue-created', { webhookEvent: 'jira:issue_deleted' }).action, 'resolve');
    assert.equal(sample('issue-done', { 'changelog.items': [{ field: 'summary' }] }).action, 'resolve');
    const without = { 'issue.fields.status': { name: 'Closed' } };
    assert.equal(sample('issue-done', without).action, 'resolve', 'an old server names no categories');
  });

  it('that created an issue in progress still opens it', () => {
    const category = { 'issue.fields.status.statusCategory.key': 'indeterminate' };
    assert.equal(sample('issue-created', category).action, 'open');
  });

  it('of an automation rule is only the issue', () => {
    const event = sample('automation-issue');
    assert.equal(event.action, 'open');
    assert.equal(event.dedupKey, sample('issue-created').dedupKey);
    assert.equal(event.sourceUrl, 'https://jira.example.com/jira/browse/OPS-311');
    assert.equal(event.priority, 'high');
  });

  it('takes its priority by name, or by number if it was renamed', () => {
    const priority = (name: string, id: string) =>
      sample('issue-created', { 'issue.fields.priority': { name, id } }).priority;
    assert.deepEqual(
      ['Highest', 'Blocker', 'Critical', 'High', 'Major', 'Medium', 'Low', 'Minor', 'Lowest', 'Trivial'].map(
        (name) => priority(name, '0'),
      ),
      ['high', 'high', 'high', 'high', 'high', 'medium', 'low', 'low', 'low', 'low'],
    );
    assert.equal(priority('Sofort', '1'), 'high');
    assert.equal(priority('Irgendwann', '5'), 'low');
    assert.equal(priority('Anders', '10033'), 'medium');
    assert.equal(sample('issue-created', { 'issue.fields.priority': null }).priority, 'medium');
  });

  it('has to pass the filter to begin a moment, but not to end it', () => {
    const filter = { labels: ['payments'], priorities: ['Highest'] };
    const task = { 'issue.fields.issuetype.name': 'Task' };
    assert.ok('ignored' in result('issue-created', task));
    assert.ok('events' in result('issue-created', task, { settings: { filter } }));
    assert.ok('ignored' in result('issue-created', { 'issue.fields.labels': [] }, { settings: { filter } }));
    assert.equal(sample('issue-done', task).action, 'resolve');
  });

  it('never mistakes an inherited name for a change', () => {
    const items: unknown[] = [{ toString: 'In Progress' }, { constructor: 'status' }];
    const category = { 'issue.fields.status.statusCategory.key': 'indeterminate' };
    assert.equal(sample('issue-priority-lowered', { 'changelog.items': items, ...category }).action, 'open');
  });

  it('has its delivery id in a header', () => {
    const call = { headers: { 'x-atlassian-webhook-identifier': 'abc' }, body: Buffer.alloc(0) };
    assert.equal(jira.senderCallId?.(call), 'abc');
  });
});

describe("Jira's signature", () => {
  const body = Buffer.from('{"timestamp": 1}');
  const verified = (signature: string | undefined, secret = 'right') =>
    jira.verify?.({
      headers: signature === undefined ? {} : { 'x-hub-signature': signature },
      ...{ body, secret, now: RECEIVED_AT },
    });
  const hex = createHmac('sha256', 'right').update(body).digest('hex');

  it('is valid over the raw body with the secret', () => {
    assert.equal(verified(`sha256=${hex}`), true);
  });

  it('is invalid with another secret or method, or if it is missing', () => {
    assert.equal(verified(`sha256=${hex}`, 'wrong'), false);
    assert.equal(verified(`sha1=${hex}`), false);
    assert.equal(verified(hex), false);
    assert.equal(verified('sha256='), false);
    assert.equal(verified(undefined), false);
  });
});
