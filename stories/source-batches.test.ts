import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { Story, StorySource } from '../testing/story.ts';
import { twoStageStory } from '../testing/two-stage-story.ts';

type Event = {
  key: string;
  action: 'trigger' | 'acknowledge' | 'resolve';
  urgency: 'low' | 'medium' | 'high';
};

const event = fc.record<Event>({
  key: fc.constantFrom('disk', 'network', 'power'),
  action: fc.constantFrom('trigger', 'trigger', 'acknowledge', 'resolve'),
  urgency: fc.constantFrom('low', 'medium', 'high'),
});

/** What each event does to the pages of its key, one event at a time. */
function expected(events: readonly Event[]): string[] {
  const open = new Map<string, 'notifying' | 'acknowledged'>();
  const urgencies = new Map<string, number>();
  const order = ['low', 'medium', 'high'];
  return events.map(({ key, action, urgency }) => {
    const state = open.get(key);
    const risen = order.indexOf(urgency);
    if (action === 'trigger') {
      if (!state || risen > (urgencies.get(key) ?? 0)) {
        open.set(key, 'notifying');
        urgencies.set(key, risen);
      }
      return state ? 'updated' : 'raised';
    }
    if (!state) return 'ignored';
    if (action === 'resolve') {
      open.delete(key);
      return 'resolved';
    }
    open.set(key, 'acknowledged');
    return state === 'acknowledged' ? 'updated' : 'acknowledged';
  });
}

describe('calls of a source that are processed together', () => {
  let t: Story;
  let source: StorySource;
  let batches = 0;

  before(async () => {
    t = await twoStageStory();
    source = await t.source({ team: 'sre', name: 'Prometheus' });
    // The service would process the first call before the others have arrived.
    await sql`
      create function hold_back() returns trigger language plpgsql as
        'begin new.due_at := new.due_at + interval ''1 hour''; return new; end'`.execute(t.db);
    await sql`
      create trigger hold_back before insert on received_notifications for each row execute function hold_back()`.execute(
      t.db,
    );
  });
  afterEach(() => t.receiver.inbox.takeAll());
  after(() => t.end());

  /** Sends events, processes them in one batch of this number of transactions, and returns what each of them did. */
  async function inOneBatch(events: readonly Event[], transactions = 1): Promise<string[]> {
    const ids: string[] = [];
    const batch = ++batches;
    for (const { key, action, urgency } of events) {
      const { body } = await t.post(source.path, {
        ...{ dedup_key: `${key} ${batch}`, title: key, action, urgency },
      });
      ids.push(String(body.service_request_id));
    }
    await sql`update received_notifications set due_at = ${t.clock.sql} where state = 'queued'`.execute(t.db);
    await t.settle();
    const { processed } = await t.db
      .selectFrom('received_notifications')
      .select(({ fn }) => fn.count<bigint>('processed_at').distinct().as('processed'))
      .where('request_id', 'in', ids)
      .executeTakeFirstOrThrow();
    // Calls of a failed batch are processed one at a time, each at its own time.
    assert.equal(Number(processed), transactions);
    const statuses = await Promise.all(ids.map((id) => t.get(`/request/${id}/status`)));
    return statuses.map(
      ({ body }) =>
        (body as { response: { pages: { action: string }[] } }).response.pages[0]?.action ?? 'none',
    );
  }

  it('have the same effect as one after the other', () =>
    fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 10 }), async (events) => {
        assert.deepEqual(await inOneBatch(events), expected(events));
      }),
      { numRuns: 15 },
    ));

  it('are split into transactions, so that a trigger does not wait for the ends of many pages', async () => {
    const keys = Array.from({ length: 25 }, (_, n) => `host ${n}`);
    const raised = await inOneBatch(keys.map((key) => ({ key, action: 'trigger', urgency: 'low' })));
    assert.deepEqual(new Set(raised), new Set(['raised']));
    batches--;
    const ends = keys.map((key): Event => ({ key, action: 'resolve', urgency: 'low' }));
    // Ten resolutions cost as much as a hundred triggers.
    const did = await inOneBatch([...ends, { key: 'disk', action: 'trigger', urgency: 'low' }], 3);
    assert.deepEqual(did, [...keys.map(() => 'resolved'), 'raised']);
  });

  it('raise no second page for a key if another page was resolved in between', async () => {
    const trigger = (key: string): Event => ({ key, action: 'trigger', urgency: 'low' });
    const resolve = (key: string): Event => ({ key, action: 'resolve', urgency: 'low' });
    const events = [trigger('disk'), trigger('power'), resolve('power'), trigger('disk'), trigger('power')];
    assert.deepEqual(await inOneBatch(events), ['raised', 'raised', 'resolved', 'updated', 'raised']);
  });
});
