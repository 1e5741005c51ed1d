import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Organization, seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

describe('moments in the dashboard', () => {
  let t: Story;
  let ada: SignedIn;
  let linus: SignedIn;
  let others: Organization;
  let custom: { id: string; url: string };
  let alerts: { id: string; url: string };

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: { ...webhookPeople(receiver, 'ada'), linus: {} },
        teams: { sre: { members: ['ada'] }, web: { members: ['linus'] } },
      }),
    });
    await t.db.updateTable('team_members').set({ role: 'manager' }).execute();
    [ada, linus] = [await signIn(t, 'ada'), await signIn(t, 'linus')];
    others = await seedOrganization(t, { people: { eve: {} }, teams: { sre: { members: ['eve'] } } }, 'Evil');
    custom = await make(ada, { team: 'sre', type: 'custom' });
    alerts = await make(ada, { team: 'sre', type: 'alertmanager' });
  });
  after(() => t.end());

  async function make(who: SignedIn, body: Record<string, unknown>): Promise<{ id: string; url: string }> {
    return (await who.call('POST', '/api/webhooks', { name: `W ${Math.random()}`, ...body })).body;
  }

  async function send(url: string, body: unknown): Promise<string> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 200, await answer.clone().text());
    await t.settle();
    return ((await answer.json()) as { service_request_id: string }).service_request_id;
  }

  /** Sends a moment in our own format and returns its id. */
  async function moment(body: Record<string, unknown>, url = custom.url): Promise<string> {
    const { moments } = (await t.status(await send(url, { type: 'alert', ...body }))) as unknown as {
      moments: { id: string }[];
    };
    return moments[0]?.id ?? '';
  }

  const group = (status: string, startsAt: string, key = 'k') => ({
    ...{ version: '4', groupKey: key, status, groupLabels: {}, commonLabels: {}, commonAnnotations: {} },
    ...{ externalURL: 'http://am', truncatedAlerts: 0 },
    alerts: [
      { status, startsAt, endsAt: '0001-01-01T00:00:00Z', labels: { alertname: 'Latency' }, annotations: {} },
    ],
  });

  const find = async (query: string, who = ada): Promise<string[]> => {
    const { status, body } = await who.call('GET', `/api/moments?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.moments.map(({ name }: { name: string }) => name);
  };
  const act = (id: string, what: string, body: unknown = {}, who = ada, method = 'POST') =>
    who.call(method, `/api/moments/${id}/${what}`, body);

  it('are listed by the time at which they occurred if they are between two times, each once', async () => {
    // They are recorded in this order. Two have the same time, and the last two are outside.
    const days = [
      '2025-03-03',
      '2025-03-01',
      '2025-03-04',
      '2025-03-02',
      '2025-03-02',
      '2025-04-01',
      '2025-02-28',
    ];
    for (const [index, day] of days.entries())
      await moment({
        name: `March ${index}`,
        occurred_at: `${day}T10:00:00Z`,
        source: index % 2 ? 'odd' : 'even',
      });
    const listed = async (more: string) => {
      const names: string[] = [];
      let before = '';
      for (let pages = 0; pages < days.length; pages++) {
        const path = `/api/moments?limit=2&from=2025-03-01T00:00:00Z&to=2025-04-01T00:00:00Z${more}${before}`;
        const { body } = await ada.call('GET', path);
        names.push(...body.moments.map(({ name }: { name: string }) => name));
        if (!body.has_more) return names;
        before = `&before=${body.moments.at(-1).id}`;
      }
      throw new Error('the list does not end');
    };
    const ordered = ['March 2', 'March 0', 'March 4', 'March 3', 'March 1'];
    assert.deepEqual(await listed(''), ordered);
    assert.deepEqual(await listed('&text=march'), ordered);
    assert.deepEqual(await listed('&source=odd'), ['March 3', 'March 1']);
    assert.deepEqual(await listed('&state=open'), ordered);
    await t.db.deleteFrom('moments').where('name', 'like', 'March %').execute();
  });

  it('are found by words, type, priority, state, team, source and time', async () => {
    const web = await make(linus, { team: 'web', type: 'custom' });
    await moment({
      name: 'Disk of db-1.example.com:9100 is full',
      source: 'Probes',
      occurred_at: '2026-01-05T10:00:00Z',
    });
    await moment({
      name: 'Login slow',
      type: 'incident',
      description: "The *checkout's* disks spin",
      source: 'probes',
    });
    const near = await moment({ name: 'Nearly deleted it all', type: 'near-miss' }, web.url);
    const headers = { authorization: `Bearer ${t.acme.key}`, 'content-type': 'application/json' };
    await fetch(custom.url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'Certificate', type: 'Alert', priority: 'high' }),
    });
    await t.settle();
    await act(near, 'resolve', {}, linus);

    assert.deepEqual(await find(''), [
      'Certificate',
      'Nearly deleted it all',
      'Login slow',
      'Disk of db-1.example.com:9100 is full',
    ]);
    assert.deepEqual(await find('text=DISK'), ['Login slow', 'Disk of db-1.example.com:9100 is full']);
    assert.deepEqual(await find('text=example+ful'), ['Disk of db-1.example.com:9100 is full']);
    assert.deepEqual(await find('text=db-1'), ['Disk of db-1.example.com:9100 is full']);
    assert.deepEqual(await find(`text=${encodeURIComponent("checkout's")}`), ['Login slow']);
    for (const nothing of [
      'text=isk',
      'text=!!',
      `text=${encodeURIComponent("Login' | 'Certificate")}`,
      'text=type',
      'text=source',
      'text=prio',
    ])
      assert.deepEqual(await find(nothing), [], nothing);
    assert.deepEqual(await find('type=near-miss,incident'), ['Nearly deleted it all', 'Login slow']);
    assert.deepEqual(await find('type=near-miss&type=page'), ['Nearly deleted it all']);
    assert.deepEqual(await find('priority=high'), ['Certificate']);
    assert.deepEqual(await find('state=open,acknowledged&team=web'), []);
    assert.deepEqual(await find('state=resolved'), ['Nearly deleted it all']);
    assert.deepEqual(await find('team=WEB'), ['Nearly deleted it all']);
    assert.deepEqual(await find('source=PROBES&type=alert'), ['Disk of db-1.example.com:9100 is full']);
    assert.deepEqual(await find('to=2026-02-01T00:00:00Z'), ['Disk of db-1.example.com:9100 is full']);
    assert.equal((await find('from=2026-01-05T10:00:01Z')).length, 3);
    assert.equal((await find(`webhook=${custom.id}`)).length, 3);

    const first = await ada.call('GET', '/api/moments?limit=3');
    assert.equal(first.body.has_more, true);
    assert.deepEqual(await find(`limit=3&before=${first.body.moments[2].id}`), [
      'Disk of db-1.example.com:9100 is full',
    ]);
    const wrong = await ada.call('GET', '/api/moments?type=fire&state=gone&from=monday&limit=x');
    assert.deepEqual(wrong.body.details.map(({ field }: { field: string }) => field).sort(), [
      'from',
      'limit',
      'state[0]',
      'type[0]',
    ]);
    assert.equal((await ada.call('GET', '/api/moments?team=ops')).status, 400);
  });

  it('are found by who acknowledged or resolved them, each once', async () => {
    const web = await make(linus, { team: 'web', type: 'custom' });
    const both = await moment({ name: 'Seen and done' });
    await act(both, 'acknowledge');
    await act(both, 'resolve');
    await act(await moment({ name: 'Of Linus' }, web.url), 'resolve', {}, linus);
    await act(await moment({ name: 'Seen only' }), 'acknowledge');
    await act(await moment({ name: 'Done only' }), 'resolve');
    await moment({ name: 'Untouched' });
    const [byAda, byLinus] = [`person=${t.acme.users.ada}`, `person=${t.acme.users.linus}`];
    assert.deepEqual((await find(byAda)).slice(0, 3), ['Done only', 'Seen only', 'Seen and done']);
    assert.equal((await find(byLinus))[0], 'Of Linus');
    assert.deepEqual(await find(`${byAda}&text=only&state=acknowledged`), ['Seen only']);
    assert.deepEqual(await find(`${byAda}&type=alert&text=done`), ['Done only', 'Seen and done']);
    const { body } = await ada.call('GET', `/api/moments?${byAda}&limit=2`);
    assert.equal(body.has_more, true);
    assert.equal((await find(`${byAda}&limit=1&before=${body.moments[1].id}`))[0], 'Seen and done');
    const eve = await signIn({ ...t, acme: others }, 'eve');
    assert.deepEqual(await find(byAda, eve), []);
  });

  it('show the calls about them', async () => {
    const request = await send(alerts.url, group('firing', '2026-11-20T05:00:00Z'));
    await send(alerts.url, group('firing', '2026-11-20T05:00:00Z'));
    const [{ id }] = (await ada.call('GET', `/api/moments?webhook=${alerts.id}`)).body.moments;
    const { body } = await linus.call('GET', `/api/moments/${id}`);
    assert.deepEqual([body.moment.state, body.moment.may_act], ['open', false]);
    assert.equal(body.moment.webhook.id, alerts.id);
    assert.equal(body.notifications.length, 2);
    assert.equal(body.notifications[1].request_id, request);
    const shown = await ada.call('GET', `/api/notifications/${body.notifications[0].id}`);
    assert.deepEqual(
      shown.body.moments.map((one: { id: string }) => one.id),
      [id],
    );
  });

  it('are acknowledged and resolved by people of the team, once', async () => {
    const id = await moment({ name: 'Disk full' });
    assert.equal((await act(id, 'acknowledge', {}, linus)).status, 403);
    const first = (await act(id, 'acknowledge')).body;
    assert.deepEqual(
      [first.changed, first.moment.state, first.moment.acknowledged_by.name],
      [true, 'acknowledged', 'Ada'],
    );
    const second = (await act(id, 'acknowledge')).body;
    assert.deepEqual([second.changed, second.message], [false, 'Ada has acknowledged it already.']);
    const done = (await act(id, 'resolve')).body;
    assert.deepEqual(
      [done.changed, done.moment.state, done.moment.resolved_by.name],
      [true, 'resolved', 'Ada'],
    );
    assert.match(done.moment.resolved_at, /Z$/);
    assert.equal((await act(id, 'resolve')).body.changed, false);
    assert.match((await act(id, 'acknowledge')).body.message, /resolved already/);
  });

  it('stay resolved if their sender repeats itself, and a newer event is a new moment', async () => {
    const webhook = await make(ada, { team: 'sre', type: 'alertmanager' });
    const states = async () =>
      (await ada.call('GET', `/api/moments?webhook=${webhook.id}`)).body.moments.map(
        ({ state }: { state: string }) => state,
      );
    await send(webhook.url, group('firing', '2026-11-20T05:00:00Z'));
    const [{ id }] = (await ada.call('GET', `/api/moments?webhook=${webhook.id}`)).body.moments;
    await act(id, 'acknowledge');
    await send(webhook.url, group('firing', '2026-11-20T05:00:00Z'));
    assert.deepEqual(await states(), ['acknowledged'], 'a repetition takes nothing back');
    await act(id, 'resolve');
    await send(webhook.url, group('firing', '2026-11-20T05:00:00Z'));
    assert.deepEqual(await states(), ['resolved']);
    await send(webhook.url, group('firing', '2026-11-20T05:30:00Z'));
    assert.deepEqual(await states(), ['open', 'resolved']);
  });

  it('have comments and pages that somebody links', async () => {
    const id = await moment({ name: 'Disk full' });
    const { page } = await t.status(await t.page('person', 'ada@example.com', { title: 'Look at the disk' }));
    await t.notified('ada');
    assert.equal((await act(id, 'comments', { text: 'hm' }, linus)).status, 403);
    assert.equal((await act(id, 'comments', { text: ' ' })).status, 400);
    assert.equal((await act(id, 'comments', { text: 'Deleted *old* logs.' })).status, 200);
    assert.equal((await act(id, 'pages', { page: page.id })).body.changed, true);
    assert.equal((await act(id, 'pages', { page: page.id })).body.changed, false);
    const unknown = await act(id, 'pages', { page: 'page_x' });
    assert.match(unknown.body.details[0].message, /"page_x", which is not a page of your organization/);
    const { body } = await ada.call('GET', `/api/moments/${id}`);
    assert.deepEqual(
      body.comments.map(({ text, by }: { text: string; by: { name: string } }) => [text, by.name]),
      [['Deleted *old* logs.', 'Ada']],
    );
    assert.deepEqual(
      body.pages.map(({ title, linked_by }: { title: string; linked_by: { name: string } }) => [
        title,
        linked_by.name,
      ]),
      [['Look at the disk', 'Ada']],
    );
    assert.equal((await act(id, `pages/${page.id}`, {}, ada, 'DELETE')).body.changed, true);
    assert.equal((await act(id, `pages/${page.id}`, {}, ada, 'DELETE')).body.changed, false);
    assert.deepEqual((await ada.call('GET', `/api/moments/${id}`)).body.pages, []);
  });

  it('are hidden from other organizations', async () => {
    const id = await moment({ name: 'Secret' });
    const as = (method: string, path: string) =>
      fetch(t.url + path, { method, headers: { authorization: `Bearer ${others.key}` } });
    assert.equal((await as('GET', `/api/moments/${id}`)).status, 404);
    assert.equal((await as('POST', `/api/moments/${id}/resolve`)).status, 404);
    assert.deepEqual(await (await as('GET', '/api/moments?text=Secret')).json(), {
      moments: [],
      has_more: false,
    });
    assert.equal((await as('GET', `/api/moments?webhook=${custom.id}`)).status, 200);
  });
});
