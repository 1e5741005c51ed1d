import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import type { Story } from '../testing/story.ts';
import { pageTheTeam, twoStageStory } from '../testing/two-stage-story.ts';

/** The parts of a timeline entry that stories read. */
type Facts = {
  kind: string;
  as?: string;
  stage?: number | null;
  people?: { name: string }[];
  by?: { name: string };
  via?: string;
  text?: string;
};

describe('pages in the dashboard', () => {
  let t: Story;
  let ada: SignedIn;
  let edsger: SignedIn;

  before(async () => {
    t = await twoStageStory();
    ada = await signIn(t, 'ada');
    edsger = await signIn(t, 'edsger');
  });
  after(() => t.end());

  const newPage = (body?: Record<string, unknown>) => pageTheTeam(t, body);

  it('are listed newest first, only open ones or all', async () => {
    const first = await newPage({ title: 'First' });
    const second = await newPage({ title: 'Second' });
    const open = (await ada.call('GET', '/api/pages')).body;
    assert.deepEqual(open.pages.map(({ id }: { id: string }) => id).slice(0, 2), [second, first]);
    const [page] = open.pages;
    assert.deepEqual(
      [
        page.title,
        page.team.slug,
        page.notified[0].person.name,
        page.channels[0].channel,
        page.next.stage,
        page.mine,
      ],
      ['Second', 'sre', 'Ada', 'webhook', 2, true],
    );
    const rest = (await ada.call('GET', `/api/pages?limit=1&before=${second}`)).body;
    assert.deepEqual([rest.pages[0].id, rest.has_more], [first, rest.has_more]);
    for (const id of [first, second]) await ada.call('POST', `/api/pages/${id}/resolve`);
    assert.equal(
      (await ada.call('GET', '/api/pages')).body.pages.some(({ id }: { id: string }) => id === first),
      false,
    );
    assert.equal((await ada.call('GET', '/api/pages?state=all')).body.pages[0].id, second);
    assert.equal((await ada.call('GET', '/api/pages?limit=0')).status, 400);
  });

  it('show everything that happened: who was notified and why, what was sent, what follows', async () => {
    const id = await newPage();
    const before = (await ada.call('GET', `/api/pages/${id}`)).body;
    const kinds = before.timeline.map(({ kind }: { kind: string }) => kind);
    assert.deepEqual(kinds, ['raised', 'notified', 'attempt']);
    const [raised, asked, attempt] = before.timeline;
    assert.equal(raised.by.name, 'Ada');
    assert.deepEqual(
      [asked.person.name, asked.stage, asked.why.reason, asked.why.schedule],
      ['Ada', 1, 'on call', 'sre 0'],
    );
    assert.deepEqual(
      [attempt.channel, attempt.outcome, attempt.address],
      ['webhook', 'accepted', new URL(t.receiver.url).host],
    );
    assert.deepEqual(
      before.upcoming.map(({ kind, as, stage, people }: Facts) => [kind, as, stage, people?.[0]?.name]),
      [
        ['notify', 'stage', 2, 'Grace'],
        ['notify', 'backstop', null, 'Grace'],
        ['notify', 'stage', 1, 'Ada'],
      ],
    );
    await ada.call('POST', `/api/pages/${id}/comments`, { text: 'Looking into it' });
    await ada.call('POST', `/api/pages/${id}/acknowledge`);
    const later = (await ada.call('GET', `/api/pages/${id}`)).body;
    const told = later.timeline
      .slice(3)
      .map(({ kind, by, via, text }: Facts) => [kind, by?.name, via ?? text]);
    assert.deepEqual(told, [
      ['comment', 'Ada', 'Looking into it'],
      ['acknowledged', 'Ada', 'dashboard'],
    ]);
    assert.deepEqual(later.upcoming, []);
    await ada.call('POST', `/api/pages/${id}/resolve`);
  });

  it('are escalated, shared and reassigned', async () => {
    const id = await newPage();
    assert.equal((await ada.call('POST', `/api/pages/${id}/escalate`)).body.changed, true);
    await t.settle();
    await t.notified('grace');
    const nobody = await ada.call('POST', `/api/pages/${id}/responders`, {
      users: ['ada@example.com', 'eve@example.com'],
    });
    assert.equal(nobody.status, 400);
    assert.match(
      nobody.body.details[0].message,
      /"eve@example.com", which matches nobody in your organization/,
    );
    assert.equal(
      (await ada.call('POST', `/api/pages/${id}/responders`, { users: ['EDSGER@example.com'] })).status,
      200,
    );
    await t.settle();
    await t.notified('edsger');
    assert.equal((await edsger.call('GET', `/api/pages/${id}`)).body.page.mine, true);
    const handed = await edsger.call('POST', `/api/pages/${id}/reassign`, { users: [t.acme.users.grace] });
    assert.equal(handed.body.changed, true);
    await t.settle();
    await t.notified('grace');
    await edsger.call('POST', `/api/pages/${id}/resolve`);
    const late = await ada.call('POST', `/api/pages/${id}/escalate`);
    assert.deepEqual(
      [late.status, late.body.details[0].message],
      [409, 'page is resolved; only an open page can be escalated.'],
    );
    assert.equal((await ada.call('POST', `/api/pages/${id}/acknowledge`)).body.changed, false);
  });
});
