/** “Can this person be reached, and how?” has one answer everywhere. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type EventStream, eventStream } from '../testing/event-stream.ts';
import type { OrganizationSpec } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

const WORDS = { title: 'Disk full', text: 'db-1 has no space left' };
const EMAIL = (name: string) => ({ methods: [{ type: 'email' as const, value: `${name}@example.com` }] });

/**
 * Alan is on call, Grace is the backstop, Ada is only a member. No mail server is set up, so none of them can be
 * reached.
 */
const freshTeam: OrganizationSpec = {
  people: { ada: EMAIL('ada'), alan: EMAIL('alan'), grace: EMAIL('grace'), joan: EMAIL('joan') },
  teams: {
    sre: {
      members: ['ada', 'alan', 'grace'],
      schedules: [{ stages: [['alan'], ['joan']], backstop: 'grace' }],
    },
  },
};

async function told<Result>(
  organization: OrganizationSpec,
  what: (t: Story) => Promise<Result>,
): Promise<Result> {
  const t = await story({ organization });
  try {
    return await what(t);
  } finally {
    await t.end();
  }
}

type Open = SignedIn & { stream: EventStream };

async function openDashboard(t: Story, person: string): Promise<Open> {
  const signedIn = await signIn(t, person);
  const stream = await eventStream(`${t.url}/api/events`, { cookie: signedIn.cookie });
  await stream.next('hello');
  return { ...signedIn, stream };
}

describe('a team in which only a member has a dashboard open', () => {
  for (const urgency of ['high', 'medium', 'low'])
    it(`is paged there at once, at ${urgency} urgency, and has the usual time to answer`, () =>
      told(freshTeam, async (t) => {
        const ada = await openDashboard(t, 'ada');
        const accepted = await t.post('/page/team', { recipient: 'sre', urgency, ...WORDS });
        assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
        const settled = t.settle();
        const alarm = await ada.stream.next('notification');
        assert.equal((await ada.call('POST', `/api/deliveries/${alarm.id}/confirm`)).status, 200);
        await settled;
        const waiting = await t.status(String(accepted.body.service_request_id));
        assert.deepEqual([waiting.status, waiting.page.state], ['succeeded', 'notifying']);
        const { timeline } = (await ada.call('GET', `/api/pages/${waiting.page.id}`)).body;
        const asked = timeline.filter(({ kind }: { kind: string }) => kind === 'notified');
        assert.deepEqual(
          asked.map(({ person, as }: { person: { name: string }; as: string }) => `${person.name} ${as}`),
          ['Alan stage', 'Joan stage', 'Grace backstop', 'Ada members'],
        );
        await t.advance({ minutes: 4 });
        assert.equal((await t.status(String(accepted.body.service_request_id))).page.state, 'notifying');
        const done = await ada.call('POST', `/api/pages/${waiting.page.id}/acknowledge`);
        assert.equal(done.body.changed, true);
        ada.stream.close();
      }));

  it('is reachable through her in the preview, and everywhere else', () =>
    told(freshTeam, async (t) => {
      const ada = await openDashboard(t, 'ada');
      const preview = await ada.call('POST', '/api/pages/preview', { kind: 'team', recipient: 'sre' });
      assert.equal(preview.body.refused, null);
      const people = preview.body.steps[0].people as { person: { name: string }; notifications: unknown[] }[];
      assert.ok(
        people.some(({ person, notifications }) => person.name === 'Ada' && notifications.length > 0),
      );
      const { people: overview } = (await ada.call('GET', '/api/people/overview')).body;
      assert.deepEqual(
        overview.map((one: { name: string; reachable: boolean; reachable_by: string | null }) => [
          one.name,
          one.reachable,
          one.reachable_by,
        ]),
        [
          ['Ada', true, 'dashboard'],
          ['Alan', false, null],
          ['Grace', false, null],
          ['Joan', false, null],
        ],
      );
      const own = (await ada.call('GET', '/api/contact-methods')).body;
      assert.deepEqual([own.reachable, own.reachable_by], [true, 'dashboard']);
      const reached = async () => {
        const [now, list] = [await ada.call('GET', '/api/on-call'), await ada.call('GET', '/api/schedules')];
        return [now.body.teams[0].schedules[0].reachable, list.body.schedules[0].reachable];
      };
      assert.deepEqual(await reached(), ['nobody', 'nobody']);
      const grace = await openDashboard(t, 'grace');
      assert.deepEqual(await reached(), ['backstop', 'backstop']);
      const alan = await openDashboard(t, 'alan');
      assert.deepEqual(await reached(), ['on_call', 'on_call']);
      for (const one of [grace, alan]) one.stream.close();
      const person = await t.post('/page/person', { recipient: 'ada@example.com', ...WORDS });
      assert.equal(person.status, 200);
      ada.stream.close();
    }));
});

describe('a page that would reach nobody is refused', () => {
  it('for a team without open dashboards and channels that are set up', () =>
    told(freshTeam, async (t) => {
      const answer = await t.post('/page/team', { recipient: 'sre', ...WORDS });
      assert.equal(answer.status, 400);
      assert.match(JSON.stringify(answer.body.details), /nobody can be reached/);
    }));

  it('for a person, with the reason', () =>
    told(freshTeam, async (t) => {
      const answer = await t.post('/page/person', { recipient: 'alan@example.com', ...WORDS });
      assert.equal(answer.status, 400);
      assert.match(
        JSON.stringify(answer.body.details),
        /names Alan, who cannot be reached: email not set up here, and they have no open dashboard/,
      );
    }));

  it('even if somebody could be on call at another time, who is neither on call now nor a member', () =>
    told(freshTeam, async (t) => {
      const joan = await openDashboard(t, 'joan');
      await t.db.updateTable('shifts').set({ user_id: t.acme.users.alan }).where('stage', '=', 2).execute();
      assert.equal((await t.post('/page/team', { recipient: 'sre', ...WORDS })).status, 400);
      joan.stream.close();
    }));
});

it('a page fails with the reason if the last dashboard closes before anybody was notified', () =>
  told(freshTeam, async (t) => {
    const ada = await openDashboard(t, 'ada');
    const accepted = await t.asleep(async () => {
      const answer = await t.post('/page/team', { recipient: 'sre', ...WORDS });
      ada.stream.close();
      await t.db.deleteFrom('open_dashboards').execute();
      return answer;
    });
    await t.settle();
    const failed = await t.status(String(accepted.body.service_request_id));
    assert.deepEqual([failed.status, failed.page.state], ['failed', 'expired']);
    assert.match(failed.message, /Nobody could be reached/);
    assert.match(failed.errors.map(({ message }) => message).join('\n'), /SMTP_URL/);
  }));

describe('the people who are notified last', () => {
  it('keep their time if somebody of an earlier step turns out to be unreachable', async () => {
    const t = await story({
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada', 'alan', 'grace'),
        teams: { sre: { members: ['ada', 'alan', 'grace'], schedules: [{ stages: [['alan']] }] } },
      }),
    });
    try {
      t.receiver.script({ status: 410 });
      const request = await t.page('team', 'sre', { urgency: 'low' });
      // Alan is notified, too: what failed a moment ago may work now.
      await t.notified('alan', 'alan', 'ada', 'grace');
      const { page } = await t.status(request);
      assert.equal(page.state, 'notifying');
      await t.advance({ hours: 1 });
      assert.equal((await t.status(request)).page.state, 'notifying');
    } finally {
      await t.end();
    }
  });
});
