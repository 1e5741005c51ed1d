import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type EventStream, eventStream } from '../testing/event-stream.ts';
import { seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

describe('changes that open dashboards learn about', () => {
  let t: Story;
  let ada: SignedIn;
  let webhook: { id: string; url: string };
  let listening: EventStream;
  let elsewhere: EventStream;

  before(async () => {
    t = await story({
      organization: { people: { ada: {}, grace: {} }, teams: { sre: { members: ['ada'] } } },
    });
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'ada').execute();
    ada = await signIn(t, 'ada');
    const others = await seedOrganization(t, { people: { eve: {} } }, 'Evil');
    webhook = (await ada.call('POST', '/api/webhooks', { team: 'sre', name: 'Any', type: 'custom' })).body;
    listening = await listen({ cookie: (await signIn(t, 'grace')).cookie });
    elsewhere = await listen({ authorization: `Bearer ${others.key}` });
  });
  after(async () => {
    listening?.close();
    elsewhere?.close();
    await t.end();
  });

  async function listen(headers: Record<string, string>): Promise<EventStream> {
    const stream = await eventStream(`${t.url}/api/events`, headers);
    await stream.next('hello');
    return stream;
  }

  /** Skips events about earlier actions until one names this room. */
  async function heard(room: string): Promise<string[]> {
    for (;;) {
      const { rooms } = (await listening.next('changed')).data as { rooms: string[] };
      if (rooms.includes(room)) return rooms;
    }
  }

  const send = (body: unknown) =>
    fetch(webhook.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('are changes by colleagues', async () => {
    assert.equal((await ada.call('PATCH', '/api/teams/sre', { name: 'Reliability' })).status, 200);
    await heard('teams');
  });

  it('are new calls of webhooks', async () => {
    await send({ name: 'Disk is full', type: 'alert' });
    await t.settle();
    assert.deepEqual((await heard('moments')).toSorted(), ['moments', 'notifications']);
  });

  it('are refused calls of webhooks', async () => {
    assert.equal((await send({ name: '' })).status, 400);
    assert.deepEqual(await heard('notifications'), ['notifications']);
  });

  it('are not refusals, reads, or changes in another organization', async () => {
    const grace = await signIn(t, 'grace');
    assert.equal((await grace.call('PATCH', '/api/teams/sre', { name: 'Mine' })).status, 403);
    assert.equal((await ada.call('GET', '/api/teams')).status, 200);
    await assert.rejects(listening.next('changed', 600), /no event changed came/);
    await assert.rejects(elsewhere.next('changed', 10), /no event changed came/);
  });
});
