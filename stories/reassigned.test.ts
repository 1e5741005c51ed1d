/** A page that was given to somebody follows them: their rules and their repeats, not the stage that it came from. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** Ada is the first stage, Grace the second; Alan's rules notify him at once, after two minutes and after ten. */
async function reassigned(
  what: (t: Story, page: { id: string; request: string }, joan: SignedIn) => Promise<void>,
) {
  const t = await story({
    organization: (receiver) => {
      const methods = (name: string) => [{ type: 'webhook' as const, value: receiver.url + name }];
      const rules = [0, 2, 10].map((after) => ({ after, channels: ['webhook' as const] }));
      return {
        people: {
          joan: { methods: methods('joan') },
          ada: { methods: methods('ada') },
          grace: { methods: methods('grace') },
          alan: { methods: methods('alan'), rules: { high: rules } },
        },
        teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
      };
    },
  });
  try {
    await t.db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', String(t.acme.users.joan))
      .execute();
    const joan = await signIn(t, 'joan');
    const request = await t.page('team', 'sre', { urgency: 'high' });
    const [alarm] = await t.notified('ada');
    const id = String(alarm?.body.page_id);
    const given = await joan.call('POST', `/api/pages/${id}/reassign`, { users: ['alan@example.com'] });
    assert.equal(given.status, 200, JSON.stringify(given.body));
    await t.settle();
    await t.notified('alan');
    await what(t, { id, request }, joan);
  } finally {
    await t.end();
  }
}

it('runs the rules of the person, repeats them in each round, and then notifies the team that nobody answered', () =>
  reassigned(async (t, page, joan) => {
    for (const round of [1, 2, 3]) {
      await t.advance({ minutes: 2 });
      await t.notified('alan');
      await t.advance({ minutes: 7 });
      await t.notified();
      await t.advance({ minutes: 1 });
      await t.notified('alan');
      const { upcoming } = (await joan.call('GET', `/api/pages/${page.id}`)).body;
      assert.deepEqual(
        upcoming.map(({ kind, people }: { kind: string; people?: { name: string }[] }) => [
          kind,
          ...(people ?? []).map(({ name }) => name),
        ]),
        [round < 3 ? ['notify', 'Alan'] : ['expire']],
      );
      await t.advance({ minutes: 5 });
      if (round < 3) await t.notified('alan');
    }
    const told = await t.notified('ada', 'grace');
    assert.deepEqual(new Set(told.map(({ body }) => body.type)), new Set(['page.expired']));
    assert.equal((await t.status(page.request)).page.state, 'expired');
  }));

it('goes back to the team when somebody escalates it', () =>
  reassigned(async (t, page, joan) => {
    assert.equal((await joan.call('POST', `/api/pages/${page.id}/escalate`)).status, 200);
    await t.settle();
    await t.notified('ada');
  }));

it('goes back to the team at once when the person is disabled', () =>
  reassigned(async (t, _page, joan) => {
    assert.equal((await joan.call('POST', `/api/people/${t.acme.users.alan}/disable`)).status, 200);
    await t.settle();
    await t.notified('ada');
  }));
