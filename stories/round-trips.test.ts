import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { after, before, describe, it, mock } from 'node:test';
import { DatabaseClient } from '../src/db/hosts.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** Statements that a connection sent without waiting for an answer in between. */
type Trip = { bytesRead: number; texts: string[] };

describe('a page of a team', () => {
  let t: Story;
  const trips = new Map<DatabaseClient, Trip[]>();

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada', 'grace', 'alan'),
        teams: {
          sre: {
            members: ['ada', 'grace'],
            schedules: [{ stages: [['ada'], ['grace']], backstop: 'grace' }],
          },
          bare: { members: ['alan'] },
        },
      }),
    });
    const { query } = DatabaseClient.prototype;
    mock.method(DatabaseClient.prototype, 'query', function (this: DatabaseClient, ...args: unknown[]) {
      const [first] = args;
      const text = typeof first === 'string' ? first : (first as { text?: string }).text;
      note(this, text ?? '');
      return Reflect.apply(query, this, args);
    });
  });
  after(async () => {
    mock.restoreAll();
    await t.end();
  });

  function note(client: DatabaseClient, text: string): void {
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    const mine = trips.get(client) ?? [];
    trips.set(client, mine);
    const last = mine.at(-1);
    if (last?.bytesRead === stream.bytesRead) last.texts.push(text);
    else mine.push({ bytesRead: stream.bytesRead, texts: [text] });
  }

  /** The round trips of the transaction that stored deliveries, from its beginning to its commit. */
  function transaction(): string[] {
    for (const mine of trips.values()) {
      const texts = mine.map((trip) => trip.texts.join('\n'));
      const end = texts.findLastIndex(
        (text) => text.includes('insert into deliveries') && text.includes('commit'),
      );
      const begin = texts.findLastIndex((text, index) => index <= end && text.includes('begin'));
      if (end >= 0) return texts.slice(begin, end + 1);
    }
    return [];
  }

  it('needs two round trips to the database until it is accepted and its first notification is stored', async () => {
    trips.clear();
    await t.page('team', 'sre', { urgency: 'high' });
    await t.notified('ada');
    const [read = '', stored = '', ...more] = transaction();
    assert.deepEqual(more, []);
    assert.match(read, /begin[\s\S]*lock_timeout[\s\S]*from schedules schedule/);
    assert.match(
      stored,
      /insert into requests[\s\S]*insert into page_events[\s\S]*commit[\s\S]*from deliveries d/,
    );
  });

  it('needs two more if a worker runs its first step', async () => {
    trips.clear();
    await t.asleep(() =>
      t.post('/page/team', { recipient: 'sre', title: 'Later', text: 'x', urgency: 'low' }),
    );
    await t.settle();
    await t.notified('ada');
    const [claim = '', stored = '', ...more] = transaction();
    assert.deepEqual(more, []);
    assert.match(claim, /from schedules schedule[\s\S]*begin[\s\S]*skip locked/);
    assert.match(stored, /insert into page_events[\s\S]*commit[\s\S]*from deliveries d/);
  });

  it('is sent to the members when there was no schedule to read ahead', async () => {
    trips.clear();
    await t.page('team', 'bare');
    await t.notified('alan');
    assert.ok(transaction().length > 2);
  });
});
