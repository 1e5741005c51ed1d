import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { reachableElsewhere } from '../testing/elsewhere.ts';
import { eventually } from '../testing/eventually.ts';
import { seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

type Listed = {
  id: string;
  title: string;
  unanswered: boolean;
  again_of: string | null;
  paged_again: { id: string; state: string } | null;
};

describe('pages that nobody answered', () => {
  let t: Story;
  let elsewhere: { url: string; close(): void };
  let ada: SignedIn;
  let edsger: SignedIn;

  before(async () => {
    elsewhere = await reachableElsewhere();
    const person = { methods: [{ type: 'webhook' as const, value: elsewhere.url }] };
    t = await story({
      organization: {
        people: { ada: person, grace: person, edsger: person },
        teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
      },
    });
    await t.db
      .updateTable('users')
      .set({ role: 'admin' })
      .where('id', '=', t.acme.users.ada ?? '')
      .execute();
    [ada, edsger] = [await signIn(t, 'ada'), await signIn(t, 'edsger')];
  });
  after(async () => {
    await t?.end();
    elsewhere.close();
  });

  const open = async (query = ''): Promise<Listed[]> =>
    (await ada.call('GET', `/api/pages?state=open${query}`)).body.pages;
  const openIds = async (query = '') => (await open(query)).map(({ id }) => id);
  const timelineOf = async (id: string) => (await ada.call('GET', `/api/pages/${id}`)).body.timeline;

  async function expire(title: string, body: Record<string, unknown> = {}): Promise<string> {
    const { page } = await t.status(await t.page('team', 'sre', { urgency: 'high', title, ...body }));
    for (let tries = 0; tries < 30; tries++) {
      await t.advance({ minutes: 10 });
      const { page: now } = (await ada.call('GET', `/api/pages/${page.id}`)).body;
      if (now.state === 'expired') return page.id;
    }
    throw new Error('the page did not expire');
  }

  it('stay in the list of open pages until a person handles them, and the timeline names that person', async () => {
    const id = await expire('Escalation exhausted');
    await t.settle();
    assert.deepEqual(
      (await open()).map((page) => [page.id, page.unanswered]),
      [[id, true]],
    );
    assert.deepEqual(await openIds('&whose=mine'), [id]);
    assert.equal((await ada.call('GET', '/api/teams')).body.teams[0].open_pages, 1);
    assert.equal((await ada.call('POST', `/api/pages/${id}/acknowledge`)).body.changed, false);
    assert.deepEqual(await openIds(), [id], 'an answer that came too late handles nothing');
    assert.equal((await ada.call('POST', `/api/pages/${id}/resolve`)).status, 200);
    assert.deepEqual(await openIds(), []);
    assert.partialDeepStrictEqual((await timelineOf(id)).at(-1), {
      kind: 'resolved',
      from: 'expired',
      by: { name: 'Ada' },
      via: 'dashboard',
    });
    await ada.call('POST', `/api/pages/${id}/undo`);
    assert.deepEqual(await openIds(), [id], 'undone within 30 seconds');
    await ada.call('POST', `/api/pages/${id}/resolve`);
  });

  it('also include pages that could reach nobody', async () => {
    const accepted = await t.asleep(async () => {
      const answer = await t.post('/page/team', {
        recipient: 'sre',
        title: 'Nobody reachable',
        text: 'down',
      });
      await t.db.updateTable('contact_methods').set({ verified_at: null }).execute();
      return answer;
    });
    await t.settle();
    const { status, page } = await t.status(String(accepted.body.service_request_id));
    assert.deepEqual([status, page.state], ['failed', 'expired']);
    assert.deepEqual(
      (await open()).map((one) => [one.id, one.unanswered]),
      [[page.id, true]],
    );
    await t.db.updateTable('contact_methods').set({ verified_at: t.clock.sql }).execute();
    const { id } = page;
    await ada.call('POST', `/api/pages/${id}/resolve`);
    assert.deepEqual(await openIds(), []);
  });

  it('can be paged again: the same content for the same recipient, and the two are linked', async () => {
    const body = {
      text: 'Queue of eu-west-1',
      source_url: 'https://grafana.example.com/d/q',
      urgency: 'medium',
    };
    const id = await expire('Queue is full', body);
    await t.settle();
    const again = await edsger.call('POST', `/api/pages/${id}/again`);
    assert.equal(again.status, 201, JSON.stringify(again.body));
    await t.settle();
    const { page, timeline } = (await ada.call('GET', `/api/pages/${again.body.page_id}`)).body;
    assert.partialDeepStrictEqual(page, {
      ...{ title: 'Queue is full', ...body, kind: 'team', team: { slug: 'sre' }, state: 'notifying' },
      ...{ again_of: id, paged_again: null, raised_by: { name: 'Edsger' } },
    });
    assert.ok(
      timeline.some((entry: { kind: string }) => entry.kind === 'notified'),
      'somebody is notified',
    );
    assert.deepEqual(await openIds(), [page.id], 'the new page stands for both');
    assert.partialDeepStrictEqual((await timelineOf(id)).at(-1), {
      kind: 'paged_again',
      by: { name: 'Edsger' },
      page_id: page.id,
    });
    const former = (await ada.call('GET', `/api/pages/${id}`)).body.page;
    assert.partialDeepStrictEqual(former, {
      unanswered: false,
      paged_again: { id: page.id, state: 'notifying' },
    });

    const twice = await ada.call('POST', `/api/pages/${id}/again`);
    assert.equal(twice.status, 200);
    assert.deepEqual(twice.body, { ...again.body, paged_again_by: { name: 'Edsger' } });
    assert.equal(
      (await ada.call('POST', `/api/pages/${page.id}/again`)).status,
      409,
      'it is still notifying',
    );
    await ada.call('POST', `/api/pages/${page.id}/resolve`);
    assert.equal((await ada.call('POST', `/api/pages/${id}/again`)).status, 201);
    await t.settle();
    for (const one of await openIds()) await ada.call('POST', `/api/pages/${one}/resolve`);
  });

  it('become one page if several people press at once, and the later ones get that page', async () => {
    const id = await expire('Everybody presses');
    await t.settle();
    const pressed = await Promise.all(
      [ada, edsger, ada, edsger, ada, edsger].map((who) => who.call('POST', `/api/pages/${id}/again`)),
    );
    assert.deepEqual(pressed.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 201]);
    const made = await t.db
      .selectFrom('pages_again')
      .select('page_id')
      .where('former_page_id', '=', id)
      .execute();
    assert.deepEqual(
      [...new Set(pressed.map(({ body }) => body.page_id))],
      made.map(({ page_id }) => page_id),
    );
    await t.settle();
    for (const one of await openIds()) await ada.call('POST', `/api/pages/${one}/resolve`);
  });

  it("can be marked as handled together, if they are the viewer's", async () => {
    const [first, second] = [await expire('First of the night'), await expire('Second of the night')];
    await t.settle();
    const open = await t.status(await t.page('team', 'sre', { title: 'Still notifying', urgency: 'high' }));
    const handle = (who: SignedIn, ids: string[]) => who.call('POST', '/api/pages/handled', { pages: ids });
    const refused = await handle(edsger, [first, second]);
    assert.equal(refused.status, 403);
    assert.deepEqual((await openIds()).toSorted(), [first, second, open.page.id].toSorted());
    assert.equal((await handle(ada, [first, 'page_unknown'])).status, 404);
    assert.equal(
      (await handle(ada, [first, open.page.id])).status,
      409,
      'what notifies is not handled by the way',
    );
    assert.equal((await handle(ada, [])).status, 400);
    assert.equal((await handle(ada, Array(201).fill(first))).status, 400);
    assert.deepEqual((await handle(ada, [first, second])).body, { handled: 2 });
    assert.deepEqual(await openIds(), [open.page.id]);
    for (const id of [first, second])
      assert.partialDeepStrictEqual((await timelineOf(id)).at(-1), {
        kind: 'resolved',
        from: 'expired',
        by: { name: 'Ada' },
      });
    assert.deepEqual((await handle(ada, [first, second])).body, { handled: 0 }, 'pressed twice');
    await ada.call('POST', `/api/pages/${open.page.id}/resolve`);
  });

  it('are not raised again for a person who can no longer be reached', async () => {
    const paged = await t.page('person', 'grace@example.com', { urgency: 'high', title: 'Only for Grace' });
    const { page } = await t.status(paged);
    for (let tries = 0; tries < 30; tries++) {
      await t.advance({ minutes: 10 });
      if ((await ada.call('GET', `/api/pages/${page.id}`)).body.page.state === 'expired') break;
    }
    await t.settle();
    const disabled = await ada.call('POST', `/api/people/${t.acme.users.grace}/disable`);
    assert.equal(disabled.status, 200, JSON.stringify(disabled.body));
    // The people who can be paged are cached for a moment.
    const again = async () => {
      const { status, body } = await ada.call('POST', `/api/pages/${page.id}/again`);
      if (status === 201) await ada.call('POST', `/api/pages/${body.page_id}/resolve`);
      return [status, body.details?.[0].message];
    };
    await eventually(again, [
      400,
      'recipient names nobody: there is no person with the email address "grace@example.com"; give the address of somebody in your organization.',
    ]);
    await ada.call('POST', `/api/pages/${page.id}/resolve`);
  });

  it('are unknown to other organizations', async () => {
    const id = await expire('Ours');
    await t.settle();
    const others = await seedOrganization(t, { people: { eve: {} } }, 'Evil');
    const eve = { authorization: `Bearer ${others.key}`, 'content-type': 'application/json' };
    const theirs = await fetch(`${t.url}/api/pages/${id}/again`, {
      method: 'POST',
      headers: eve,
      body: '{}',
    });
    assert.equal(theirs.status, 404);
    assert.deepEqual((await t.get('/api/pages?state=open', others.key)).body.pages, []);
    await ada.call('POST', `/api/pages/${id}/resolve`);
  });

  it('count as handled when they expired more than a week before the upgrade', async () => {
    const [before, after] = [await expire('Long ago'), await expire('Last night')];
    await t.settle();
    const at = (id: string, hours: number) =>
      sql`update pages set expired_at = (select expired_pages_since from organizations where id = ${t.acme.id})
        + make_interval(hours => ${hours}) where id = ${id}`.execute(t.db);
    await at(before, -1);
    await at(after, 1);
    assert.deepEqual(await openIds(), [after]);
    const { rows } = await sql<{ days: number }>`
      select round(extract(epoch from now() - expired_pages_since) / 86400)::integer as days from organizations
      where id = ${t.acme.id}`.execute(t.db);
    assert.deepEqual(rows, [{ days: 7 }]);
  });
});
