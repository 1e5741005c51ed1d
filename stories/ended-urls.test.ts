/** Owners are notified before a URL ends, and about calls that still arrive afterwards. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ProblemShown } from '../src/problems/api-contract.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

describe('the URL of a webhook that ends', () => {
  let t: Story;
  let ada: SignedIn;
  before(async () => {
    t = await story({
      organization: {
        people: { ada: {}, grace: {}, alan: {} },
        teams: { sre: { members: ['grace', 'alan'] } },
      },
    });
    const { ada: owner = '', grace: manager = '' } = t.acme.users;
    await t.db.updateTable('users').set({ role: 'owner' }).where('id', '=', owner).execute();
    await t.db.updateTable('team_members').set({ role: 'manager' }).where('user_id', '=', manager).execute();
    ada = await signIn(t, 'ada');
  });
  after(() => t.end());

  async function webhook(name: string, days: number | null) {
    const end = days === null ? null : (await t.clock.now(t.db)).add({ hours: days * 24 }).toString();
    const whole = { team: 'sre', name, type: 'custom', expires_at: end };
    const answer = await ada.call('POST', '/api/webhooks', whole);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body as { id: string; url: string };
  }

  const send = async (url: string) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Disk full', type: 'alert' }),
    });
    await answer.body?.cancel();
    return answer.status;
  };

  /** The notices sent since the last call, by person. */
  let seen = 0;
  async function notices(): Promise<string[]> {
    await t.app.duties.runAll();
    const rows = await t.db
      .selectFrom('notices as n')
      .innerJoin('users as u', 'u.id', 'n.user_id')
      .select(['n.id', 'u.name', 'n.subject', 'n.text', 'n.path'])
      .where('n.kind', 'in', ['webhook.ending', 'source.ending'])
      .where('n.id', '>', seen)
      .orderBy('n.id')
      .execute();
    seen = Math.max(seen, ...rows.map(({ id }) => Number(id)));
    return rows.map(({ name, subject }) => `${name}: ${subject}`);
  }

  async function problems(): Promise<ProblemShown[]> {
    await t.app.duties.runAll();
    ada = await signIn(t, 'ada');
    return (await ada.call('GET', '/api/problems?state=open')).body.problems;
  }

  it('is announced seven days and one day before, once each, to owners and managers', async () => {
    await webhook('Probes', 10);
    await webhook('Deploys', 2);
    await webhook('Forever', null);
    const probes = 'The URL of the webhook “Probes” of SRE ends within';
    const deploys = 'The URL of the webhook “Deploys” of SRE ends within';
    assert.deepEqual(await notices(), [], 'the one that ends in two days was made with two days left');
    await t.advance({ hours: 25 });
    const toBoth = (subject: string) => [`Ada: ${subject}`, `Grace: ${subject}`];
    assert.deepEqual((await notices()).toSorted(), toBoth(`${deploys} a day`));
    await t.advance({ hours: 2 * 24 });
    assert.deepEqual((await notices()).toSorted(), toBoth(`${probes} 7 days`));
    await t.advance({ hours: 5 * 24 });
    assert.deepEqual(await notices(), []);
    await t.advance({ hours: 24 });
    assert.deepEqual((await notices()).toSorted(), toBoth(`${probes} a day`));
    await t.advance({ hours: 24 });
    assert.deepEqual(await notices(), []);
  });

  it('is announced for a former URL that is still used', async () => {
    ada = await signIn(t, 'ada');
    const [used, unused] = [await webhook('Used', null), await webhook('Unused', null)];
    for (const { id } of [used, unused])
      assert.equal((await ada.call('POST', `/api/webhooks/${id}/rotate`, {})).status, 200);
    assert.equal(await send(used.url), 200);
    await t.advance({ hours: 6 * 24 + 1 });
    assert.deepEqual((await notices()).toSorted(), [
      'Ada: A former URL of the webhook “Used” of SRE ends within a day',
      'Grace: A former URL of the webhook “Used” of SRE ends within a day',
    ]);
  });

  it('becomes a problem with count, last time and address while calls still arrive', async () => {
    ada = await signIn(t, 'ada');
    const [expired, revoked, replaced] = [
      await webhook('Expired', 1),
      await webhook('Revoked', null),
      await webhook('Replaced', null),
    ];
    await t.advance({ hours: 25 });
    ada = await signIn(t, 'ada');
    assert.equal((await ada.call('DELETE', `/api/webhooks/${revoked.id}`)).status, 200);
    const rotated = await ada.call('POST', `/api/webhooks/${replaced.id}/rotate`, { old_until: null });
    const statuses = [];
    for (const { url } of [expired, revoked, revoked, replaced]) statuses.push(await send(url));
    assert.deepEqual(statuses, [410, 404, 404, 404], 'what is revoked or replaced at once looks unknown');
    const shown = (await problems()).map(({ code, count, last_address, webhook }) => [
      ...[webhook?.name, code, count, last_address],
    ]);
    assert.deepEqual(shown.toSorted(), [
      ['Expired', 'expired', 1, '127.0.0.1'],
      ['Replaced', 'former_url', 1, '127.0.0.1'],
      ['Revoked', 'revoked', 2, '127.0.0.1'],
    ]);
    const now = await t.clock.now(t.db);
    for (const { last_at } of await problems())
      assert.ok(now.epochMilliseconds - Date.parse(last_at) < 60_000, last_at);

    // The current URL works, but calls may still use the former one.
    assert.equal(await send(rotated.body.url), 200);
    await t.settle();
    assert.equal((await problems()).length, 3);
    await t.advance({ hours: 25 });
    assert.deepEqual(await problems(), []);
    const kept = await t.db.selectFrom('problems').select('last_address').execute();
    assert.ok(
      kept.length >= 3 && kept.every(({ last_address }) => last_address === null),
      'no address is kept',
    );
  });
});
