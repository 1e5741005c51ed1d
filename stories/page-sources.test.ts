import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { newId } from '../src/kit/typeid.ts';
import type { SourceSettings } from '../src/sources/contract.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import type { Story } from '../testing/story.ts';
import { twoStageStory } from '../testing/two-stage-story.ts';

type Pages = { id: string | null; state: string | null; action: string; reason: string | null }[];

describe('a page source', () => {
  let t: Story;
  let ada: SignedIn;
  let post: (body: unknown) => Promise<Pages>;
  let names = 0;
  /** Of the newest source. */
  let path: string;

  async function source(settings: SourceSettings = {}, type = 'custom') {
    ({ path } = await t.source({ team: 'sre', name: `Checks ${++names}`, type, settings }));
    return async (body: unknown): Promise<Pages> => {
      const answer = await t.post(path, body);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      await t.settle();
      const status = await t.get(`/request/${answer.body.service_request_id}/status`);
      const { response } = status.body as { response: { status: string; pages: Pages } };
      assert.equal(response.status, 'succeeded');
      return response.pages;
    };
  }
  const timeline = async (id: string | null | undefined): Promise<Record<string, unknown>[]> =>
    (await ada.call('GET', `/api/pages/${id}`)).body.timeline;
  const kinds = async (id: string | null | undefined) => (await timeline(id)).map(({ kind }) => kind);
  const actions = (pages: Pages) => pages.map(({ action, state }) => `${action} ${state}`);

  before(async () => {
    t = await twoStageStory();
    ada = await signIn(t, 'ada');
  });
  beforeEach(async () => {
    post = await source();
  });
  after(() => t.end());

  it('has a refused call processed before the calls of webhooks when somebody retries it', async () => {
    assert.equal((await t.post(path, ['neither a page nor text'])).status, 400);
    const [refused] = (await ada.call('GET', '/api/notifications')).body.notifications;
    assert.equal(refused.state, 'error');
    assert.deepEqual((await ada.call('POST', `/api/notifications/${refused.id}/retry`)).body, { retried: 1 });
    const { pages } = await t.db
      .selectFrom('received_notifications')
      .select('pages')
      .where('id', '=', refused.id)
      .executeTakeFirstOrThrow();
    assert.equal(pages, true);
    await t.settle();
  });

  it('raises one page for a dedup key, and resolves it', async () => {
    const [raised] = await post({ title: 'Disk full', dedup_key: 'disk', severity: 'critical' });
    assert.equal(raised?.action, 'raised');
    await t.notified('ada');
    for (let again = 0; again < 3; again++)
      assert.deepEqual(actions(await post({ title: 'Disk full', dedup_key: 'disk', severity: 'critical' })), [
        'updated notifying',
      ]);
    const [line] = (await timeline(raised?.id)).filter(({ kind }) => kind === 'repeated');
    assert.equal(line?.count, 3);
    assert.deepEqual(actions(await post({ action: 'resolve', dedup_key: 'disk' })), ['resolved resolved']);
    await t.advance({ minutes: 30 });
    assert.ok((await kinds(raised?.id)).includes('resolved'));
  });

  it('lists the effect of each call, and the pages of the source', async () => {
    const { id, path } = await t.source({ team: 'sre', name: 'Listed', type: 'custom' });
    for (const body of [
      { title: 'Queue full', dedup_key: 'queue' },
      { action: 'resolve', dedup_key: 'none' },
    ])
      assert.equal((await t.post(path, body)).status, 200);
    await t.settle();
    await t.notified('ada');
    const { notifications } = (await ada.call('GET', `/api/notifications?webhook=${id}`)).body;
    const open = (await ada.call('GET', `/api/pages?source=${id}`)).body.pages;
    const [resolved, raised] = notifications;
    assert.deepEqual(raised.pages, [
      { action: 'raised', reason: null, page: { id: open[0].id, title: 'Queue full', state: 'notifying' } },
    ]);
    assert.equal(open.length, 1);
    assert.deepEqual([resolved.page_count, resolved.pages[0].action], [1, 'ignored']);
    assert.equal(
      resolved.pages[0].reason,
      'No open page has this dedup key, so there was nothing to resolve.',
    );
    const one = (await ada.call('GET', `/api/notifications/${raised.id}`)).body;
    assert.deepEqual(one.pages, raised.pages);
    await t.post(path, { action: 'resolve', dedup_key: 'queue' });
    await t.settle();
  });

  it('names the source in the timeline, never a person', async () => {
    const [page] = await post({ title: 'Slow', dedup_key: 'slow' });
    await t.notified('ada');
    await post({ action: 'acknowledge', dedup_key: 'slow' });
    const summary = async () => (await ada.call('GET', `/api/pages/${page?.id}`)).body.page;
    const acknowledged = await summary();
    assert.deepEqual(
      [
        acknowledged.source.name,
        acknowledged.dedup_key,
        acknowledged.acknowledged_by,
        acknowledged.may_silence,
      ],
      [`Checks ${names}`, 'slow', null, true],
    );
    assert.deepEqual(acknowledged.acknowledged_by_source, { ...acknowledged.source, as: null });
    const { related } = (await ada.call('GET', `/api/pages/${page?.id}`)).body;
    assert.deepEqual(
      related.moments.map(({ name, state }: { name: string; state: string }) => [name, state]),
      [['Slow', 'acknowledged']],
    );
    await post({ action: 'resolve', dedup_key: 'slow' });
    assert.equal((await summary()).resolved_by_source.name, `Checks ${names}`);
    const ofSource = `/api/pages?state=all&source=${acknowledged.source.id}`;
    assert.deepEqual(
      (await ada.call('GET', ofSource)).body.pages.map(({ id }: { id: string }) => id),
      [page?.id],
    );
    const acted = (await timeline(page?.id)).filter(({ kind }) =>
      ['raised', 'acknowledged', 'resolved'].includes(String(kind)),
    );
    assert.deepEqual(
      acted.map(({ by, source }) => [by, (source as { name: string }).name]),
      Array.from({ length: 3 }, () => [null, `Checks ${names}`]),
    );
  });

  it('adds a line to an acknowledged page, and notifies again when the urgency rises', async () => {
    const [page] = await post({ title: 'Queue grows', dedup_key: 'queue', urgency: 'low' });
    await t.notified('ada');
    await ada.call('POST', `/api/pages/${page?.id}/acknowledge`);
    assert.deepEqual(actions(await post({ title: 'Queue grows', dedup_key: 'queue', urgency: 'low' })), [
      'updated acknowledged',
    ]);
    await t.notified();
    assert.deepEqual(actions(await post({ title: 'Queue full', dedup_key: 'queue', urgency: 'high' })), [
      'updated notifying',
    ]);
    await t.notified('ada');
    assert.ok((await kinds(page?.id)).includes('urgency_raised'));
    await t.advance({ minutes: 5 });
    await t.notified('grace');
    await post({ action: 'resolve', dedup_key: 'queue' });
  });

  it('never lowers the urgency', async () => {
    const [page] = await post({ title: 'Down', dedup_key: 'down', urgency: 'high' });
    await t.notified('ada');
    await post({ title: 'Down', dedup_key: 'down', urgency: 'low' });
    assert.equal((await ada.call('GET', `/api/pages/${page?.id}`)).body.page.urgency, 'high');
    await post({ action: 'resolve', dedup_key: 'down' });
  });

  it('raises a new page after the end, and each names the other', async () => {
    const [first] = await post({ title: 'Flaps', dedup_key: 'flap' });
    await t.notified('ada');
    await post({ action: 'resolve', dedup_key: 'flap' });
    const [second] = await post({ title: 'Flaps', dedup_key: 'flap' });
    await t.notified('ada');
    assert.notEqual(second?.id, first?.id);
    assert.equal((await timeline(second?.id))[0]?.previous_page_id, first?.id);
    const back = (await timeline(first?.id)).find(({ kind }) => kind === 'came_back');
    assert.equal(back?.page_id, second?.id);
    const related = async (id: string | null | undefined) =>
      (await ada.call('GET', `/api/pages/${id}`)).body.related;
    const [before, now] = [await related(first?.id), await related(second?.id)];
    assert.deepEqual([before.previous, before.later.id, before.pages_in_a_day], [null, second?.id, 1]);
    assert.deepEqual([now.previous.id, now.later, now.pages_in_a_day], [first?.id, null, 2]);
    await post({ action: 'resolve', dedup_key: 'flap' });
  });

  it('changes nothing if no page is open', async () => {
    const [outcome] = await post({ action: 'resolve', dedup_key: 'never seen' });
    assert.equal(outcome?.action, 'ignored');
    assert.match(outcome?.reason ?? '', /No open page has this dedup key/);
  });

  it('waits as a rule defines, and pages nobody if the problem ends before', async () => {
    const patient = await source({ rules: [{ match: ['severity=minor'], then: { wait_minutes: 5 } }] });
    const trigger = { title: 'Slow', dedup_key: 'slow', severity: 'minor' };
    assert.equal((await patient(trigger))[0]?.action, 'waiting');
    await t.advance({ minutes: 4 });
    assert.equal((await patient({ action: 'resolve', dedup_key: 'slow' }))[0]?.action, 'ignored');
    await t.advance({ minutes: 10 });
    await t.notified();
    assert.equal((await patient(trigger))[0]?.action, 'waiting');
    await t.advance({ minutes: 5 });
    await t.notified('ada');
    await patient({ action: 'resolve', dedup_key: 'slow' });
  });

  it('keeps a page open if only a person may close it', async () => {
    const strict = await source({ on_resolve: 'keep', on_acknowledge: 'ignore' });
    const [page] = await strict({ title: 'Leak', dedup_key: 'leak' });
    await t.notified('ada');
    await strict({ action: 'acknowledge', dedup_key: 'leak' });
    await strict({ action: 'resolve', dedup_key: 'leak' });
    assert.equal((await ada.call('GET', `/api/pages/${page?.id}`)).body.page.state, 'notifying');
    await ada.call('POST', `/api/pages/${page?.id}/resolve`);
  });

  it('supports the integrations, and records a moment that is linked to the page', async () => {
    const prometheus = await source({}, 'alertmanager');
    const group = (status: string) => ({
      version: '4',
      groupKey: '{}:{alertname="Down"}',
      status,
      alerts: [
        {
          status,
          labels: { alertname: 'Down', severity: 'critical' },
          annotations: {},
          startsAt: '2026-01-01T00:00:00Z',
        },
      ],
    });
    const [page] = await prometheus(group('firing'));
    assert.equal(page?.action, 'raised');
    await t.notified('ada');
    assert.equal((await prometheus(group('firing')))[0]?.action, 'updated');
    const [moment] = (await ada.call('GET', '/api/moments')).body.moments;
    const { body } = await ada.call('GET', `/api/moments/${moment.id}`);
    assert.deepEqual(
      body.pages.map(({ id }: { id: string }) => id),
      [page?.id],
    );
    assert.equal(body.moment.may_silence, true);
    const { related } = (await ada.call('GET', `/api/pages/${page?.id}`)).body;
    assert.deepEqual(related.moments, [{ id: moment.id, name: moment.name, state: 'open' }]);
    assert.equal((await prometheus(group('resolved')))[0]?.action, 'resolved');
  });

  it('pages even if its moments cannot be recorded', async () => {
    await sql`alter table moments add constraint refused check (name <> 'Refused') not valid`.execute(t.db);
    try {
      const answers = ['Refused', 'Recorded'].map(async (title) => {
        const { body } = await t.post(path, { title, dedup_key: title });
        return String(body.service_request_id);
      });
      const ids = await Promise.all(answers);
      await t.settle();
      await t.notified('ada', 'ada');
      const [refused, recorded] = await Promise.all(ids.map((id) => t.status(id)));
      assert.match(String(refused?.message), /^1 page was raised\. Its moment could not be recorded/);
      assert.equal(recorded?.message, '1 page was raised.');
      for (const title of ['Refused', 'Recorded'])
        await t.post(path, { action: 'resolve', dedup_key: title });
      await t.settle();
    } finally {
      await sql`alter table moments drop constraint refused`.execute(t.db);
    }
  });

  it('marks its pages as repeats if a failover of the database had lost the call', async () => {
    const { id } = await t.source({ team: 'sre', name: 'Lost calls' });
    const at = await t.clock.now(t.app.db);
    await t.app.db
      .insertInto('received_notifications')
      .values({
        ...{ id: newId('notification'), organization_id: t.acme.id, webhook_id: id, integration: 'custom' },
        ...{ headers: '{}', body: Buffer.from('{"title": "Lost", "dedup_key": "lost"}'), state: 'queued' },
        ...{ pages: true, may_repeat: true, due_at: at, received_at: at },
      })
      .execute();
    await t.settle();
    await t.notified('ada');
    const { repeat, page_id } = await t.app.db
      .selectFrom('deliveries')
      .select(['repeat', 'page_id'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    assert.equal(repeat, true);
    await ada.call('POST', `/api/pages/${page_id}/resolve`);
  });

  it('refuses an unreadable body, and names each problem', async () => {
    await assert.rejects(post({ severity: 'critical' }), /title.+is missing/);
  });

  it('reports that nobody was paged for an unreadable call', async () => {
    await source({}, 'grafana');
    const answer = await t.post(path, { text: 'a custom payload' });
    await t.settle();
    const status = await t.get(`/request/${answer.body.service_request_id}/status`);
    const { message, success } = status.body.response as { message: string; success: boolean };
    assert.equal(success, false);
    assert.match(message, /^Nobody was paged: the body has no list "alerts"/);
  });

  it('gives the moment of a page the priority of its severity', async () => {
    const answer = await t.post(path, { title: 'Disk full', severity: 'critical', dedup_key: 'severe' });
    await t.notified('ada');
    const status = await t.get(`/request/${answer.body.service_request_id}/status`);
    const { moments } = status.body.response as { moments: { priority: string }[] };
    assert.deepEqual(
      moments.map(({ priority }) => priority),
      ['high'],
    );
    await post({ action: 'resolve', dedup_key: 'severe' });
  });

  it('leaves one page open for a key, even if somebody reopens the former one', async () => {
    const [first] = await post({ title: 'Flaps', dedup_key: 'again' });
    await t.notified('ada');
    await post({ action: 'resolve', dedup_key: 'again' });
    const [second] = await post({ title: 'Flaps', dedup_key: 'again' });
    await t.notified('ada');
    const refused = await ada.call('POST', `/api/pages/${first?.id}/reopen`);
    assert.equal(refused.status, 409);
    assert.match(refused.body.details[0].message, new RegExp(`${second?.id} is open for the same alert`));
    await post({ action: 'resolve', dedup_key: 'again' });
    assert.equal((await ada.call('POST', `/api/pages/${first?.id}/reopen`)).status, 200);
    await t.settle();
    await t.notified('ada');
    await ada.call('POST', `/api/pages/${first?.id}/resolve`);
  });
});

describe('a page with a dedup key', () => {
  let t: Story;
  before(async () => {
    t = await twoStageStory();
  });
  after(() => t.end());

  const page = (body: object) =>
    t.page('team', 'sre', { title: 'Disk full', urgency: 'high', dedup_key: 'disk', ...body });
  const answer = async (action: string, body: object) => {
    const { status, body: said } = await t.post(`/page/${action}`, body);
    assert.equal(status, 200, JSON.stringify(said));
    await t.settle();
    return t.status(String(said.service_request_id));
  };

  it('is raised once, and each further call names it', async () => {
    const first = await t.status(await page({}));
    await t.notified('ada');
    const again = await t.status(await page({}));
    await t.notified();
    assert.deepEqual([again.status, again.page.id], ['succeeded', first.page.id]);
  });

  it('is a separate one for another recipient', async () => {
    await t.page('person', 'edsger@example.com', { dedup_key: 'disk' });
    await t.notified('edsger');
    assert.equal(
      (await answer('resolve', { recipient: 'edsger@example.com', dedup_key: 'disk' })).page.state,
      'resolved',
    );
  });

  it('is acknowledged and resolved by its key', async () => {
    const key = { recipient: 'sre', dedup_key: 'disk' };
    assert.equal((await answer('acknowledge', key)).page.state, 'acknowledged');
    assert.equal((await answer('resolve', key)).page.state, 'resolved');
    const late = await answer('resolve', key);
    assert.deepEqual([late.status, late.page], ['succeeded', null]);
    assert.match(String(late.message), /No open page has this dedup key/);
  });

  it('raises one page, however many calls arrive at once', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => page({ dedup_key: 'storm' })));
    await t.notified('ada');
    const pages = await Promise.all(ids.map(async (id) => (await t.status(id)).page.id));
    assert.equal(new Set(pages).size, 1);
    await answer('resolve', { recipient: 'sre', dedup_key: 'storm' });
  });

  it('refuses a recipient that does not exist', async () => {
    const { status, body } = await t.post('/page/resolve', { recipient: 'nobody', dedup_key: 'x' });
    assert.equal(status, 400);
    assert.match(JSON.stringify(body), /neither the slug of a team nor the email address of a person/);
  });
});
