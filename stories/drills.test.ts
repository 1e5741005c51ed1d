import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  bringSession,
  launchBrowser,
  openTab,
  type Size,
  type StoryBrowser,
  schemesAt,
} from '../testing/browser.ts';
import { looksWell } from '../testing/looks.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** Ada is on call, then Grace. Drills are handled like any page, but count in no report. */
describe('drills', () => {
  let t: Story;
  let browser: StoryBrowser;
  let ada: SignedIn;

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: (receiver) => ({
          people: webhookPeople(receiver, 'ada', 'grace'),
          teams: {
            sre: {
              members: ['ada', 'grace'],
              schedules: [{ stages: [['ada'], ['grace']], backstop: 'grace' }],
            },
          },
        }),
      }),
    ]);
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'ada').execute();
    ada = await signIn(t, 'ada');
  });
  after(async () => {
    await browser?.close();
    await t?.end();
  });

  const drill = (more: object = {}) =>
    t.page('team', 'sre', {
      title: 'Can you hear this?',
      text: 'Monthly.',
      drill: true,
      urgency: 'high',
      ...more,
    });

  /** `around`: a time in the middle of the two days that are reported. */
  async function counted(around: Temporal.Instant): Promise<unknown> {
    const span = `from=${around.subtract({ hours: 24 })}&to=${around.add({ hours: 24 })}`;
    const reports = ['responses', 'fairness', 'load'].map(async (report) => {
      const { status, body } = await ada.call('GET', `/api/reports/${report}?${span}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    });
    return JSON.stringify(await Promise.all(reports)).match(
      /"(pages|acknowledged|interruptions|asked)":\d+/g,
    );
  }

  it('notify and escalate like every page, and are marked in title and text', async () => {
    const begun = await t.clock.now(t.db);
    const before = await counted(begun);
    const request = await drill();
    const [first] = await t.notified('ada');
    assert.ok(first);
    const body = JSON.stringify(first);
    assert.match(body, /Drill: Can you hear this\?/);
    assert.match(body, /This is a drill\. Nothing is broken\./);
    await t.advance({ minutes: 30 });
    const later = t.receiver.inbox.takeAll();
    assert.ok(later.length > 0, 'nobody answered, so Grace is notified');
    await t.acknowledge(first);
    const status = await t.get(`/request/${request}/status`, t.acme.key);
    const { page } = status.body.response as { page: { id: string; drill: boolean; state: string } };
    assert.deepEqual([page.drill, page.state], [true, 'acknowledged']);
    const shown = (await ada.call('GET', `/api/pages/${page.id}`)).body;
    assert.equal(shown.page.drill, true);
    assert.equal(shown.timeline.find(({ kind }: { kind: string }) => kind === 'raised').drill, true);
    assert.deepEqual(await counted(begun), before, 'reports leave it out');
    await t.resolveAcknowledged();
    t.receiver.inbox.takeAll();
  });

  it('stay drills if they are repeated, and are not marked twice', async () => {
    const { page } = await t.status(await drill());
    await t.notified('ada');
    await ada.call('POST', `/api/pages/${page.id}/resolve`);
    await t.settle();
    t.receiver.inbox.takeAll();
    const again = await ada.call('POST', `/api/pages/${page.id}/again`);
    assert.equal(again.status, 201, JSON.stringify(again.body));
    await t.settle();
    t.receiver.inbox.takeAll();
    const { body } = await ada.call('GET', `/api/pages/${again.body.page_id}`);
    assert.deepEqual([body.page.drill, body.page.title], [true, 'Drill: Can you hear this?']);
    await ada.call('POST', `/api/pages/${again.body.page_id}/resolve`);
    await t.settle();
    t.receiver.inbox.takeAll();
  });

  it('accept no dedup key, which would join them with a real page', async () => {
    const answer = await t.post(
      '/page/team',
      { recipient: 'sre', title: 'x', text: 'x', drill: true, dedup_key: 'disk' },
      { authorization: `Bearer ${t.acme.key}` },
    );
    assert.equal(answer.status, 400);
    assert.match(JSON.stringify(answer.body), /a drill has no dedup key/);
    const real = await t.status(await t.page('team', 'sre', { title: 'Drill: not one' }));
    await t.notified('ada');
    const { body } = await ada.call('GET', `/api/pages/${real.page.id}`);
    assert.equal(body.page.drill, false, 'a title alone makes no drill');
    await ada.call('POST', `/api/pages/${real.page.id}/resolve`);
    await t.settle();
    t.receiver.inbox.takeAll();
  });

  for (const size of ['desk', 'phone'] as Size[])
    for (const scheme of schemesAt(size))
      it(`are sent from the set-up after a preview, ${size} ${scheme}`, async () => {
        await t.db.updateTable('pages').set({ acknowledged_at: null, acknowledged_by: null }).execute();
        const tab = await openTab(browser, size, scheme);
        await bringSession(tab.page, ada, t.url);
        const { page } = tab;
        await page.goto(`${t.url}/set-up`);
        await page.getByRole('button', { name: 'Send a drill' }).click();
        const dialog = page.getByRole('dialog', { name: 'Send a drill' });
        await dialog.getByText('Ada', { exact: true }).first().waitFor();
        await looksWell(page, `drill-${size}-${scheme}`, size, false);
        await dialog.getByRole('button', { name: 'Page them now' }).click();
        // An alarm with the same title may already be over the page.
        await page.locator('#main').getByRole('heading', { name: 'Drill: Can you hear this?' }).waitFor();
        await page.getByText('Raised as a drill by Ada').waitFor();
        await page.getByText('Nothing is broken, and reports leave this page out.').waitFor();
        await t.settle();
        const [notified] = await t.notified('ada');
        assert.ok(notified);
        await t.acknowledge(notified);
        await looksWell(page, `page-of-drill-${size}-${scheme}`, size);
        await page.goto(`${t.url}/set-up`);
        await page.getByText('A page was acknowledged.').waitFor();
        assert.deepEqual(tab.errors, []);
        await tab.close();
        await t.resolveAcknowledged();
        t.receiver.inbox.takeAll();
      });
});
