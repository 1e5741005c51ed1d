import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** An upload records absences of many people at once and requires the same right as the form does for one. */
describe('the people whose absences somebody uploads', () => {
  let t: Story;
  const people: Record<string, SignedIn> = {};
  const keys: Record<string, string> = {};

  before(async () => {
    t = await story({
      organization: {
        people: { ada: {}, grace: {}, mary: {}, alan: {} },
        teams: { sre: { members: ['mary', 'grace'] } },
      },
    });
    const set = (person: string, role: 'owner' | 'admin') =>
      t.db
        .updateTable('users')
        .set({ role })
        .where('id', '=', t.acme.users[person] ?? '')
        .execute();
    await set('ada', 'admin');
    await t.db
      .updateTable('team_members')
      .set({ role: 'manager' })
      .where('user_id', '=', t.acme.users.mary ?? '')
      .execute();
    for (const person of Object.keys(t.acme.users)) {
      const who = await signIn(t, person);
      people[person] = who;
      keys[person] = (
        await who.call('POST', '/api/keys', { name: 'k', scopes: ['availabilities'] })
      ).body.key;
    }
  });
  after(() => t.end());

  const csvOf = (...names: string[]) =>
    `email,start_time,end_time,name\n${names.map((name) => `${name}@example.com,2031-01-01T00:00:00Z,,${name}`).join('\n')}\n`;

  async function upload(key: string, ...names: string[]): Promise<{ status: number; text: string }> {
    const form = new FormData();
    form.set('file', new Blob([csvOf(...names)]), 'absences.csv');
    form.set('commit', 'save');
    const answer = await fetch(`${t.uploadUrl}/availabilities/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: form,
    });
    return { status: answer.status, text: await answer.text() };
  }

  const inDashboard = (person: string, ...names: string[]) =>
    people[person]?.call('POST', '/api/availabilities/upload', { csv: csvOf(...names), commit: 'save' });
  const saved = async () =>
    Number(
      (
        await t.db
          .selectFrom('availabilities')
          .select((eb) => eb.fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    );

  const allowed: [string, string[]][] = [
    ['alan', ['alan']],
    ['mary', ['mary', 'grace']],
    ['ada', ['ada', 'grace', 'mary', 'alan']],
  ];
  const refused: [string, string[], string][] = [
    ['alan', ['alan', 'ada'], 'ada'],
    ['grace', ['mary'], 'mary'],
    ['mary', ['grace', 'alan'], 'alan'],
  ];

  for (const [person, names, whose] of refused)
    it(`refuses ${person} the whole file when ${whose} is in it, on both listeners`, async () => {
      const before = await saved();
      const { status, text } = await upload(keys[person] ?? '', ...names);
      assert.equal(status, 403, text);
      assert.match(text, new RegExp(`may not upload, and nothing was saved: ${whose}@example.com`));
      const answer = await inDashboard(person, ...names);
      assert.deepEqual([answer?.status, answer?.body.details[0].field], [403, 'email']);
      assert.equal(await saved(), before);
    });

  for (const [person, names] of allowed)
    it(`saves ${names.join(', ')} for ${person}, on both listeners, and records whose they are`, async () => {
      await t.db.deleteFrom('availabilities').execute();
      const { status, text } = await upload(keys[person] ?? '', ...names);
      assert.equal(status, 200, text);
      assert.equal(await saved(), names.length);
      const entry = await t.db
        .selectFrom('audit_log')
        .select(['user_id', 'data'])
        .where('action', '=', 'availabilities.uploaded')
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow();
      assert.equal(entry.user_id, t.acme.users[person]);
      assert.deepEqual(entry.data, {
        created: names.length,
        people_total: names.length,
        people: Object.fromEntries(names.map((name) => [t.acme.users[name], 1])),
      });
      await t.db.deleteFrom('availabilities').execute();
      assert.equal((await inDashboard(person, ...names))?.status, 200);
      assert.equal(await saved(), names.length);
    });

  it("accepts an admin's key without scopes for everybody, until the admin loses the role", async () => {
    const key = (await people.ada?.call('POST', '/api/keys', { name: 'plain' }))?.body.key;
    assert.equal((await upload(key, 'alan')).status, 200);
    await t.db
      .updateTable('users')
      .set({ role: 'member' })
      .where('id', '=', t.acme.users.ada ?? '')
      .execute();
    assert.equal((await upload(key, 'alan')).status, 403);
  });
});
