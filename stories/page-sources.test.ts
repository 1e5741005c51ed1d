import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { randomToken, sha256 } from '../src/kit/sealing.ts';
import { newId } from '../src/kit/typeid.ts';
import type { SourceSettings } from '../src/sources/contract.ts';
import { pagePath } from '../src/webhooks/contract.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import type { Story } from '../testing/story.ts';
import { twoStageStory } from '../testing/two-stage-story.ts';

type Pages = { id: string | null; state: string | null; action: string; reason: string | null }[];

describe('a page source', () => {
  let t: Story;
  let ada: SignedIn;
  let post: (body: unknown) => Promise<Pages>;
  let names = 0;

  async function source(settings: SourceSettings = {}, type = 'custom') {
    const token = randomToken();
    const id = newId('source');
    const at = await t.clock.now(t.app.db);
    await t.app.db
      .insertInto('webhooks')
      .values({
        ...{
          id,
          organization_id: t.acme.id,
          team_id: t.acme.teams.sre ?? '',
          name: `Checks ${++names}`,
          type,
        },
        ...{ token_hash: sha256(token), token_sealed: t.sealing.seal(token), pages: true },
        ...{ created_at: at, updated_at: at },
      })
      .execute();
    await t.app.db
      .insertInto('page_sources')
      .values({ id, organization_id: t.acme.id, settings: JSON.stringify(settings) })
      .execute();
    return async (body: unknown): Promise<Pages> => {
      const answer = await t.post(pagePath(token, type), body);
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

  it('says in the timeline who acted: the source, never a person', async () => {
    const [page] = await post({ title: 'Slow', dedup_key: 'slow' });
    await t.notified('ada');
    await post({ action: 'acknowledge', dedup_key: 'slow' });
    await post({ action: 'resolve', dedup_key: 'slow' });
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
    await post({ action: 'resolve', dedup_key: 'flap' });
  });

  it('changes nothing when no page is open', async () => {
    const [outcome] = await post({ action: 'resolve', dedup_key: 'never seen' });
    assert.equal(outcome?.action, 'ignored');
    assert.match(outcome?.reason ?? '', /No open page has this dedup key/);
  });

  it('waits as a rule says, and pages nobody if it ends before', async () => {
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

  it('serves the integrations, and records a moment that is linked with the page', async () => {
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
    assert.equal((await prometheus(group('resolved')))[0]?.action, 'resolved');
  });

  it('refuses a body that it cannot read, and names each problem', async () => {
    await assert.rejects(post({ severity: 'critical' }), /title.+is missing/);
  });
});
