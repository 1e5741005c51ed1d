import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { storeAnswers } from '../src/lifeboat/aboard-store.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import type { Story, StorySource } from '../testing/story.ts';
import { twoStageStory } from '../testing/two-stage-story.ts';

type Page = { id: string | null; state: string | null; action: string; reason: string | null };

/** A node number that no running node has. */
const GONE = 2_000_000_000;

describe('events of a source that are processed out of order', () => {
  let t: Story;
  let ada: SignedIn;
  let source: StorySource;
  let waiting: StorySource;

  before(async () => {
    t = await twoStageStory();
    ada = await signIn(t, 'ada');
    source = await t.source({ team: 'sre', name: 'Prometheus' });
    waiting = await t.source({ team: 'sre', name: 'Nagios', settings: { wait_minutes: 5 } });
  });
  afterEach(async () => {
    await sql`drop trigger if exists break_on on received_notifications`.execute(t.db);
    await t.advance({ hours: 3 });
    t.receiver.inbox.takeAll();
  });
  after(() => t.end());

  /** Makes the processing of calls whose body contains this text fail, like a temporary fault. */
  async function breakOn(text: string): Promise<void> {
    await sql`
      create or replace function break_on() returns trigger language plpgsql as ${sql.lit(
        `begin
          if new.state in ('success', 'ignored') and position('${text}' in convert_from(new.body, 'utf8')) > 0 then
            raise exception 'this one breaks';
          end if;
          return new;
        end`,
      )}`.execute(t.db);
    await sql`
      create trigger break_on before update on received_notifications for each row execute function break_on()`.execute(
      t.db,
    );
  }
  async function mend(): Promise<void> {
    await sql`drop trigger break_on on received_notifications`.execute(t.db);
  }
  /**
   * During `story`, calls whose body contains “held” have been attempted this often and are not due until `release`.
   */
  async function holdBack(attempts: number, story: () => Promise<void>): Promise<void> {
    await sql`
      create or replace function hold_back() returns trigger language plpgsql as ${sql.lit(
        `begin
          if position('held' in convert_from(new.body, 'utf8')) > 0 then
            new.due_at := new.due_at + interval '1 hour';
            new.attempts := ${attempts};
          end if;
          return new;
        end`,
      )}`.execute(t.db);
    await sql`
      create trigger hold_back before insert on received_notifications for each row execute function hold_back()`.execute(
      t.db,
    );
    try {
      await story();
    } finally {
      await sql`drop trigger hold_back on received_notifications`.execute(t.db);
    }
  }
  async function release(): Promise<void> {
    await sql`update received_notifications set due_at = ${t.clock.sql} where state = 'queued'`.execute(t.db);
    await t.settle();
  }
  async function send(body: unknown, to = source): Promise<string> {
    const answer = await t.post(to.path, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    await t.settle();
    return String(answer.body.service_request_id);
  }
  async function pageOf(requestId: string): Promise<Page | undefined> {
    const { body } = await t.get(`/request/${requestId}/status`);
    return (body as { response: { pages: Page[] } }).response.pages[0];
  }

  it('a resolve waits for an older trigger that failed, and then ends its page', async () => {
    await breakOn('late trigger');
    const trigger = await send({ title: 'late trigger', dedup_key: 'a' });
    const resolve = await send({ action: 'resolve', dedup_key: 'a' });
    assert.equal(await pageOf(resolve), undefined, 'it waits');
    await mend();
    for (let times = 0; times < 2; times++) await t.advance({ seconds: 10 });
    assert.equal((await pageOf(trigger))?.action, 'raised');
    assert.equal((await pageOf(resolve))?.action, 'resolved');
  });

  it('a resolve waits for at most a minute', async () => {
    await breakOn('very late trigger');
    const trigger = await send({ title: 'very late trigger', dedup_key: 'b' });
    // After two attempts it is processed alone, because it may be the call that kills processes.
    await sql`
      update received_notifications set attempts = 2, due_at = ${t.clock.sql} + interval '1 hour'
      where request_id = ${trigger}`.execute(t.db);
    await mend();
    const resolve = await send({ action: 'resolve', dedup_key: 'b' });
    await t.advance({ seconds: 40 });
    assert.equal(await pageOf(resolve), undefined);
    await t.advance({ seconds: 20 });
    assert.equal((await pageOf(resolve))?.action, 'ignored');
  });

  it('a resolve that a lifeboat accepted ends earlier triggers, even if it is processed last', async () => {
    await breakOn('before the outage');
    const trigger = await send({ title: 'before the outage', dedup_key: 'boat' });
    const other = await send({ title: 'before the outage, of another key', dedup_key: 'ship' });
    await t.advance({ seconds: 5 });
    const landed = { organization_id: t.acme.id, dedup_scope: source.id, source: { id: source.id } };
    await t.db.transaction().execute(async (tx) => {
      const answer = { ...landed, dedup_key: 'boat', action: 'resolve', received_at: await t.clock.now(tx) };
      await storeAnswers(tx, [answer]);
    });
    await mend();
    for (let times = 0; times < 2; times++) await t.advance({ seconds: 10 });
    assert.equal((await pageOf(trigger))?.state, 'resolved');
    assert.equal((await pageOf(other))?.state, 'notifying');
    const again = await send({ title: 'after the outage', dedup_key: 'boat' });
    assert.equal((await pageOf(again))?.state, 'notifying');
    const titles = t.receiver.inbox.takeAll().map(({ body }) => body.title);
    assert.ok(!titles.includes('before the outage'), titles.join());
  });

  it('a trigger never waits', async () => {
    await breakOn('stuck');
    await send({ title: 'stuck', dedup_key: 'c' });
    const other = await send({ title: 'Disk full', dedup_key: 'd' });
    assert.equal((await pageOf(other))?.action, 'raised');
  });

  it('an older resolve or acknowledgement does not silence a page that was triggered again', async () => {
    const first = await send({ title: 'Disk full', dedup_key: 'e' });
    await breakOn('of the first');
    const acknowledge = await send({ action: 'acknowledge', dedup_key: 'e', text: 'of the first' });
    const resolve = await send({ action: 'resolve', dedup_key: 'e', text: 'of the first' });
    await t.advance({ milliseconds: 10 });
    const again = await send({ title: 'Disk full', dedup_key: 'e' });
    assert.equal((await pageOf(again))?.action, 'updated');
    await mend();
    // Longer than the pause before any further attempt.
    for (let times = 0; times < 3; times++) await t.advance({ seconds: 10 });
    for (const late of [acknowledge, resolve]) {
      const { action, reason, id } = (await pageOf(late)) ?? {};
      assert.equal(action, 'ignored');
      assert.match(String(reason), /A trigger of this dedup key that was received later/);
      assert.equal(id, (await pageOf(first))?.id);
    }
    assert.equal((await pageOf(first))?.state, 'notifying');
    const last = await send({ action: 'resolve', dedup_key: 'e' });
    assert.equal((await pageOf(last))?.action, 'resolved');
  });

  it('an older trigger and its resolve, which another node has not processed yet, come before a newer trigger', async () => {
    await holdBack(0, async () => {
      const trigger = await send({ title: 'Disk full', dedup_key: 'h', text: 'held' });
      const resolve = await send({ action: 'resolve', dedup_key: 'h', text: 'held' });
      assert.equal(await pageOf(trigger), undefined);
      const newest = await send({ title: 'Disk full', dedup_key: 'h' });
      const pages = await Promise.all([trigger, resolve, newest].map(pageOf));
      assert.deepEqual(
        pages.map((page) => [page?.action, page?.state]),
        [
          ['raised', 'resolved'],
          ['resolved', 'resolved'],
          ['raised', 'notifying'],
        ],
      );
      await send({ action: 'resolve', dedup_key: 'h' });
    });
  });

  it('an older trigger and its resolve, which failed before, do not silence a page that was triggered since', async () => {
    await holdBack(2, async () => {
      const trigger = await send({ title: 'Disk full', dedup_key: 'j', text: 'held' });
      const resolve = await send({ action: 'resolve', dedup_key: 'j', text: 'held' });
      const newest = await send({ title: 'Disk full', dedup_key: 'j' });
      assert.equal((await pageOf(newest))?.action, 'raised');
      await release();
      assert.equal((await pageOf(trigger))?.action, 'updated');
      assert.equal((await pageOf(resolve))?.action, 'ignored');
      assert.equal((await pageOf(newest))?.state, 'notifying');
      await send({ action: 'resolve', dedup_key: 'j' });
    });
  });

  it('an older trigger and its resolve, processed together, do not stop a trigger that waits', async () => {
    await holdBack(0, async () => {
      const trigger = await send({ title: 'Disk full', dedup_key: 'i', text: 'held' }, waiting);
      const resolve = await send({ action: 'resolve', dedup_key: 'i', text: 'held' }, waiting);
      const newest = await send({ title: 'Disk is full', dedup_key: 'i' }, waiting);
      await release();
      assert.equal((await pageOf(trigger))?.action, 'waiting');
      assert.equal((await pageOf(resolve))?.action, 'ignored');
      await t.advance({ minutes: 5 });
      assert.equal((await pageOf(newest))?.action, 'raised');
      const [page] = (await ada.call('GET', `/api/pages?source=${waiting.id}`)).body.pages;
      assert.equal(page.title, 'Disk is full');
      await send({ action: 'resolve', dedup_key: 'i' }, waiting);
    });
  });

  it('a trigger that its sender had to retry until after the end raises no other page', async () => {
    const nagios = await t.source({ team: 'sre', name: 'Hosts', type: 'nagios' });
    const now = await t.clock.now(t.db);
    const notify = (type: string, seconds: number) =>
      send(
        {
          ...{ notification_type: type, host_name: 'db-1', host_state: type === 'RECOVERY' ? 'UP' : 'DOWN' },
          timet: Math.floor(now.epochMilliseconds / 1_000) + seconds,
        },
        nagios,
      );
    await t.advance({ minutes: 2 });
    const first = await notify('PROBLEM', 0);
    const end = await notify('RECOVERY', 40);
    assert.equal((await pageOf(end))?.action, 'resolved');
    const late = await pageOf(await notify('PROBLEM', 30));
    assert.equal(late?.action, 'ignored');
    assert.match(String(late?.reason), /^Its sender had resolved this problem/);
    const again = await notify('PROBLEM', 50);
    assert.equal((await pageOf(again))?.action, 'raised');
    assert.notEqual((await pageOf(again))?.id, (await pageOf(first))?.id);
    await notify('RECOVERY', 60);
    // No retry waits that long: a clock that was set back must not silence anything.
    await t.advance({ minutes: 6 });
    assert.equal((await pageOf(await notify('PROBLEM', 55)))?.action, 'raised');
    await notify('RECOVERY', 70);
  });

  it('an older resolve does not stop a waiting trigger', async () => {
    const first = await send({ title: 'Disk full', dedup_key: 'f' }, waiting);
    await breakOn('of the first');
    const resolve = await send({ action: 'resolve', dedup_key: 'f', text: 'of the first' }, waiting);
    await t.advance({ milliseconds: 10 });
    const again = await send({ title: 'Disk full', dedup_key: 'f' }, waiting);
    await mend();
    await t.advance({ seconds: 10 });
    assert.equal((await pageOf(resolve))?.action, 'ignored');
    await t.advance({ minutes: 5 });
    const raised = [await pageOf(first), await pageOf(again)].filter((one) => one?.action === 'raised');
    assert.equal(raised.length, 1);
    await send({ action: 'resolve', dedup_key: 'f' }, waiting);
  });

  it('a call that a node had claimed before it died is processed as soon as the node is gone', async () => {
    await breakOn('held');
    const held = await send({ title: 'held', dedup_key: 'g' });
    await mend();
    await sql`
      update received_notifications set claimed_by = ${GONE}, due_at = ${t.clock.sql} + interval '30 seconds'
      where request_id = ${held}`.execute(t.db);
    // The first check finds that the node is gone, and the second finds the calls that it had claimed.
    await t.settle();
    await t.settle();
    assert.equal((await pageOf(held))?.action, 'raised');
  });
});
