import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { readSavedList, savedListPath } from '../src/schedules/saved/file.ts';
import { createSavedLists } from '../src/schedules/saved/keeper.ts';
import { seedOrganization } from '../testing/organization.ts';
import { signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const phone = (value: string) => ({ methods: [{ type: 'phone' as const, value }] });

describe('the on-call list that a node saves', () => {
  let t: Story;
  let other: Awaited<ReturnType<typeof seedOrganization>>;
  before(async () => {
    t = await story({
      organization: {
        people: {
          ada: phone('+4915155500001'),
          grace: phone('+4915155500002'),
          linus: phone('+4915155500003'),
        },
        teams: {
          sre: {
            members: ['ada', 'grace', 'linus'],
            schedules: [{ stages: [['ada'], ['grace']], backstop: 'linus' }],
          },
        },
      },
    });
    other = await seedOrganization(
      t,
      {
        people: { eve: phone('+4915155500009') },
        teams: { ops: { members: ['eve'], schedules: [{ stages: [['eve']] }] } },
      },
      'Other',
    );
  });
  after(() => t.end());

  const save = () => t.app.duties.runAll();
  const list = async (person = 'ada') => {
    const { call } = await signIn(t, person);
    await save();
    return call('GET', '/api/saved-on-call');
  };

  it('is missing before it was first saved, and then shows who is on call and how to phone them', async () => {
    const { call } = await signIn(t, 'ada');
    assert.equal((await call('GET', '/api/saved-on-call')).status, 404);
    const { status, body } = await list();
    assert.equal(status, 200);
    assert.equal(body.shortened, false);
    const hours = Temporal.Instant.from(body.until)
      .since(Temporal.Instant.from(body.saved_at))
      .total('hours');
    assert.equal(hours, 14 * 24);
    assert.deepEqual(
      body.schedules.map((one: { name: string; team: string; backstop: object }) => [
        one.name,
        one.team,
        one.backstop,
      ]),
      [
        [
          'sre 0',
          'SRE',
          {
            ...{ name: 'Linus', email: 'linus@example.com' },
            contact_methods: [{ type: 'phone', value: '+4915155500003' }],
          },
        ],
      ],
    );
    const answered = await t.get(`/schedules/${body.schedules[0].id}/oncalls`);
    assert.deepEqual(body.schedules[0].oncalls, answered.body.oncalls);
    assert.equal(body.schedules[0].oncalls.length, 2);
  });

  it('shows each organization only its own people', async () => {
    const { call } = await signIn({ ...t, acme: other }, 'eve');
    const { body } = await call('GET', '/api/saved-on-call');
    assert.deepEqual(
      body.schedules.map(({ name }: { name: string }) => name),
      ['ops 0'],
    );
    assert.doesNotMatch(JSON.stringify(body), /ada|grace|linus/);
    assert.doesNotMatch(JSON.stringify((await list()).body), /eve|ops/i);
  });

  it('is for signed-in people and for keys with full access, as in the table of rights', async () => {
    assert.equal((await fetch(`${t.url}/api/saved-on-call`)).status, 401);
    assert.equal((await t.get('/api/saved-on-call')).status, 200);
  });

  it('drops a removed contact method and a disabled person at the next refresh', async () => {
    await t.db
      .deleteFrom('contact_methods')
      .where('user_id', '=', t.acme.users.grace ?? '')
      .execute();
    const at = await t.clock.now(t.db);
    for (const person of ['ada', 'linus'])
      await t.db
        .updateTable('users')
        .set({ disabled_at: at })
        .where('id', '=', t.acme.users[person] ?? '')
        .execute();
    const { body } = await list('grace');
    assert.doesNotMatch(JSON.stringify(body), /ada@|linus@|\+49/);
    assert.equal(body.schedules[0].backstop, null);
    assert.equal(body.schedules[0].oncalls[0].user.name, 'Grace');
    const saved = await readSavedList(t.commandEnv.DATA_DIR, t.sealing);
    assert.ok(
      saved?.sessions.every(({ userId }) => userId === t.acme.users.grace || userId === other.users.eve),
    );
  });

  it('contains hashes of sessions, and none of a session that was signed out', async () => {
    const { cookie, call } = await signIn(t, 'grace');
    await save();
    const sessions = async () => (await readSavedList(t.commandEnv.DATA_DIR, t.sealing))?.sessions ?? [];
    const before = await sessions();
    assert.ok(!JSON.stringify(before).includes(cookie.split('=')[1] ?? ''));
    assert.equal((await call('DELETE', '/api/session')).status, 200);
    await save();
    assert.equal((await sessions()).length, before.length - 1);
  });

  it('ignores a file that its key does not open, logs that, and replaces it', async () => {
    const path = savedListPath(t.commandEnv.DATA_DIR);
    const good = readFileSync(path);
    writeFileSync(path, good.toReversed());
    const said: unknown[] = [];
    const log = { ...t.app.base.log, warn: (about: unknown, message: string) => said.push(about, message) };
    const lists = createSavedLists({
      ...{ dataDir: t.commandEnv.DATA_DIR, sealing: t.sealing },
      log: log as unknown as Parameters<typeof createSavedLists>[0]['log'],
    });
    await lists.load();
    assert.equal(lists.current(), null);
    assert.match(JSON.stringify(said), /cannot be opened with this secret key/);
    await lists.save(t.db, t.clock);
    assert.ok(await readSavedList(t.commandEnv.DATA_DIR, t.sealing));
  });

  it('stays in memory if DATA_DIR cannot be written, and logs that once', async () => {
    const said: unknown[] = [];
    const log = { warn: (about: unknown, message: string) => said.push([about, message]) };
    const lists = createSavedLists({
      ...{ dataDir: `${t.commandEnv.DATA_DIR}/missing`, sealing: t.sealing },
      log: log as unknown as Parameters<typeof createSavedLists>[0]['log'],
    });
    await lists.save(t.db, t.clock);
    await lists.save(t.db, t.clock);
    assert.ok(lists.current());
    assert.equal(said.length, 1);
    assert.match(JSON.stringify(said), /cannot be saved in DATA_DIR/);
  });
});
