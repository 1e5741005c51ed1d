import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';
import { weeklySchedule } from '../testing/weekly-schedule.ts';

type Who = { id: string; name: string };
type Notice = { kind: string; subject: string; text: string; path: string };

describe('shadows, who are on call to learn', () => {
  let t: Story;
  let ada: SignedIn;
  let cleo: SignedIn;
  let schedule: string;
  const id = (name: string) => t.acme.users[name] ?? '';
  const path = () => `/api/schedules/${schedule}`;

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: { ...webhookPeople(receiver, 'ada', 'grace', 'cleo'), linus: {} },
        teams: { sre: { members: ['ada', 'grace'] } },
      }),
    });
    await t.db.updateTable('users').set({ role: 'admin' }).where('id', '=', id('ada')).execute();
    [ada, cleo] = [await signIn(t, 'ada'), await signIn(t, 'cleo')];
    schedule = await weeklySchedule(t, { stages: [['ada'], ['grace']] });
  });
  after(() => t.end());

  const notices = async (): Promise<Notice[]> => (await cleo.call('GET', '/api/notices')).body.notices;
  const shadowsNow = async (by = cleo) => {
    const { teams } = (await by.call('GET', '/api/on-call')).body;
    const { stages } = teams[0].schedules[0];
    return stages.map(({ now }: { now: { person: Who; shadows: Who[] }[] }) =>
      now.map(({ person, shadows }) => [person.name, ...shadows.map(({ name }) => name)].join(' + ')),
    );
  };

  it('are set in the schedule, and shown beside the person they learn with', async () => {
    const { body, status } = await ada.call('PATCH', path(), {
      shadows: [{ person: id('cleo'), of: id('ada') }],
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.changes, ['shadows: was nobody, is Cleo with Ada']);
    assert.equal(body.published.handed_over, 0);
    assert.deepEqual(body.shadows, [{ person: id('cleo'), of: id('ada'), from: null, until: null }]);
    assert.deepEqual(await shadowsNow(), [['Ada + Cleo'], ['Grace']]);
    const kept = await ada.call('PATCH', path(), { description: 'Who runs the shop' });
    assert.equal(kept.body.shadows.length, 1, 'what is not said stays');
    // The published list contains only people who are on call.
    const { oncalls } = (await t.get(`/schedules/${schedule}/oncalls`)).body;
    assert.ok(!JSON.stringify(oncalls).includes('cleo'), JSON.stringify(oncalls));
  });

  it('get a quiet notice of a page and are never paged, and nobody counts them as reached', async () => {
    const page = await t.page('team', 'sre', { urgency: 'high' });
    await t.notified('ada');
    await t.app.duties.runAll();
    await t.app.duties.runAll();
    const found = (await notices()).filter(({ kind }) => kind === 'page.shadowed');
    assert.equal(found.length, 1, JSON.stringify(found));
    assert.match(found[0]?.subject ?? '', /^Ada is paged: /);
    assert.match(found[0]?.text ?? '', /do not have to answer/);
    const responders = await t.db.selectFrom('responders').select('user_id').execute();
    assert.ok(
      !responders.some(({ user_id }) => user_id === id('cleo')),
      JSON.stringify({ page, responders }),
    );
    // The next stage is Grace, and Cleo does not shadow her.
    await t.advance({ minutes: 5 });
    await t.notified('grace');
    await t.app.duties.runAll();
    assert.equal((await notices()).filter(({ kind }) => kind === 'page.shadowed').length, 1);
    for (const { id: open } of await t.db.selectFrom('pages').select('id').execute())
      await ada.call('POST', `/api/pages/${open}/resolve`);
    await t.app.duties.runAll();
  });

  it('learn with everybody if no person is named, and wrong entries are refused with their field', async () => {
    await ada.call('PATCH', path(), {
      stages: [{ stage: 1, members: [id('linus')] }],
      shadows: [{ person: id('cleo') }],
    });
    assert.deepEqual(await shadowsNow(), [['Linus + Cleo']]);
    const refused = await ada.call('PATCH', path(), {
      shadows: [
        { person: id('ada'), of: id('ada') },
        { person: 'user_nobody', from: '2027-01-02', until: '2027-01-01' },
      ],
    });
    assert.equal(refused.status, 400);
    assert.deepEqual(
      refused.body.details.map(({ field }: { field: string }) => field),
      ['shadows[0].of', 'shadows[1].person', 'shadows[1].until'],
    );
  });

  it('see the shifts from which they learn in their calendar, on the configured days', async () => {
    const now = await t.clock.now(t.db);
    const day = (days: number) => now.toZonedDateTimeISO('UTC').toPlainDate().add({ days }).toString();
    await ada.call('PATCH', path(), {
      stages: [{ stage: 1, members: [id('ada'), id('grace')] }],
      shadows: [{ person: id('cleo'), of: id('ada'), from: day(20), until: day(40) }],
    });
    assert.deepEqual((await shadowsNow()).flat().join().includes('Cleo'), false, 'not yet');
    const feed = await cleo.call('POST', '/api/calendars', { kind: 'person' });
    const text = await (await fetch(feed.body.url)).text();
    const summaries = text.split('\r\n').filter((line) => line.startsWith('SUMMARY'));
    assert.ok(summaries.length >= 1 && summaries.length <= 3, text);
    assert.ok(
      summaries.every((line) => line === 'SUMMARY:Learning with Ada: SRE\\, stage 1'),
      summaries.join(),
    );
  });

  it('get the note of a hand-off to the person they learn with', async () => {
    await ada.call('PATCH', path(), { shadows: [{ person: id('cleo') }] });
    const { at } = (await ada.call('GET', `${path()}/handoff`)).body;
    await t.advance((await t.clock.now(t.db)).until(Temporal.Instant.from(at).add({ seconds: 10 })));
    await t.app.duties.runAll();
    assert.equal((await notices()).filter(({ kind }) => kind === 'schedule.handed_off').length, 1);
  });
});
