/** A moment that was resolved by mistake continues, and its sender's next calls belong to it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

describe('a moment that was resolved by mistake', () => {
  let t: Story;
  let ada: SignedIn;
  let linus: SignedIn;

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: { ...webhookPeople(receiver, 'ada'), linus: {} },
        teams: { sre: { members: ['ada'] }, web: { members: ['linus'] } },
      }),
    });
    await t.db.updateTable('team_members').set({ role: 'manager' }).execute();
    [ada, linus] = [await signIn(t, 'ada'), await signIn(t, 'linus')];
  });
  after(() => t.end());

  /** A webhook of its own; `send` sends a group of alerts, and `moments` lists the resulting moments. */
  async function alertmanager() {
    const { body } = await ada.call('POST', '/api/webhooks', {
      ...{ team: 'sre', type: 'alertmanager', name: `W ${Math.random()}` },
    });
    const send = async (status: 'firing' | 'resolved', time: string) => {
      const alert = {
        ...{ status, labels: { alertname: 'Latency' }, annotations: {} },
        startsAt: status === 'firing' ? time : '2026-11-20T05:00:00Z',
        endsAt: status === 'firing' ? '0001-01-01T00:00:00Z' : time,
      };
      const answer = await fetch(body.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{
            version: '4',
            groupKey: 'k',
            status,
            groupLabels: {},
            commonLabels: {},
            commonAnnotations: {},
          },
          ...{ externalURL: 'http://am', truncatedAlerts: 0, alerts: [alert] },
        }),
      });
      assert.equal(answer.status, 200, await answer.clone().text());
      await t.settle();
    };
    const moments = async (): Promise<{ id: string; state: string }[]> =>
      (await ada.call('GET', `/api/moments?webhook=${body.id}`)).body.moments;
    const states = async () => (await moments()).map(({ state }) => state);
    await send('firing', '2026-11-20T05:00:00Z');
    const [first] = await moments();
    return { send, moments, states, id: first?.id ?? '' };
  }

  const act = (id: string, what: string, who = ada) => who.call('POST', `/api/moments/${id}/${what}`, {});
  const read = async (id: string) => (await ada.call('GET', `/api/moments/${id}`)).body;

  it('returns to its earlier state, and keeps the person who had resolved it', async () => {
    const { id } = await alertmanager();
    await act(id, 'acknowledge');
    await act(id, 'resolve');
    const refused = await act(id, 'reopen', linus);
    assert.equal(refused.status, 403);
    assert.match(refused.body.details[0].message, /belongs to the team/);
    const { changed, message, moment } = (await act(id, 'reopen')).body;
    assert.deepEqual([changed, message, moment.state], [true, 'Reopened.', 'acknowledged']);
    assert.deepEqual(
      [moment.acknowledged_by.name, moment.resolved_at, moment.resolved_by],
      ['Ada', null, null],
    );
    const { reopenings } = await read(id);
    assert.deepEqual(
      reopenings.map(({ by, resolved_by }: { by: { name: string }; resolved_by: { name: string } }) => [
        by.name,
        resolved_by.name,
      ]),
      [['Ada', 'Ada']],
    );
    const again = (await act(id, 'reopen')).body;
    assert.deepEqual([again.changed, again.message], [false, 'The moment is not resolved.']);
    assert.equal((await read(id)).reopenings.length, 1);
    const list = (await ada.call('GET', '/api/moments?state=acknowledged')).body.moments;
    assert.ok(list.some((one: { id: string }) => one.id === id));
  });

  it('is ended by its sender as before', async () => {
    const { id, send, states } = await alertmanager();
    await act(id, 'resolve');
    await act(id, 'reopen');
    await send('firing', '2026-11-20T05:00:00Z');
    assert.deepEqual(await states(), ['open'], 'a repetition opens nothing else');
    await send('resolved', '2026-11-20T05:20:00Z');
    assert.deepEqual(await states(), ['resolved']);
    assert.equal((await read(id)).moment.resolved_by, null);
  });

  it('stays open if its sender repeats a known end, and ends with a later one', async () => {
    const { id, send, states } = await alertmanager();
    await send('resolved', '2026-11-20T05:20:00Z');
    const { changed, message } = (await act(id, 'reopen')).body;
    assert.equal(changed, true);
    assert.match(message, /Its sender has already reported the end.*resolve the moment yourself/);
    await send('resolved', '2026-11-20T05:20:00Z');
    assert.deepEqual(await states(), ['open']);
    await send('firing', '2026-11-20T05:30:00Z');
    assert.deepEqual(await states(), ['open'], 'it is the moment of what fires again');
    await send('resolved', '2026-11-20T05:40:00Z');
    assert.deepEqual(await states(), ['resolved']);
    const [{ resolved_by }] = (await read(id)).reopenings;
    assert.equal(resolved_by, null);
  });

  it('includes an end that its sender reported while it was resolved', async () => {
    const { id, send, states } = await alertmanager();
    await act(id, 'resolve');
    await send('resolved', '2026-11-20T05:20:00Z');
    assert.match((await act(id, 'reopen')).body.message, /Its sender has already reported the end/);
    await send('resolved', '2026-11-20T05:20:00Z');
    assert.deepEqual(await states(), ['open']);
    await act(id, 'resolve');
    assert.deepEqual(await states(), ['resolved']);
  });

  it('stays resolved if the same problem was reported again since', async () => {
    const { id, send, moments } = await alertmanager();
    await act(id, 'resolve');
    await send('firing', '2026-11-20T05:30:00Z');
    const [newer] = await moments();
    const { changed, message } = (await act(id, 'reopen')).body;
    assert.deepEqual([changed, /newer moment/.test(message)], [false, true]);
    const shown = await read(id);
    assert.deepEqual([shown.newer.id, shown.newer.state, shown.reopenings], [newer?.id, 'open', []]);
    assert.equal((await read(newer?.id ?? '')).newer, null);
  });

  it('is reopened once, even if two people do so while its sender fires', async () => {
    const { id, send, states } = await alertmanager();
    await act(id, 'resolve');
    const [one, other] = await Promise.all([
      act(id, 'reopen'),
      act(id, 'reopen'),
      send('firing', '2026-11-20T05:30:00Z'),
    ]);
    const unresolved = (await states()).filter((state) => state !== 'resolved');
    assert.equal(unresolved.length, 1);
    assert.ok([one, other].filter(({ body }) => body.changed).length <= 1);
    assert.deepEqual([one.status, other.status], [200, 200]);
  });

  it('is reopened even without a webhook that reports it', async () => {
    const { body } = await ada.call('POST', '/api/webhooks', { team: 'sre', type: 'custom', name: 'Script' });
    await fetch(body.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Deployed', type: 'alert' }),
    });
    await t.settle();
    const [{ id }] = (await ada.call('GET', `/api/moments?webhook=${body.id}`)).body.moments;
    await act(id, 'resolve');
    assert.equal((await act(id, 'reopen')).body.moment.state, 'open');
    assert.equal((await act('moment_x', 'reopen')).status, 404);
  });
});
