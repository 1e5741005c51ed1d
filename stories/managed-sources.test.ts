import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { LOCK } from '../src/db/advisory-locks.ts';
import { sealingOf } from '../src/installation/secrets.ts';
import { DIALECTS } from '../src/sources/contract.ts';
import { createHashKey } from '../src/sources/key.ts';
import { SOURCE_TYPES } from '../src/sources/source.ts';
import { findSourceByKey } from '../src/webhooks/store.ts';
import { commandsHere, refused } from '../testing/commands.ts';
import { confirmSessions, type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const rule = (match: string[], then: object) => ({ match, then });

const SIGNING_SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const PAGERDUTY_KEY = '0123456789abcdef0123456789abcdef';

describe('page sources', () => {
  let t: Story;
  /** An owner, a manager of the team sre, and its member. */
  let ada: SignedIn;
  let grace: SignedIn;
  let alan: SignedIn;

  before(async () => {
    t = await story({
      organization: {
        people: { ada: {}, grace: {}, alan: {} },
        teams: { sre: { members: ['grace', 'alan'] }, web: { members: ['alan'] } },
      },
    });
    const { users } = t.acme;
    await t.db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', users.ada ?? '')
      .execute();
    const manager = t.db.updateTable('team_members').set({ role: 'manager' });
    await manager.where('user_id', '=', users.grace ?? '').execute();
    [ada, grace, alan] = [await signIn(t, 'ada'), await signIn(t, 'grace'), await signIn(t, 'alan')];
  });
  after(() => t.end());

  let names = 0;
  async function make(body: Record<string, unknown> = {}, who = grace) {
    const whole = { team: 'sre', name: `Source ${++names}`, type: 'custom', ...body };
    const answer = await who.call('POST', '/api/sources', whole);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  }

  async function problems(body: Record<string, unknown>): Promise<string[]> {
    const whole = { team: 'sre', name: `Source ${++names}`, type: 'custom', ...body };
    const answer = await ada.call('POST', '/api/sources', whole);
    assert.equal(answer.status, 400, JSON.stringify(answer.body));
    return answer.body.details.map(({ message }: { message: string }) => message);
  }

  const keysOf = (id: string) =>
    t.db
      .selectFrom('page_sources')
      .select(['key_hash', 'key_last4'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

  it('are made by owners and managers of the team', async () => {
    const made = await make({ name: ' Probes ' });
    assert.match(made.id, /^source_/);
    assert.equal(made.name, 'Probes');
    assert.match(made.url, new RegExp(`^${t.url}/page/[\\w-]{43}$`));
    assert.deepEqual([made.key, made.key_last4, made.interval_minutes], [null, null, null]);
    assert.match((await make({ type: 'alertmanager' })).url, /\/page\/[\w-]{43}\/alertmanager$/);
    const refused = await alan.call('POST', '/api/sources', { team: 'sre', name: 'x', type: 'custom' });
    assert.equal(refused.status, 403);
    const log = t.db.selectFrom('audit_log').select(['action', 'user_id']).where('subject', '=', made.id);
    assert.deepEqual(await log.execute(), [{ action: 'source.create', user_id: t.acme.users.grace }]);
  });

  it('can be of every type', async () => {
    for (const type of SOURCE_TYPES)
      await make({ type, ...(type === 'heartbeat' ? { interval_minutes: 5 } : {}) });
  });

  it('are created by API keys with full access, which see only the new URL', async () => {
    const made = await t.post('/api/sources', { team: 'sre', name: 'By program', type: 'custom' });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.match(String(made.body.url), /\/page\//);
    const shown = await t.get(`/api/sources/${made.body.id}`);
    assert.deepEqual([shown.status, shown.body.url, shown.body.secrets_hidden], [200, null, true]);
    await grace.call('PATCH', `/api/sources/${made.body.id}`, { signing_secret: SIGNING_SECRET });
    const rotated = await t.post(`/api/sources/${made.body.id}/rotate`, { old_until: null });
    assert.match(String(rotated.body.url), /\/page\//);
    assert.notEqual(rotated.body.url, made.body.url);
    assert.equal(rotated.body.signing_secret, null);
  });

  it('have their own lists, and names independent of webhooks', async () => {
    const made = await make({ name: 'Prometheus' });
    const webhook = await grace.call('POST', '/api/webhooks', {
      team: 'sre',
      name: 'Prometheus',
      type: 'custom',
    });
    assert.equal(webhook.status, 201, JSON.stringify(webhook.body));
    const idsIn = async (list: 'sources' | 'webhooks') =>
      (await grace.call('GET', `/api/${list}?team=sre`)).body[list].map(({ id }: { id: string }) => id);
    assert.ok((await idsIn('sources')).includes(made.id));
    assert.deepEqual(await idsIn('webhooks'), [webhook.body.id]);
    assert.equal((await grace.call('GET', `/api/webhooks/${made.id}`)).status, 404);
    assert.equal((await grace.call('GET', `/api/sources/${webhook.body.id}`)).status, 404);
    const again = await grace.call('POST', '/api/sources', {
      team: 'sre',
      name: 'prometheus',
      type: 'custom',
    });
    assert.equal(again.status, 409);
    assert.match(again.body.details[0].message, /is taken by another source of this team/);
  });

  it('are refused with every problem', async () => {
    const wrong = await problems({
      name: ' ',
      type: 'alertmanager',
      key: PAGERDUTY_KEY,
      interval_minutes: 5,
      expires_at: '2020-01-01T00:00:00Z',
      settings: { wait_minuts: 5, urgencies: { P1: 'urgent' }, rules: [rule([], {})] },
    });
    assert.deepEqual(
      wrong.map((line) => line.split(' ')[0]),
      [
        'name',
        'expires_at',
        'key',
        'interval_minutes',
        'settings.wait_minuts',
        'settings.urgencies.P1',
        'settings.rules[0].match',
        'settings.rules[0].then',
      ],
    );
    assert.match(
      wrong.join('\n'),
      /^settings\.wait_minuts is not a setting; did you mean wait_minutes\?\.?$/m,
    );
    assert.match(
      (await problems({ type: 'pigeon' })).join(),
      /^type is "pigeon", which is not a type of source/,
    );
    assert.match(
      (await problems({ type: 'heartbeat' })).join(),
      /^interval_minutes is missing; give a whole number/,
    );
    for (const interval_minutes of [0, 1.5, 44_641])
      assert.match((await problems({ type: 'heartbeat', interval_minutes })).join(), /out of range/);
    assert.match(
      (await problems({ type: 'pagerduty-events', key: 'too short' })).join(),
      /^key does not have the format of a key of pagerduty-events; give the integration key from PagerDuty/,
    );
    const rules = [rule(['a=b'], { team: 'wbe' }), rule(['a=c'], { person: 'nobody@example.com' })];
    assert.deepEqual(await problems({ settings: { rules } }), [
      'settings.rules[0].then.team is "wbe", which is not a team of your organization; give the slug of a team.',
      'settings.rules[1].then.person is "nobody@example.com", who is not in your organization; give the email address of a person.',
    ]);
    await make({
      settings: { rules: [rule(['a=b'], { team: 'WEB' }), rule(['a=c'], { person: 'Ada@example.com' })] },
    });
  });

  it('change', async () => {
    const { id } = await make({ type: 'heartbeat', interval_minutes: 5 });
    const change = (body: unknown) => grace.call('PATCH', `/api/sources/${id}`, body);
    const changed = await change({ name: 'Backup', interval_minutes: 60, settings: { on_resolve: 'keep' } });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    const { body } = await grace.call('GET', `/api/sources/${id}`);
    assert.deepEqual(
      [body.name, body.interval_minutes, body.settings],
      ['Backup', 60, { on_resolve: 'keep' }],
    );
    assert.equal((await change({ settings: { on_resolve: 'close' } })).status, 400);
    assert.equal((await change({ settings: { on_resolved: null } })).status, 400);
    assert.equal((await change({ interval_minutes: 0 })).status, 400);
    assert.equal((await alan.call('PATCH', `/api/sources/${id}`, { name: 'x' })).status, 403);
    const expiring = await change({ expires_at: '2099-01-01T00:00:00Z' });
    assert.equal(expiring.body.expires_at, '2099-01-01T00:00:00.000Z');
  });

  it('keep settings that a change leaves out, and lose those that are null', async () => {
    const { id } = await make({ settings: { wait_minutes: 5, on_resolve: 'keep' } });
    const change = async (settings: unknown) =>
      (await grace.call('PATCH', `/api/sources/${id}`, { settings })).body.settings;
    const rules = [rule(['a=b'], { team: 'web' })];
    assert.deepEqual(await change({ rules }), { wait_minutes: 5, on_resolve: 'keep', rules });
    assert.deepEqual(await change({ wait_minutes: null }), { on_resolve: 'keep', rules });
    assert.deepEqual(await change({}), { on_resolve: 'keep', rules });
    assert.deepEqual(await change({ rules: null, on_resolve: null, hours: null }), {});
  });

  it('accept settings only inside settings, with a clear refusal', async () => {
    const { id } = await make();
    const stray =
      'wait_minutes is a setting and has no effect here; give it inside settings, as in {"settings": {"wait_minutes": …}}.';
    assert.deepEqual(await problems({ wait_minutes: 5 }), [stray]);
    const changed = await grace.call('PATCH', `/api/sources/${id}`, { wait_minutes: 5, hours: null });
    assert.equal(changed.status, 400);
    assert.deepEqual(
      changed.body.details.map(({ field }: { field: string }) => field),
      ['wait_minutes', 'hours'],
    );
  });

  it('have types, each with the severities of its senders and their urgencies', async () => {
    const { types } = (await alan.call('GET', '/api/sources/types')).body;
    assert.deepEqual(
      types.map(({ name }: { name: string }) => name),
      SOURCE_TYPES,
    );
    const shown = (name: string) => types.find((one: { name: string }) => one.name === name);
    assert.deepEqual(shown('zabbix').urgencies.slice(0, 4), [
      { word: 'Disaster', urgency: 'high' },
      { word: 'High', urgency: 'high' },
      { word: 'Average', urgency: 'medium' },
      { word: 'Warning', urgency: 'low' },
    ]);
    assert.deepEqual(
      [shown('opsgenie-api').way, shown('github').way, shown('github').signs],
      ['key', 'url', true],
    );
  });

  describe('with a key', () => {
    it('show it once, and keep a hash and its last characters', async () => {
      for (const type of DIALECTS) {
        const made = await make({ type });
        assert.equal(made.url, null);
        assert.equal(made.key_last4, made.key.slice(-4));
        const shown = await grace.call('GET', `/api/sources/${made.id}`);
        assert.ok(!JSON.stringify(shown.body).includes(made.key), type);
        const stored = await keysOf(made.id);
        assert.deepEqual(stored.key_hash, await createHashKey(t.db, t.sealing)(made.key));
      }
    });

    it('accept the key of the old system once', async () => {
      const { id, key } = await make({ type: 'pagerduty-events', key: PAGERDUTY_KEY });
      assert.equal(key, PAGERDUTY_KEY);
      const twice = { team: 'sre', name: 'Twice', type: 'pagerduty-events', key: PAGERDUTY_KEY };
      const answer = await grace.call('POST', '/api/sources', twice);
      assert.equal(answer.status, 409);
      assert.match(answer.body.details[0].message, /belongs to another source/);
      assert.equal((await grace.call('DELETE', `/api/sources/${id}`)).status, 200);
      await make({ type: 'pagerduty-events', key: PAGERDUTY_KEY });
    });

    it('are found by it, and by the former one until that ends', async () => {
      const { id, key } = await make({ type: 'goalert' });
      const find = async (presented: string) => {
        const hash = (await createHashKey(t.db, t.sealing)(presented)) ?? assert.fail('there is a pepper');
        const found = await findSourceByKey(t.db, t.clock, hash);
        return found && [found.id, found.refusal, found.former];
      };
      assert.deepEqual(await find(key), [id, null, false]);
      assert.equal(await find(`${key}x`), null);
      const rotated = await grace.call('POST', `/api/sources/${id}/rotate`, {});
      assert.deepEqual(
        [await find(key), await find(rotated.body.key)],
        [
          [id, null, true],
          [id, null, false],
        ],
      );
      t.clock.advance({ days: 8 });
      await confirmSessions(t);
      assert.deepEqual(await find(key), [id, 'former_url', true]);
      await grace.call('DELETE', `/api/sources/${id}`);
      const revoked = [id, 'revoked', true];
      assert.deepEqual([await find(key), await find(rotated.body.key)], [revoked, revoked]);
    });

    it('lose all former ones when they get another one at once', async () => {
      const { id, key } = await make({ type: 'goalert' });
      const path = `/api/sources/${id}/rotate`;
      const second = await grace.call('POST', path, {});
      const third = await grace.call('POST', path, { old_until: null });
      const refusals = [key, second.body.key, third.body.key].map(async (presented) => {
        const hash = (await createHashKey(t.db, t.sealing)(presented)) ?? assert.fail('there is a pepper');
        return (await findSourceByKey(t.db, t.clock, hash))?.refusal;
      });
      assert.deepEqual(await Promise.all(refusals), ['former_url', 'former_url', null]);
    });

    it('get another one, generated or given, and keep the former one for a while', async () => {
      const made = await make({ type: 'opsgenie-api' });
      const path = `/api/sources/${made.id}/rotate`;
      const rotated = await grace.call('POST', path, {});
      assert.equal(rotated.status, 200, JSON.stringify(rotated.body));
      assert.notEqual(rotated.body.key, made.key);
      assert.equal(rotated.body.former_urls.length, 1);
      const former = t.db.selectFrom('webhook_former_tokens').select('token_hash');
      assert.deepEqual(await former.where('webhook_id', '=', made.id).execute(), [
        { token_hash: await createHashKey(t.db, t.sealing)(made.key) },
      ]);
      const back = await grace.call('POST', path, { key: made.key });
      assert.deepEqual([back.status, back.body.key], [200, made.key]);
      const taken = await make({ type: 'opsgenie-api' });
      assert.equal((await grace.call('POST', path, { key: taken.key })).status, 409);
      assert.equal((await grace.call('POST', path, { key: 'x' })).status, 400);
      assert.equal((await grace.call('POST', path, { old_until: '2020-01-01T00:00:00Z' })).status, 400);
    });
  });

  it('get a new URL', async () => {
    const made = await make();
    const rotated = await grace.call('POST', `/api/sources/${made.id}/rotate`, {});
    assert.notEqual(rotated.body.url, made.url);
    assert.deepEqual([rotated.body.key, rotated.body.former_urls.length], [null, 1]);
    const withKey = await grace.call('POST', `/api/sources/${made.id}/rotate`, { key: PAGERDUTY_KEY });
    assert.equal(withKey.status, 400);
  });

  it('are revoked', async () => {
    const { id } = await make();
    assert.equal((await alan.call('DELETE', `/api/sources/${id}`)).status, 403);
    assert.deepEqual((await grace.call('DELETE', `/api/sources/${id}`)).body, { revoked: true });
    assert.equal((await grace.call('GET', `/api/sources/${id}`)).status, 404);
  });

  it('are not created while a node of an older release runs', async () => {
    const older = new Client({ connectionString: t.commandEnv.DATABASE_URL });
    await older.connect();
    try {
      const { rows } = await older.query(
        `insert into nodes (role, host, pid, version, started_at, seen_at)
          values ('all', 'old-host', 1, '0.1.0', now(), now()) returning id`,
      );
      await make();
      await older.query('select pg_advisory_lock($1, $2)', [LOCK.node, rows[0].id]);
      const body = { team: 'sre', name: 'Too early', type: 'custom' };
      const answer = await grace.call('POST', '/api/sources', body);
      assert.equal(answer.status, 409);
      assert.equal(
        answer.body.details[0].message,
        'source cannot be created while old-host runs Tocsin 0.1.0, which would record its calls without paging anybody; upgrade every node, then try again.',
      );
    } finally {
      await older.end();
    }
    await make();
  });
});

describe('tocsin source', async () => {
  const { tocsin, rows, file } = await commandsHere();
  const env = { PUBLIC_URL: 'https://tocsin.acme.example', SECRET_KEY: '' };
  const run = (...args: string[]) => tocsin.run(['source', ...args], { env });
  const done = async (...args: string[]) => {
    const ran = await run(...args);
    assert.equal(ran.code, 0, ran.stderr);
    return ran;
  };
  const text =
    'organization: { name: Acme }\nusers: [ { email: ada@example.com, role: owner } ]\nteams: [ { slug: sre }, { slug: web } ]\n';

  before(async () => {
    assert.equal((await tocsin.run(['apply', file('acme.yaml', text)], { env })).code, 0);
  });

  it('create prints only the URL, or the key of a dialect', async () => {
    const made = await done('create', '--team', 'sre', '--name', 'Prometheus', '--type', 'alertmanager');
    assert.match(made.stdout, /^https:\/\/tocsin\.acme\.example\/page\/[\w-]{43}\/alertmanager\n$/);
    assert.equal(made.stderr, '');
    const old = ['--name', 'Old PagerDuty', '--type', 'pagerduty-events', '--key', PAGERDUTY_KEY];
    assert.equal((await done('create', '--team', 'sre', ...old)).stdout, `${PAGERDUTY_KEY}\n`);
    const beat = ['--name', 'Backup', '--type', 'heartbeat', '--interval', '1440'];
    assert.match((await done('create', '--team', 'web', ...beat)).stdout, /\/heartbeat\/[\w-]{43}\n$/);
    const settings = JSON.stringify({ wait_minutes: 5, urgencies: { P1: 'high' } });
    const whole = ['--name', 'Probes', '--type', 'custom', '--expires', '2099-01-01T00:00:00Z'];
    await done('create', '--team', 'web', ...whole, '--settings', settings);
    assert.deepEqual(
      await rows(
        "select s.settings from page_sources s join webhooks w on w.id = s.id where w.name = 'Probes'",
      ),
      [{ settings: JSON.parse(settings) }],
    );
  });

  it('refuses with the names of its options', async () => {
    const create = (...args: string[]) => run('create', '--team', 'sre', '--name', 'x', ...args);
    refused(await create('--type', 'pigeon'), /^--type is "pigeon", which is not a type of source/);
    refused(await create('--type', 'heartbeat'), /^--interval is missing/);
    refused(await create('--type', 'custom', '--key', 'x'), /^--key is set, but senders of custom use a URL/);
    refused(
      await create('--type', 'custom', '--settings', '{"rule": []}'),
      /^--settings rule is not a setting; did you mean rules\?/,
    );
  });

  it('lists, shows, rotates and revokes', async () => {
    const { sources } = JSON.parse((await done('list', '--json')).stdout);
    assert.deepEqual(sources.map(({ name }: { name: string }) => name).sort(), [
      'Backup',
      'Old PagerDuty',
      'Probes',
      'Prometheus',
    ]);
    const listed = (await done('list', '--team', 'sre')).stdout;
    assert.match(listed, /sre {2}Old PagerDuty +pagerduty-events +key …cdef$/m);
    const [, url] = /^url +(\S+)$/m.exec((await done('show', 'prometheus')).stdout) ?? [];
    assert.match(url ?? '', /\/page\/[\w-]{43}\/alertmanager$/);
    const rotated = await done('rotate', 'Prometheus', '--now');
    assert.notEqual(rotated.stdout.trim(), url);
    assert.match(rotated.stderr, /^The old one has ended\.$/m);
    await done('create', '--team', 'sre', '--name', 'Probes', '--type', 'custom');
    refused(
      await run('revoke', 'Probes'),
      /^Several teams have a source "Probes"; add --team, or give its id/,
    );
    assert.equal((await done('revoke', 'Probes', '--team', 'sre')).stdout, 'Probes was revoked.\n');
    refused(await run('show', 'Promethues'), /^There is no source "Promethues"; did you mean Prometheus\?$/m);
  });

  it('keeps every key when the secret key is rotated', async () => {
    const stored = 'select key_hash, key_last4 from page_sources where key_last4 is not null';
    const before = await rows(stored);
    const rotated = await tocsin.run(['secret', 'rotate'], { env });
    assert.equal(rotated.code, 0, rotated.stderr);
    assert.deepEqual(await rows(stored), before);
    const sealing = sealingOf(readFileSync(join(tocsin.env.DATA_DIR ?? '', 'secret.key'), 'utf8'));
    const [installation] = await rows('select source_pepper from installation');
    const pepper = installation?.source_pepper;
    assert.ok(Buffer.isBuffer(pepper) && sealing.open(pepper).length > 0);
    refused(
      await run(
        'create',
        '--team',
        'web',
        '--name',
        'Twice',
        '--type',
        'pagerduty-events',
        '--key',
        PAGERDUTY_KEY,
      ),
      /^--key belongs to another source/,
    );
  });
});
