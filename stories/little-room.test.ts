import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { examine } from '../src/cli/doctor/examine.ts';
import { databaseClock } from '../src/db/clock.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** More free space than any disk has, and less than any database needs. */
const NEVER_ENOUGH = { LEAST_FREE_MB: '900000000', MOST_DATABASE_MB: '1' };

describe('a server whose disk is nearly full', () => {
  let t: Story;

  before(async () => {
    t = await story({
      env: NEVER_ENOUGH,
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada'),
        teams: { sre: { members: ['ada'] } },
      }),
    });
    await t.db.updateTable('users').set({ role: 'owner' }).where('email', 'like', 'ada@%').execute();
    await t.app.duties.runAll();
  });
  after(() => t.end());

  it('pages as always', async () => {
    const request = await t.page('team', 'sre', { urgency: 'high' });
    const [webhook] = await t.notified('ada');
    assert.ok(webhook);
    await t.acknowledge(webhook);
    assert.equal((await t.status(request)).page.state, 'acknowledged');
  });

  it('refuses uploads until there is space', async () => {
    const body = new FormData();
    body.set('file', new Blob(['email,start_time\n']), 'absences.csv');
    const answer = await fetch(`${t.uploadUrl}/availabilities/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${t.acme.key}` },
      body,
    });
    assert.equal(answer.status, 503);
    assert.equal(answer.headers.get('retry-after'), '60');
    assert.match(await answer.text(), /while the disk of the server is nearly full/);
  });

  it('reports it as a problem, to its owners, and to its doctor', async () => {
    const problems = await t.db
      .selectFrom('problems')
      .select('message')
      .where('code', '=', 'little_room')
      .where('closed_at', 'is', null)
      .execute();
    assert.match(problems[0]?.message ?? '', /MiB free, less than the 900000000 MiB of LEAST_FREE_MB/);
    const [notice] = await t.db
      .selectFrom('notices')
      .select('text')
      .where('kind', '=', 'service.alarm')
      .execute();
    assert.match(notice?.text ?? '', /Pages are accepted and sent; .*uploads are refused/);
    const findings = (await examine(t.db, databaseClock, t.app.config)).filter(
      ({ about, level }) => about === 'database' && level === 'problem',
    );
    assert.ok(findings.some(({ message }) => /LEAST_FREE_MB/.test(message)));
    assert.ok(findings.some(({ message }) => /MOST_DATABASE_MB/.test(message)));
  });
});
