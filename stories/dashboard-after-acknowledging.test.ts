import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  bringSession,
  launchBrowser,
  openTab,
  photograph,
  type Size,
  type StoryBrowser,
  schemesAt,
} from '../testing/browser.ts';
import { reachableElsewhere } from '../testing/elsewhere.ts';
import { looksWell } from '../testing/looks.ts';
import { signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

describe('an acknowledged page, in a browser', () => {
  let t: Story;
  let browser: StoryBrowser;
  let elsewhere: { url: string; close(): void };

  before(async () => {
    elsewhere = await reachableElsewhere();
    const person = { methods: [{ type: 'webhook' as const, value: elsewhere.url }] };
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: {
          people: { ada: person, grace: person, edsger: person },
          teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
        },
      }),
    ]);
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'edsger').execute();
  });
  after(async () => {
    await browser?.close();
    await t?.end();
    elsewhere.close();
  });

  for (const size of ['desk', 'phone'] as Size[])
    for (const scheme of schemesAt(size))
      it(`is extended, snoozed, handed on and reopened, ${size} ${scheme}`, async () => {
        const { page: raised } = await t.status(
          await t.page('team', 'sre', { title: `Checkout ${size} ${scheme}`, urgency: 'high' }),
        );
        const { page, close } = await openTab(browser, size, scheme);
        await bringSession(page, await signIn(t, 'edsger'), t.url);
        await page.goto(`${t.url}/pages/${raised.id}`);
        await page.getByRole('button', { name: 'Acknowledge', exact: true }).click();
        await page.getByText(/Notifies Edsger again in (29|30) min unless resolved/).waitFor();
        await page.getByRole('button', { name: 'Extend' }).click();
        await page.getByText('Edsger extended the acknowledgement').waitFor();

        const more = page.getByRole('button', { name: 'More actions' });
        await looksWell(page, `page-acknowledged-${size}-${scheme}`, size, false);
        await more.click();
        await page.getByRole('menuitem', { name: 'Un-acknowledge' }).waitFor();
        await photograph(page, `page-more-actions-${size}-${scheme}`);
        await page.getByRole('menuitem', { name: 'Snooze' }).click();
        await page.getByRole('dialog').getByText('4 h').click();
        await page.getByRole('dialog').getByRole('button', { name: 'Snooze' }).click();
        await page.getByText('Notifies Edsger again in 4 h unless resolved').waitFor();

        await more.click();
        await page.getByRole('menuitem', { name: 'Reassign' }).click();
        await page.getByRole('dialog').getByText('Team', { exact: true }).click();
        const team = page.getByRole('combobox', { name: 'Team' });
        await team.fill('SR');
        // By key: a list that moves on a slow machine would be clicked beside its option.
        await page.getByRole('option', { name: 'SRE' }).waitFor();
        await team.press('ArrowDown');
        await team.press('Enter');
        await team.and(page.locator('[value="SRE"]')).waitFor();
        await looksWell(page, `page-reassign-${size}-${scheme}`, size, false);
        await page.getByRole('dialog').getByRole('button', { name: 'Reassign' }).click();
        await page.getByText(/Edsger reassigned it to sre/).waitFor();
        await page.getByRole('button', { name: 'Resolve' }).click();
        await page.getByRole('button', { name: 'Reopen' }).click();
        await page.getByText('Edsger reopened the page').waitFor();
        const { state } = (
          await t.status(
            (
              await t.db
                .selectFrom('pages')
                .select('request_id')
                .where('id', '=', raised.id)
                .executeTakeFirstOrThrow()
            ).request_id,
          )
        ).page;
        assert.equal(state, 'notifying');
        await close();
      });
});
