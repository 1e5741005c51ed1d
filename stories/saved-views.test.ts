import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  bringSession,
  launchBrowser,
  openTab,
  type Size,
  type StoryBrowser,
  schemesAt,
  type Tab,
} from '../testing/browser.ts';
import { looksWell } from '../testing/looks.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const MOST = 50;

/** Ada is in SRE, Edsger in Payments, and Grace is an admin without a team. */
describe('saved views', () => {
  let t: Story;
  let browser: StoryBrowser;
  let by: Record<'ada' | 'edsger' | 'grace', SignedIn>;

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: {
          people: { ada: {}, edsger: {}, grace: {} },
          teams: { sre: { members: ['ada'] }, payments: { members: ['edsger'] } },
        },
      }),
    ]);
    await t.db.updateTable('users').set({ role: 'admin' }).where('username', '=', 'grace').execute();
    const [ada, edsger, grace] = [
      await signIn(t, 'ada'),
      await signIn(t, 'edsger'),
      await signIn(t, 'grace'),
    ];
    by = { ada, edsger, grace };
  });
  after(async () => {
    await browser?.close();
    await t?.end();
  });

  const save = (who: SignedIn, more: object = {}) =>
    who.call('POST', '/api/saved-views', {
      ...{ team: 'sre', list: 'pages', name: 'Nights', query: 'show=all&urgency=high' },
      ...more,
    });
  const names = async (who: SignedIn, list = 'pages') => {
    const { body } = await who.call('GET', `/api/saved-views?list=${list}`);
    return body.views.map(({ name }: { name: string }) => name);
  };

  it('belong to a team, whose people and admins change them, and everybody sees them', async () => {
    const made = await save(by.ada);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.deepEqual([made.body.own_team, made.body.may_change, made.body.team.slug], [true, true, 'sre']);
    assert.deepEqual([await names(by.edsger), await names(by.edsger, 'moments')], [['Nights'], []]);
    const path = `/api/saved-views/${made.body.id}`;
    assert.equal((await save(by.edsger, { name: 'Mine' })).status, 403);
    assert.equal((await by.edsger.call('PATCH', path, { name: 'Theirs' })).status, 403);
    assert.equal((await by.edsger.call('DELETE', path)).status, 403);
    const changed = await by.grace.call('PATCH', path, { name: 'High at night' });
    assert.deepEqual([changed.body.name, changed.body.query], ['High at night', 'show=all&urgency=high']);
    const gone = await by.ada.call('DELETE', path);
    assert.deepEqual([gone.status, gone.body.name], [200, 'High at night']);
    assert.equal((await by.ada.call('DELETE', path)).status, 404);
    assert.deepEqual(await names(by.ada), []);
  });

  it('need a unique name in the team and list, and a valid query', async () => {
    const first = await save(by.ada);
    assert.equal((await save(by.ada, { list: 'moments' })).status, 201);
    const twice = await save(by.ada, { name: 'NIGHTS' });
    assert.equal(twice.status, 409);
    assert.match(twice.body.details[0].message, /give another name/);
    const other = await save(by.ada, { name: 'Days' });
    const renamed = await by.ada.call('PATCH', `/api/saved-views/${other.body.id}`, { name: 'nights' });
    assert.equal(renamed.status, 409);
    // The same view may be written in another way.
    assert.equal(
      (await by.ada.call('PATCH', `/api/saved-views/${first.body.id}`, { name: 'NIGHTS' })).status,
      200,
    );
    for (const [wrong, field] of [
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(81) }, 'name'],
      [{ query: 'a b' }, 'query'],
      [{ query: 'x'.repeat(2_001) }, 'query'],
      [{ list: 'people' }, 'list'],
      [{ team: 'nobody' }, 'team'],
    ] as const) {
      const answer = await save(by.ada, { name: 'Another', ...wrong });
      assert.deepEqual([answer.status, answer.body.details[0].field], [400, field], JSON.stringify(answer));
    }
  });

  it('are at most fifty for each team and list', async () => {
    const left = MOST - (await names(by.ada)).length;
    const made = await Promise.all(
      Array.from({ length: left + 3 }, (_, index) => save(by.ada, { name: `View ${index}` })),
    );
    const statuses = made.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [...Array(left).fill(201), 409, 409, 409]);
    const refused = made.find(({ status }) => status === 409);
    assert.match(refused?.body.details[0].message, /50 saved views of this list; delete one first/);
    await t.db.deleteFrom('saved_views').execute();
  });

  for (const size of ['desk', 'phone'] as Size[])
    for (const scheme of schemesAt(size))
      it(`are saved, opened, changed and deleted in the lists, ${size} ${scheme}`, async () => {
        const tab: Tab = await openTab(browser, size, scheme);
        await bringSession(tab.page, by.ada, t.url);
        const { page } = tab;
        await page.goto(`${t.url}/pages`);
        await page.getByRole('heading', { name: 'Pages' }).waitFor();
        assert.equal(await page.getByRole('button', { name: 'Saved views' }).count(), 0);
        await page.goto(`${t.url}/pages?show=all&urgency=high&text=disk`);
        await page.getByRole('button', { name: 'Saved views' }).click();
        await page.getByRole('menuitem', { name: 'Save these filters as a view' }).click();
        const dialog = page.getByRole('dialog', { name: 'Save the view' });
        await dialog.getByRole('textbox', { name: 'Name' }).fill('Disks');
        await looksWell(page, `saved-view-new-${size}-${scheme}`, size, false);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await page.getByText('“Disks” is saved for SRE.').waitFor();
        await save(by.edsger, { team: 'payments', name: 'Invoices', query: 'show=resolved' });

        await page.goto(`${t.url}/pages`);
        await page.getByRole('button', { name: 'Saved views' }).click();
        await page.getByRole('menuitem', { name: 'Invoices' }).waitFor();
        await looksWell(page, `saved-views-${size}-${scheme}`, size, false);
        await page.getByRole('menuitem', { name: 'Disks' }).click();
        await page.getByRole('button', { name: 'Disks' }).waitFor();
        assert.deepEqual(Object.fromEntries(new URL(page.url()).searchParams), {
          show: 'all',
          urgency: 'high',
          text: 'disk',
        });
        assert.equal(await page.getByRole('searchbox').inputValue(), 'disk');

        await page.getByRole('searchbox').fill('disk full');
        await page.waitForURL(/disk\+full|disk%20full/);
        await page.getByRole('button', { name: 'Saved views' }).click();
        await page.getByRole('menuitem', { name: 'Save these filters in “Disks”' }).click();
        await page.getByText('“Disks” now has these filters.').waitFor();
        await page.getByRole('button', { name: 'Disks' }).click();
        await page.getByRole('menuitem', { name: 'Delete “Disks”' }).click();
        await page.getByText('“Disks” is deleted.').waitFor();
        assert.deepEqual(await names(by.ada), ['Invoices']);
        await page.getByRole('button', { name: 'Undo' }).last().click();
        await page.getByText('“Disks” is saved again.').waitFor();
        assert.deepEqual((await names(by.ada)).toSorted(), ['Disks', 'Invoices']);

        await page.goto(`${t.url}/moments?state=all`);
        await page.getByRole('button', { name: 'Saved views' }).click();
        await page.getByRole('menuitem', { name: 'Save these filters as a view' }).waitFor();
        assert.deepEqual(tab.errors, []);
        await tab.close();
        await t.db.deleteFrom('saved_views').execute();
      });
});
