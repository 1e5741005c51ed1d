import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Organization, seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

describe('webhooks in the dashboard', () => {
  let t: Story;
  /** An owner, a manager of the team sre, its member, and a person without a team. */
  let ada: SignedIn;
  let grace: SignedIn;
  let alan: SignedIn;
  let linus: SignedIn;
  let others: Organization;

  before(async () => {
    t = await story({
      organization: {
        people: { ada: {}, grace: {}, alan: {}, linus: {} },
        teams: { sre: { members: ['grace', 'alan'] }, web: { members: ['alan'] } },
      },
    });
    await t.db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', t.acme.users.ada ?? '')
      .execute();
    await t.db
      .updateTable('team_members')
      .set({ role: 'manager' })
      .where('user_id', '=', t.acme.users.grace ?? '')
      .execute();
    [ada, grace, alan, linus] = [
      await signIn(t, 'ada'),
      await signIn(t, 'grace'),
      await signIn(t, 'alan'),
      await signIn(t, 'linus'),
    ];
    others = await seedOrganization(t, { people: { eve: {} }, teams: { sre: { members: ['eve'] } } }, 'Evil');
  });
  after(() => t.end());

  let names = 0;
  async function make(body: Record<string, unknown> = {}, who = grace) {
    const whole = { team: 'sre', name: `Webhook ${++names}`, type: 'custom', ...body };
    const answer = await who.call('POST', '/api/webhooks', whole);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  }

  const send = (url: string, body: unknown = { name: 'Disk full', type: 'alert' }) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  /** Known tokens are cached for half a second. */
  const outliveTokenCache = () => new Promise((resolve) => setTimeout(resolve, 550));

  const audited = async (id: string) =>
    (await t.db.selectFrom('audit_log').selectAll().where('subject', '=', id).orderBy('id').execute()).map(
      ({ action, user_id }) => [action, user_id],
    );

  it('are made by owners and managers of the team, with a URL that works at once', async () => {
    const made = await make({ name: ' Probes ', signing_secret: null, expires_at: null });
    assert.equal(made.name, 'Probes');
    assert.match(made.url, new RegExp(`^${t.url}/moment/[\\w-]{43}$`));
    assert.deepEqual([made.team.slug, made.created_by.name, made.may_manage], ['sre', 'Grace', true]);
    assert.equal((await send(made.url)).status, 200);
    assert.deepEqual(await audited(made.id), [['webhook.create', t.acme.users.grace]]);
    await make({ team: 'web', type: 'alertmanager' }, ada);
    for (const who of [alan, linus]) {
      const refused = await who.call('POST', '/api/webhooks', { team: 'sre', name: 'x', type: 'custom' });
      assert.equal(refused.status, 403);
      assert.match(refused.body.details[0].message, /managers, admins and owners/);
    }
    const elsewhere = await grace.call('POST', '/api/webhooks', { team: 'web', name: 'x', type: 'custom' });
    assert.equal(elsewhere.status, 403, 'a manager of one team manages no other');
  });

  it('are refused with every problem', async () => {
    const refused = await ada.call('POST', '/api/webhooks', {
      team: 'sre',
      name: ' ',
      type: 'alertmanager',
      expires_at: '2020-01-01T00:00:00Z',
      signing_secret: 'hush',
      settings: { priorities: { P1: 'urgent' }, filter: {} },
    });
    assert.equal(refused.status, 400);
    assert.deepEqual(
      refused.body.details.map(({ field }: { field: string }) => field),
      ['name', 'expires_at', 'signing_secret', 'settings.priorities.P1', 'settings.filter'],
    );
    const noTeam = await ada.call('POST', '/api/webhooks', { team: 'ops', name: 'x', type: 'custom' });
    assert.match(noTeam.body.details[0].message, /is "ops", which is not a team of your organization/);
    const made = await make();
    const taken = await ada.call('POST', '/api/webhooks', { team: 'sre', name: made.name, type: 'custom' });
    assert.equal(taken.status, 409);
  });

  it('show URL and secret only to people who may manage the team', async () => {
    const made = await make({ signing_secret: SECRET });
    const path = `/api/webhooks/${made.id}`;
    for (const who of [ada, grace]) {
      const { body } = await who.call('GET', path);
      assert.deepEqual([body.url, body.signing_secret, body.may_manage], [made.url, SECRET, true]);
    }
    for (const who of [alan, linus]) {
      const { status, body } = await who.call('GET', path);
      assert.equal(status, 200);
      assert.deepEqual(
        [body.url, body.signing_secret, body.signed, body.may_manage],
        [null, null, true, false],
      );
      const token = made.url.split('/').at(-1);
      const listed = JSON.stringify((await who.call('GET', '/api/webhooks?team=sre')).body);
      assert.ok(!listed.includes(token) && !listed.includes(SECRET));
    }
    const list = (await ada.call('GET', '/api/webhooks')).body.webhooks;
    assert.equal(list[0].id, made.id, 'newest first');
    assert.equal('signing_secret' in list[0], false);
    assert.equal((await ada.call('GET', '/api/webhooks?team=web')).body.webhooks.length, 1);
  });

  it('are hidden from other organizations', async () => {
    const made = await make();
    const eve = await signIn({ ...t, acme: others }, 'eve');
    await t.db.updateTable('users').set({ role: 'owner' }).where('organization_id', '=', others.id).execute();
    const calls: [string, string, unknown?][] = [
      ['GET', ''],
      ['PATCH', '', { name: 'mine' }],
      ['POST', '/rotate', {}],
      ['DELETE', '', {}],
    ];
    for (const [method, rest, body] of calls) {
      const answer = await eve.call(method, `/api/webhooks/${made.id}${rest}`, body);
      assert.equal(answer.status, 404, `${method} ${rest}`);
    }
    assert.equal((await send(made.url)).status, 200);
  });

  it('change name, secret, expiry and settings independently', async () => {
    const made = await make({ type: 'custom', signing_secret: SECRET });
    const change = (body: unknown, who = grace) => who.call('PATCH', `/api/webhooks/${made.id}`, body);
    assert.equal((await send(made.url)).status, 401, 'not signed');
    const unsigned = await change({ signing_secret: null });
    assert.deepEqual([unsigned.status, unsigned.body.signed, unsigned.body.name], [200, false, made.name]);
    await outliveTokenCache();
    assert.equal((await send(made.url)).status, 200);

    const later = new Date(Date.now() + 60_000).toISOString();
    assert.equal((await change({ name: 'Renamed', expires_at: later })).body.expires_at, later);
    t.clock.advance({ minutes: 2 });
    await outliveTokenCache();
    assert.equal((await send(made.url)).status, 410);
    const stillExpired = await change({ name: 'Renamed again' });
    assert.deepEqual([stillExpired.body.expired, stillExpired.body.name], [true, 'Renamed again']);
    assert.equal((await change({ expires_at: null })).body.expired, false);
    assert.equal((await send(made.url)).status, 200);

    const wrong = await change({ name: '', expires_at: '2020-01-01T00:00:00Z', settings: { type: 'alert' } });
    assert.deepEqual(
      wrong.body.details.map(({ field }: { field: string }) => field),
      ['name', 'expires_at', 'settings.type'],
    );
    const malformed = await change({ expires_at: 'tomorrow', signing_secret: 7 });
    assert.match(
      JSON.stringify(malformed.body.details),
      /expires_at.*ISO 8601.*signing_secret.*a secret, or null/,
    );
    assert.equal((await change({ name: (await make()).name })).status, 409);
    assert.equal((await change({ name: 'x' }, alan)).status, 403);
    assert.deepEqual(
      (await audited(made.id)).map(([action]) => action),
      ['webhook.create', 'webhook.change', 'webhook.change', 'webhook.change', 'webhook.change'],
    );
  });

  it('use their settings for later calls', async () => {
    const settings = {
      type: 'incident',
      priorities: { warning: 'low' },
      near_miss: { keywords: ['nearly'] },
    };
    const made = await make({ type: 'alertmanager', settings });
    assert.deepEqual((await linus.call('GET', `/api/webhooks/${made.id}`)).body.settings, settings);
    const group = (key: string, summary: string) => ({
      ...{ version: '4', groupKey: key, status: 'firing', groupLabels: {}, commonLabels: {} },
      ...{ commonAnnotations: {}, externalURL: 'http://am', truncatedAlerts: 0 },
      alerts: [
        {
          status: 'firing',
          startsAt: '2026-11-20T05:00:00Z',
          labels: { alertname: 'A', severity: 'warning' },
          annotations: { summary },
        },
      ],
    });
    await send(made.url, group('1', 'Disk full'));
    await send(made.url, group('2', 'Disk nearly full'));
    await t.settle();
    const moments = await t.db
      .selectFrom('moments')
      .select(['name', 'type', 'priority'])
      .where('webhook_id', '=', made.id)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      moments.map(({ name, type, priority }) => [name, type, priority]),
      [
        ['Disk full', 'incident', 'low'],
        ['Disk nearly full', 'near-miss', 'low'],
      ],
    );
  });

  it('have no former URL that works once one of them was ended at once', async () => {
    const made = await make();
    const rotate = async (body: unknown) =>
      (await grace.call('POST', `/api/webhooks/${made.id}/rotate`, body)).body;
    const second = await rotate({});
    assert.equal((await send(made.url)).status, 200, 'until its date');
    const third = await rotate({ old_until: null });
    await outliveTokenCache();
    assert.deepEqual(
      [(await send(made.url)).status, (await send(second.url)).status, (await send(third.url)).status],
      [410, 404, 200],
    );
    assert.deepEqual(third.former_urls, []);
  });

  it('get a new URL while the old one works until its date, and show that it is still used', async () => {
    const made = await make();
    const rotate = (body: unknown, who = grace) => who.call('POST', `/api/webhooks/${made.id}/rotate`, body);
    assert.equal((await rotate({}, alan)).status, 403);
    const past = await rotate({ old_until: '2020-01-01T00:00:00Z' });
    assert.match(past.body.details[0].message, /which is past; give a later time, or null/);

    const rotated = (await rotate({})).body;
    assert.notEqual(rotated.url, made.url);
    const [former] = rotated.former_urls;
    const overlap = Date.parse(former.ends_at) - Number((await t.clock.now(t.db)).epochMilliseconds);
    assert.ok(Math.abs(overlap - 7 * 86_400_000) < 10_000);
    assert.equal(former.last_used_at, null);
    for (const url of [rotated.url, made.url]) assert.equal((await send(url)).status, 200);
    await t.app.duties.runAll();
    const used = (await grace.call('GET', `/api/webhooks/${made.id}`)).body;
    assert.match(used.former_urls[0].last_used_at, /Z$/);
    assert.match(used.last_used_at, /Z$/);

    t.clock.advance({ hours: 24 * 7 + 1 });
    await outliveTokenCache();
    assert.equal((await send(made.url)).status, 410);
    assert.equal((await send(rotated.url)).status, 200);

    const again = (
      await (await signIn(t, 'grace')).call('POST', `/api/webhooks/${made.id}/rotate`, { old_until: null })
    ).body;
    await outliveTokenCache();
    assert.equal((await send(rotated.url)).status, 404, 'ended at once');
    assert.equal((await send(again.url)).status, 200);
    assert.deepEqual(again.former_urls, []);
    t.clock.advance({ hours: 24 * 31 });
    await t.app.duties.runAll();
    assert.deepEqual(await t.db.selectFrom('webhook_former_tokens').selectAll().execute(), []);
  });

  it('are created by API keys with full access, which see only the new URL', async () => {
    const body = { team: 'sre', name: 'By program', type: 'custom' };
    const made = await t.post('/api/webhooks', body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.equal((await send(String(made.body.url))).status, 200);
    const path = `/api/webhooks/${made.body.id}`;
    await grace.call('PATCH', path, { signing_secret: SECRET });
    const shown = (await t.get(path)).body;
    assert.deepEqual([shown.url, shown.signing_secret, shown.secrets_hidden], [null, null, true]);
    const rotated = (await t.post(`${path}/rotate`, { old_until: null })).body;
    assert.match(String(rotated.url), /\/moment\//);
    assert.notEqual(rotated.url, made.body.url);
    assert.equal(rotated.signing_secret, null);
  });

  it('end when they are revoked, former URLs included, and their name is free again', async () => {
    const [manager, member] = [await signIn(t, 'grace'), await signIn(t, 'alan')];
    const made = await make({}, manager);
    const rotated = (await manager.call('POST', `/api/webhooks/${made.id}/rotate`, {})).body;
    assert.equal((await member.call('DELETE', `/api/webhooks/${made.id}`)).status, 403);
    assert.deepEqual((await manager.call('DELETE', `/api/webhooks/${made.id}`)).body, { revoked: true });
    await outliveTokenCache();
    for (const url of [made.url, rotated.url]) assert.equal((await send(url)).status, 404);
    assert.equal((await manager.call('GET', `/api/webhooks/${made.id}`)).status, 404);
    assert.equal((await manager.call('DELETE', `/api/webhooks/${made.id}`)).status, 404);
    await make({ name: made.name }, manager);
    assert.deepEqual(
      (await audited(made.id)).map(([action]) => action),
      ['webhook.create', 'webhook.rotate', 'webhook.revoke'],
    );
  });

  it('have listed types, which show whether their senders sign', async () => {
    const { integrations } = (await (await signIn(t, 'linus')).call('GET', '/api/integrations')).body;
    const signs = new Map(integrations.map(({ name, signs }: Record<string, unknown>) => [name, signs]));
    assert.deepEqual([signs.get('custom'), signs.get('alertmanager')], [true, false]);
  });

  it('accept senders that send a secret instead of signing, and do not store it', async () => {
    const manager = await signIn(t, 'grace');
    const secret = 'a-shared-token';
    const made = await make({ type: 'gitlab', signing_secret: secret }, manager);
    const issue = {
      object_kind: 'issue',
      object_attributes: { id: 1, iid: 1, title: 'Down', action: 'open' },
    };
    assert.equal((await send(made.url, issue)).status, 401);
    const headers = { 'content-type': 'application/json', 'x-gitlab-token': secret };
    const answer = await fetch(made.url, { method: 'POST', headers, body: JSON.stringify(issue) });
    assert.equal(answer.status, 200);
    const kept = await t.db
      .selectFrom('received_notifications')
      .select(['headers', 'authentic'])
      .where('webhook_id', '=', made.id)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      kept.map(({ authentic }) => authentic),
      [false, true],
    );
    assert.equal(JSON.stringify(kept).includes(secret), false);
  });
});
