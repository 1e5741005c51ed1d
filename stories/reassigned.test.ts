/**
 * A reassigned page follows its new people: their rules and their repeats, and no longer the stage that it came from.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

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

it("runs the person's rules, repeats them in each round, and then notifies the team that nobody answered", () =>
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

describe('a page that was reassigned to several people', () => {
  let t: Story;
  let joan: SignedIn;

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'joan', 'ada', 'grace', 'alan', 'edsger', 'linus'),
        teams: {
          sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] },
          web: { members: ['linus'], schedules: [{ stages: [['linus']] }] },
        },
      }),
    });
    await t.db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', String(t.acme.users.joan))
      .execute();
    joan = await signIn(t, 'joan');
  });
  after(() => t.end());

  async function act(id: string, action: string, body?: unknown, who = joan) {
    const answer = await who.call('POST', `/api/pages/${id}/${action}`, body);
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    await t.settle();
    return answer.body;
  }
  /** Raises a page that notifies `first`, and reassigns it to these people. */
  async function given(kind: 'team' | 'person', recipient: string, first: string, people: string[]) {
    const { page } = await t.status(await t.page(kind, recipient, { urgency: 'high' }));
    await t.notified(first);
    await act(page.id, 'reassign', { users: people.map((name) => t.acme.users[name]) });
    await t.notified(...people);
    return page.id;
  }
  const upcoming = async (id: string) =>
    (await joan.call('GET', `/api/pages/${id}`)).body.upcoming.map(
      ({ kind, people }: { kind: string; people?: { name: string }[] }) => [
        kind,
        ...(people ?? []).map(({ name }) => name),
      ],
    );

  for (const [kind, recipient, first] of [
    ['person', 'edsger@example.com', 'edsger'],
    ['team', 'sre', 'ada'],
  ] as const) {
    it(`notifies all of them when it begins again (${kind})`, async () => {
      const id = await given(kind, recipient, first, ['alan', 'linus']);
      await act(id, 'acknowledge', {}, await signIn(t, 'alan'));
      await act(id, 'unacknowledge');
      await t.notified('alan', 'linus');
      await act(id, 'acknowledge');
      await act(id, 'resolve');
      await act(id, 'reopen');
      await t.notified('alan', 'linus');
      await act(id, 'resolve');
    });

    it(`notifies all of them with the person whose acknowledgement or snooze ended (${kind})`, async () => {
      const id = await given(kind, recipient, first, ['alan', 'linus']);
      await act(id, 'acknowledge', {}, await signIn(t, 'linus'));
      await t.advance({ minutes: 31 });
      await t.notified('alan', 'linus');
      await act(id, 'acknowledge');
      await act(id, 'snooze', { minutes: 5 });
      await t.advance({ minutes: 6 });
      await t.notified('joan', 'alan', 'linus');
      const [next] = await upcoming(id);
      assert.deepEqual(next, kind === 'team' ? ['notify', 'Grace'] : ['expire']);
      await act(id, 'resolve');
    });
  }

  it('notifies all of them if it was to one person and is paged again', async () => {
    const id = await given('person', 'edsger@example.com', 'edsger', ['alan', 'linus']);
    await t.advance({ minutes: 6 });
    const again = await act(id, 'again');
    await t.notified('alan', 'linus');
    await t.advance({ minutes: 6 });
    const { page_id } = await act(again.page_id, 'again');
    await t.notified('alan', 'linus');
    await act(page_id, 'acknowledge');
    await act(page_id, 'unacknowledge');
    await t.notified('alan', 'linus');
    await act(page_id, 'resolve');
    for (const former of [id, again.page_id]) await act(former, 'resolve');
  });

  it('follows the last decision: other people, another team, or the stages after somebody escalated it', async () => {
    const id = await given('person', 'edsger@example.com', 'edsger', ['alan', 'linus']);
    await act(id, 'reassign', { users: [t.acme.users.edsger] });
    await t.notified('edsger');
    await act(id, 'acknowledge');
    await act(id, 'unacknowledge');
    await t.notified('edsger');
    await act(id, 'reassign', { team: 'web' });
    await t.notified('linus');
    await act(id, 'acknowledge');
    await act(id, 'unacknowledge');
    await t.notified('linus');
    await act(id, 'reassign', { users: [t.acme.users.alan, t.acme.users.edsger] });
    await t.notified('alan', 'edsger');
    await act(id, 'escalate');
    await t.notified('linus');
    await act(id, 'acknowledge');
    await act(id, 'unacknowledge');
    await t.notified('linus');
    await act(id, 'resolve');
  });

  it('leaves out disabled people, and returns to the team if nobody is left', async () => {
    const toOne = await given('person', 'edsger@example.com', 'edsger', ['alan', 'linus']);
    const toTeam = await given('team', 'sre', 'ada', ['alan']);
    await act(toOne, 'acknowledge');
    await act(toTeam, 'acknowledge');
    assert.equal((await joan.call('POST', `/api/people/${t.acme.users.alan}/disable`)).status, 200);
    await act(toOne, 'unacknowledge');
    await t.notified('linus');
    await act(toTeam, 'unacknowledge');
    await t.notified('ada');
    for (const id of [toOne, toTeam]) await act(id, 'resolve');
  });
});

it('notifies the team at once if nobody to whom it is reassigned can be reached any more', async () => {
  const t = await story({
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada', 'grace', 'alan'),
      teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
    }),
  });
  try {
    const request = await t.page('team', 'sre', { urgency: 'high' });
    await t.notified('ada');
    // Alan loses his contact methods after it was found that he can be reached.
    await sql`create function lose_methods() returns trigger language plpgsql as ${sql.lit(
      `begin
        update contact_methods set verified_at = null where user_id = '${t.acme.users.alan}';
        return new;
      end`,
    )}`.execute(t.db);
    await sql`create trigger lose_methods before update of round on pages for each row execute function lose_methods()`.execute(
      t.db,
    );
    const { page } = await t.status(request);
    const given = await t.post(`/api/pages/${page.id}/reassign`, { users: ['alan@example.com'] });
    assert.equal(given.status, 200, JSON.stringify(given.body));
    await t.settle();
    await t.notified('ada');
    await t.advance({ minutes: 5 });
    await t.notified('grace');
  } finally {
    await t.end();
  }
});
