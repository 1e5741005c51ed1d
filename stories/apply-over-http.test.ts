import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { tryLockApplying } from '../src/apply/store.ts';
import { LOCK } from '../src/db/advisory-locks.ts';
import { holdSyntheticLock } from '../src/worker/synthetic/store.ts';
import { applyText } from '../testing/apply-text.ts';
import { commandsHere } from '../testing/commands.ts';
import { type Organization, seedOrganization } from '../testing/organization.ts';
import { type ApiAnswer, confirmSessions, type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const SCHEDULE = `
teams:
  - { slug: web, name: Web, members: [ada@example.com, grace@example.com] }
schedules:
  - name: Web
    team: web
    shifts: { every: week, handoff: "Monday 09:00" }
    stages: [{ stage: 1, members: [ada@example.com, grace@example.com] }]
`;

describe('the file over HTTP', () => {
  let t: Story;
  let ada: SignedIn;
  let full: string;
  let evil: Organization;
  let evilKey: string;

  before(async () => {
    t = await story({
      env: { RATE_LIMIT_PER_SECOND: '1000' },
      organization: {
        people: { ada: { methods: [{ type: 'email', value: 'ada@example.com' }] }, grace: {}, alan: {} },
        teams: { sre: { members: ['ada', 'grace'] } },
      },
    });
    evil = await seedOrganization(t, { people: { eve: {} }, teams: { evil: { members: ['eve'] } } }, 'Evil');
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', 'in', ['ada', 'eve']).execute();
    await t.db.updateTable('users').set({ role: 'admin' }).where('username', '=', 'alan').execute();
    ada = await signIn(t, 'ada');
    full = await keyOf(ada, { full: true });
    evilKey = await keyOf(await signIn({ ...t, acme: evil }, 'eve'), { full: true });
  });
  after(() => t.end());

  async function keyOf(who: SignedIn, about: object): Promise<string> {
    const { status, body } = await who.call('POST', '/api/keys', { name: 'k', ...about });
    assert.equal(status, 200, JSON.stringify(body));
    return body.key;
  }

  async function send(
    text: string,
    { key = full, query = '', type = 'application/yaml' } = {},
  ): Promise<ApiAnswer> {
    const response = await fetch(`${t.url}/api/apply${query}`, {
      method: 'POST',
      headers: { 'content-type': type, authorization: `Bearer ${key}` },
      body: text,
    });
    return { status: response.status, body: await response.json() };
  }

  const headlines = ({ body }: ApiAnswer): string[] =>
    body.changes.map((change: Record<string, string>) => `${change.action} ${change.kind} ${change.name}`);

  async function problems(text: string, options: Parameters<typeof send>[1] = {}): Promise<string[]> {
    const before = await everything();
    const answer = await send(text, options);
    assert.equal(answer.status, 400, JSON.stringify(answer.body));
    assert.equal(await everything(), before);
    return answer.body.details.map(({ message }: { message: string }) => message);
  }

  /** Everything that a file can change, in all organizations. */
  async function everything(): Promise<string> {
    const tables = [
      ...(['organizations', 'users', 'teams', 'team_members', 'contact_methods', 'schedules'] as const),
      ...(['shifts', 'availabilities', 'webhooks', 'page_sources', 'audit_log', 'api_keys'] as const),
    ];
    const rows = await Promise.all(
      tables.map((table) =>
        t.db
          .selectFrom(table as 'teams')
          .selectAll()
          .execute(),
      ),
    );
    return JSON.stringify(
      rows.map((each) => each.map((row) => JSON.stringify({ ...row, last_used_at: null })).sort()),
    );
  }

  it('can be previewed, is applied, and changes nothing the second time', async () => {
    const before = await everything();
    const dry = await send(SCHEDULE, { query: '?dry_run=true' });
    assert.equal(dry.status, 200, JSON.stringify(dry.body));
    assert.equal(dry.body.dry_run, true);
    assert.equal(await everything(), before);
    const real = await send(SCHEDULE);
    assert.deepEqual(headlines(real), ['add team web', 'add schedule Web']);
    assert.deepEqual(headlines(dry), headlines(real));
    assert.deepEqual(real.body.summary, { added: 2, changed: 0, removed: 0 });
    assert.equal(real.body.plans.length, 1);
    assert.ok(real.body.plans[0].planned_until > '2026');
    const after = await everything();
    assert.notEqual(after, before);
    const again = await send(SCHEDULE);
    assert.deepEqual(again.body.changes, []);
    assert.equal(await everything(), after);
    const log = t.db.selectFrom('audit_log').select(['action', 'user_id']).where('action', 'like', 'apply.%');
    assert.deepEqual(await log.orderBy('action').execute(), [
      { action: 'apply.schedule.add', user_id: t.acme.users.ada },
      { action: 'apply.team.add', user_id: t.acme.users.ada },
    ]);
  });

  it('has the same report as on the command line, also for JSON', async () => {
    const { tocsin, file } = await commandsHere();
    const path = file('web.yaml', `organization: { name: Acme }\n${SCHEDULE}`);
    const printed = await tocsin.run(['apply', path, '--dry-run', '--json'], { env: t.commandEnv });
    assert.equal(printed.code, 0, printed.stderr);
    const sent = await send(SCHEDULE, { query: '?dry_run=true' });
    assert.deepEqual(sent.body, JSON.parse(printed.stdout));
    const json = JSON.stringify({ teams: [{ slug: 'web', name: 'Website' }] });
    const renamed = await send(json, { type: 'application/json' });
    assert.deepEqual(renamed.body.changes[0].details, ['name: was Web, is Website']);
    assert.deepEqual(
      (await send('{"teams":[{"slug":"web","name":"Web"}]}', { type: 'text/yaml' })).status,
      200,
    );
  });

  it('names the line and column of every error', async () => {
    assert.deepEqual(await problems('teams:\n  - { slug: web, membrs: [] }\n  - { slug: "A B" }\n'), [
      'teams[0].membrs in line 2, column 18, is not a key of a team; did you mean members?',
      'teams[1].slug in line 3, column 13, is "A B"; give a short name of the letters a–z, digits and -, such as site-reliability.',
    ]);
    const unknown = 'teams:\n  - { slug: web, members: [adda@example.com] }\n';
    assert.deepEqual(await problems(unknown), [
      'teams[0].members[0] in line 2, column 28, is adda@example.com, who is neither in this file nor in the organization; did you mean ada@example.com?',
    ]);
    assert.match((await problems('teams: [')).join(), /in line 1, column \d+, is not valid YAML here/);
    assert.match((await problems('')).join(), /is empty/);
    // Reading stops at a limit of errors.
    assert.equal((await problems(`users:\n${'- 1\n'.repeat(50_000)}`)).length, 200);
  });

  it('may have up to 256 KiB and 2,000 entries, in UTF-8, as YAML or JSON', async () => {
    const large = await send(`# ${'x'.repeat(256 * 1_024)}\nteams: []\n`);
    assert.equal(large.status, 413);
    assert.equal(large.body.details[0].message, 'body is larger than 256 KiB; send less.');
    const many = Array.from({ length: 2_001 }, (_, n) => `- slug: t${n}\n`).join('');
    assert.match(
      (await problems(`teams:\n${many}`)).join(),
      /has 2001 users, .* but the API takes 2000 at once/,
    );
    assert.equal((await send('x: 1', { type: 'text/csv' })).status, 415);
    const latin = await fetch(`${t.url}/api/apply`, {
      method: 'POST',
      headers: { 'content-type': 'application/yaml', authorization: `Bearer ${full}` },
      body: new Uint8Array([0xff, 0xfe]),
    });
    assert.equal(latin.status, 400);
  });

  it('is refused from everybody except owners, and from keys without full access', async () => {
    const alan = await signIn(t, 'alan');
    assert.equal((await alan.call('POST', '/api/apply', { teams: [] })).status, 403);
    const ofAdmin = await keyOf(alan, { full: true });
    const plain = await keyOf(ada, {});
    const scoped = await keyOf(ada, { scopes: ['schedules'] });
    for (const key of [ofAdmin, plain, scoped]) assert.equal((await send(SCHEDULE, { key })).status, 403);
    assert.equal((await send(SCHEDULE, { key: 'tocsin_nothing' })).status, 401);
    const teams = await t.db.selectFrom('teams').select('slug').orderBy('slug').execute();
    assert.deepEqual(
      teams.map(({ slug }) => slug),
      ['evil', 'sre', 'web'],
    );
  });

  it('grants nobody access with a key, and changes nobody’s contact methods', async () => {
    const found = await problems(`
users:
  - { email: new@example.com }
  - { email: grace@example.com, role: owner }
  - { email: ada@example.com, contact_methods: [{ type: email, value: eve@example.com }] }
`);
    assert.deepEqual(
      found.map((message) => message.split(',', 4).slice(0, 3).join(',')),
      [
        'users[0].email in line 3, column 14, is not in the organization',
        'users[1].role in line 4, column 39, is owner',
        'users[2].contact_methods in line 5, column 48, differ from those of ada@example.com',
      ],
    );
    await t.db
      .updateTable('users')
      .set({ disabled_at: await t.clock.now(t.db) })
      .where('username', '=', 'alan')
      .execute();
    assert.match((await problems('users: [{ email: alan@example.com }]')).join(), /cannot enable people/);
    await t.db.updateTable('users').set({ disabled_at: null }).where('username', '=', 'alan').execute();
    // The file may contain things that stay unchanged.
    const same = await send(
      'users: [{ email: ada@example.com, role: owner, contact_methods: [{ type: email, value: ada@example.com }] }]',
    );
    assert.deepEqual(same.body.changes, [], JSON.stringify(same.body));
  });

  it('adds people for an owner who has just re-authenticated, but verifies no contact method', async () => {
    const body = { users: [{ email: 'joan@example.com', name: 'Joan', role: 'member' }] };
    const added = await ada.call('POST', '/api/apply', body);
    assert.deepEqual(headlines(added), ['add user joan@example.com']);
    const method = { type: 'email', value: 'joan@example.com' };
    const vouching = await ada.call('POST', '/api/apply', {
      users: [{ email: 'joan@example.com', contact_methods: [method] }],
    });
    assert.equal(vouching.status, 400);
    await t.db
      .updateTable('sessions')
      .set({ confirmed_at: (await t.clock.now(t.db)).subtract({ hours: 2 }) })
      .execute();
    const stale = await ada.call('POST', '/api/apply', body);
    assert.equal(stale.status, 403);
    assert.equal(stale.body.details[0].field, 'confirmation');
    await confirmSessions(t);
  });

  it('sets up page sources, shows their keys once, and changes no signing secret with a key', async () => {
    const source = 'sources:\n  - { team: sre, name: Old, type: pagerduty-events }\n';
    const made = await send(source);
    assert.equal(made.body.source_keys.length, 1, JSON.stringify(made.body));
    assert.deepEqual((await send(source)).body.source_keys, []);
    const signed =
      'sources:\n  - { team: sre, name: Own, type: custom, signing_secret: whsec_c3RhcGxlLXN0YXBsZS1zdGFwbGUtc3RhcGxl }\n';
    const first = await send(signed);
    assert.equal(first.status, 200, JSON.stringify(first.body));
    assert.deepEqual((await send(signed)).body.changes, []);
    assert.match((await problems(signed.replace('c3Rh', 'c3Ri'))).join(), /which an API key cannot change/);
  });

  it('touches no other organization, whatever the file contains', async () => {
    const evils = () => t.db.selectFrom('teams').selectAll().where('organization_id', '=', evil.id).execute();
    const before = JSON.stringify(await evils());
    // The name of another organization does not select it.
    const foreign = `organization: { name: Evil }\nusers: [{ email: eve@example.com }]\nteams: [{ slug: evil, name: Mine }]\n`;
    assert.match((await problems(foreign)).join(), /is Evil, but this file is sent to Acme/);
    const stolen = await problems('teams: [{ slug: evil, members: [eve@example.com] }]');
    assert.match(stolen.join(), /eve@example.com, who is neither in this file nor in the organization/);
    assert.match((await problems(SCHEDULE, { key: evilKey })).join(), /ada@example.com, who is neither/);
    const pruned = await send('teams: [{ slug: sre }]', { query: '?prune=true&dry_run=true' });
    // Random ids and keys may contain any three letters, so this searches for whole names.
    const theirs = ['eve@example.com', String(evil.users.eve), 'evil', 'Evil'];
    const shown = JSON.stringify(pruned.body);
    assert.deepEqual(
      theirs.filter((name) => shown.includes(name)),
      [],
      shown,
    );
    const own = await send('organization: { name: Acme }\nteams: [{ slug: evil2 }]', { key: evilKey });
    assert.equal(own.status, 400, 'Acme is not the name of the organization of the key');
    assert.equal(JSON.stringify(await evils()), before);
  });

  it('is refused while another file is applied to the same organization, but not to another one', async () => {
    await t.db.transaction().execute(async (tx) => {
      assert.equal(await tryLockApplying(tx, t.acme.id), true);
      const waiting = await send(SCHEDULE);
      assert.equal(waiting.status, 409);
      assert.match(waiting.body.details[0].message, /while another file is being applied/);
      assert.equal((await send('teams: [{ slug: evil }]', { key: evilKey })).status, 200);
    });
    assert.equal((await send(SCHEDULE)).status, 200);
  });

  it('is applied while another node builds an index or sends a synthetic page', async () => {
    await t.db.transaction().execute(async (tx) => {
      assert.equal(await holdSyntheticLock(tx), true);
      await sql`select pg_advisory_xact_lock(${LOCK.servingMigration})`.execute(tx);
      assert.equal((await send(SCHEDULE)).status, 200);
    });
  });

  it('with prune, removes everything that it does not mention, except the person who applies it', async () => {
    const keeping =
      'users: [{ email: grace@example.com }]\nteams: [{ slug: web }]\nschedules: [{ name: Web }]\n';
    const twoOwners = t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'grace');
    await twoOwners.execute();
    const { body } = await send(keeping, { query: '?prune=true' });
    assert.ok(
      body.notes.includes(
        'user ada@example.com stays: applying a file never removes the person who applies it',
      ),
      JSON.stringify(body),
    );
    const active = await t.db
      .selectFrom('users')
      .select('username')
      .where('organization_id', '=', t.acme.id)
      .where('disabled_at', 'is', null)
      .orderBy('username')
      .execute();
    assert.deepEqual(
      active.map(({ username }) => username),
      ['ada', 'grace'],
    );
    assert.equal(
      (await t.db.selectFrom('users').select('username').where('organization_id', '=', evil.id).execute())
        .length,
      1,
    );
    await applyText(t, 'organization: { name: Acme }');
  });
});
