import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type EventStream, eventStream } from '../testing/event-stream.ts';
import { eventually } from '../testing/eventually.ts';
import { type Organization, seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import type { Story } from '../testing/story.ts';
import { pageTheTeam, twoStageStory } from '../testing/two-stage-story.ts';

describe('open dashboards', () => {
  let t: Story;
  let ada: SignedIn;
  let others: Organization;

  before(async () => {
    t = await twoStageStory();
    ada = await signIn(t, 'ada');
    others = await seedOrganization(t, { people: { eve: {} } }, 'Evil');
  });
  after(() => t.end());

  const newPage = (body?: Record<string, unknown>) => pageTheTeam(t, body);

  async function listen(headers: Record<string, string>): Promise<EventStream> {
    const stream = await eventStream(`${t.url}/api/events`, headers);
    await stream.next('hello');
    return stream;
  }

  it('of one person are at most twenty: the oldest is closed with a reason', async () => {
    const grace = await signIn(t, 'grace');
    const first = await listen({ cookie: grace.cookie });
    const streams = [first];
    while (streams.length < 20) streams.push(await listen({ cookie: grace.cookie }));
    const other = await listen({ cookie: ada.cookie });
    streams.push(await listen({ cookie: grace.cookie }));
    assert.match(
      String((await first.next('replaced')).data.reason),
      /^You have more than 20 dashboards open/,
    );
    await first.ended;
    // A person who opens many dashboards locks nobody else out, and their other dashboards keep working.
    const page = await newPage();
    assert.ok(page);
    await other.next('pages');
    await streams[1]?.next('pages');
    for (const stream of [...streams, other]) stream.close();
  });

  it('an open dashboard makes a person reachable, and confirms that it showed the page', async () => {
    const refused = await t.post('/page/person', {
      recipient: 'linus@example.com',
      title: 'Hi',
      text: 'there',
    });
    assert.equal(refused.status, 400);
    const linus = await signIn(t, 'linus');
    const stream = await listen({ cookie: linus.cookie });
    const accepted = await t.post('/page/person', {
      recipient: 'linus@example.com',
      title: 'Hi',
      text: 'there',
    });
    assert.equal(accepted.status, 200);
    const settled = t.settle();
    const alarm = await stream.next('notification');
    assert.deepEqual([alarm.data.title, alarm.data.urgency], ['Hi', 'high']);
    const confirmed = await linus.call('POST', `/api/deliveries/${alarm.id}/confirm`);
    assert.deepEqual(confirmed.body, { confirmed: true });
    await settled;
    const { page } = await t.status(String(accepted.body.service_request_id));
    assert.deepEqual(
      page.deliveries.map(({ channel, state }) => [channel, state]),
      [['browser', 'accepted']],
    );
    assert.deepEqual((await stream.next('pages')).data, { pages: [page.id] });
    await linus.call('POST', `/api/pages/${page.id}/acknowledge`);
    assert.deepEqual((await stream.next('pages')).data, { pages: [page.id] });
    stream.close();
  });

  it('shows nobody the pages of another organization', async () => {
    const [eve, grace] = await Promise.all([
      listen({ authorization: `Bearer ${others.key}` }),
      signIn(t, 'grace').then(({ cookie }) => listen({ cookie })),
    ]);
    const id = await newPage();
    assert.deepEqual((await grace.next('pages')).data, { pages: [id] });
    await assert.rejects(eve.next('pages', 1_200), /no event pages came/);
    await ada.call('POST', `/api/pages/${id}/resolve`);
    for (const stream of [eve, grace]) stream.close();
  });

  it('ends with the session', async () => {
    const session = await signIn(t, 'grace');
    const stream = await listen({ cookie: session.cookie });
    await session.call('DELETE', '/api/session');
    await stream.ended;
    await stillOpen('grace', 0);
  });

  it('handles a dashboard that is reloaded again and again', async () => {
    const session = await signIn(t, 'grace');
    const reloads = Array.from({ length: 10 }, async (_, index) => {
      const stream = await listen({ cookie: session.cookie });
      if (index > 0) stream.close();
      return stream;
    });
    const [last] = await Promise.all(reloads);
    await stillOpen('grace', 1);
    last?.close();
    await stillOpen('grace', 0);
  });

  it('forgets dashboards of a node that died', async () => {
    const { db } = t.app;
    const dead = await db
      .insertInto('nodes')
      .values({ role: 'api', host: 'gone', pid: 1, version: '0', started_at: t.clock.sql })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('open_dashboards')
      .values({
        organization_id: t.acme.id,
        user_id: t.acme.users.grace ?? '',
        node: dead.id,
        opened_at: t.clock.sql,
      })
      .execute();
    await stillOpen('grace', 1);
    await t.app.duties.runAll();
    await stillOpen('grace', 0);
  });

  async function stillOpen(person: string, expected: number): Promise<void> {
    const count = async () => {
      const rows = await t.app.db
        .selectFrom('open_dashboards')
        .select('node')
        .where('user_id', '=', t.acme.users[person] ?? '')
        .execute();
      return rows.length;
    };
    await eventually(count, expected);
  }
});
