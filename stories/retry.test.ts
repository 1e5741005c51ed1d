import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { type Story, story, webhookPeople } from '../testing/story.ts';

describe('a provider that fails for now', () => {
  let t: Story;

  before(async () => {
    t = await story({ organization: (receiver) => ({ people: webhookPeople(receiver, 'ada') }) });
  });
  afterEach(() => t.receiver.assertNothingUnexpected());
  after(() => t.end());

  it('is retried when it asked to be, but within a minute', async () => {
    for (const [asked, seconds] of [
      ['20', 20],
      ['3600', 60],
    ] as const) {
      t.receiver.script({ status: 429, headers: { 'retry-after': asked } });
      const request = await t.page('person', 'ada@example.com');
      await t.notified('ada');
      const { status, next_attempt_at } = await t.status(request);
      assert.equal(status, 'retrying');
      assert.ok(next_attempt_at);
      await t.advance({ seconds: seconds - 2 });
      t.receiver.assertNothingUnexpected();
      await t.advance({ seconds: 3 });
      const [webhook] = await t.notified('ada');
      assert.equal((await t.status(request)).status, 'succeeded');
      assert.ok(webhook);
      assert.equal(webhook.body.repeat, false);
      await t.acknowledge(webhook);
    }
  });

  it('is retried ever more rarely while the page is open, and not longer', async () => {
    t.receiver.always({ status: 503 });
    const request = await t.page('person', 'ada@example.com', { urgency: 'medium' });
    for (let second = 0; second < 120; second += 5) await t.advance({ seconds: 5 });
    const { page, errors, attempts } = await t.status(request);
    assert.equal(page.deliveries.length, 1);
    assert.equal(t.receiver.inbox.takeAll().length, errors.length);
    assert.ok(errors.length >= 5 && errors.length <= 12, `${errors.length} attempts in two minutes`);
    assert.ok(attempts >= 5);
    await t.db
      .updateTable('pages')
      .set({ state: 'acknowledged', acknowledged_at: await t.clock.now(t.db) })
      .execute();
    t.receiver.always(null);
    await t.advance({ minutes: 5 });
    t.receiver.assertNothingUnexpected();
    assert.equal((await t.status(request)).page.deliveries[0]?.state, 'cancelled');
  });

  it('keeps the first error among a hundred, and its message shows the current state', async () => {
    t.receiver.always({ status: 503 });
    const request = await t.page('person', 'ada@example.com', { urgency: 'high' });
    const early = await t.status(request);
    const [first] = early.errors;
    assert.equal(early.status, 'retrying');
    assert.equal(
      early.message,
      `The latest attempt failed, and the next one is due at ${early.next_attempt_at}; see errors for the reason.`,
    );
    const { body } = await t.get('/api/requests?status=retrying');
    assert.equal((body as { requests: { message: string }[] }).requests[0]?.message, early.message);
    // As after many hours of retries.
    const others = Array.from({ length: 99 - early.errors.length }, (_, number) => ({
      at: 'x',
      message: `${number}`,
    }));
    await t.db
      .updateTable('requests')
      .set({ errors: JSON.stringify([...early.errors, ...others]) })
      .where('id', '=', request)
      .execute();
    for (let minute = 0; minute < 2; minute++) await t.advance({ minutes: 1 });
    const late = await t.status(request);
    assert.equal(late.errors.length, 100);
    assert.deepEqual(late.errors[0], first);
    assert.match(late.errors.at(-1)?.message ?? '', /^webhook to /);
    assert.notDeepEqual(late.errors.at(-1), first);
    t.receiver.always(null);
    await t.advance({ minutes: 1 });
    const sent = await t.status(request);
    assert.equal(sent.status, 'succeeded');
    assert.doesNotMatch(sent.message, /queued|attempt failed/);
    assert.deepEqual(sent.errors[0], first);
    await t.post(`/api/pages/${sent.page.id}/resolve`, {});
    t.receiver.inbox.takeAll();
  });

  it('delays nobody once somebody has answered the page', async () => {
    for (const answer of ['acknowledge', 'resolve']) {
      t.receiver.always({ status: 503 });
      const request = await t.page('person', 'ada@example.com');
      t.receiver.inbox.takeAll();
      const { status, page } = await t.status(request);
      assert.equal(status, 'retrying');
      const { body } = await t.post(`/api/pages/${page.id}/${answer}`, {});
      assert.equal(body.changed, true);
      const after = await t.status(request);
      assert.deepEqual([after.status, after.success, after.next_attempt_at], ['succeeded', true, null]);
      assert.ok(after.finished_at);
      assert.match(after.message, new RegExp(`${answer}d before a provider`));
      t.receiver.always(null);
      await t.advance({ minutes: 5 });
    }
  });

  it('gets the same id again, marked as a repeat, if it is unknown whether it accepted the first', async () => {
    t.receiver.script('cut');
    await t.page('person', 'ada@example.com');
    const [first] = await t.notified('ada');
    await t.advance({ seconds: 3 });
    const [webhook] = await t.notified('ada');
    assert.ok(webhook);
    assert.equal(webhook.id, first?.id);
    assert.deepEqual([first?.body.repeat, webhook.body.repeat], [false, true]);
    await t.acknowledge(webhook);
  });
});
