import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  bringSession,
  launchBrowser,
  openTab,
  type Scheme,
  type Size,
  type StoryBrowser,
  schemesAt,
  type Tab,
} from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { looksWell } from '../testing/looks.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** An owner's set-up without a terminal. */
describe('the set-up in the dashboard', () => {
  let t: Story;
  let browser: StoryBrowser;
  let ada: SignedIn;

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: (receiver) => ({
          people: {
            ...webhookPeople(receiver, 'ada'),
            grace: {},
            alan: {},
            edsger: {},
          },
          teams: { sre: { members: ['ada', 'grace', 'alan'] } },
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

  async function opened(path: string, size: Size = 'desk', scheme?: Scheme): Promise<Tab> {
    const tab = await openTab(browser, size, scheme ?? schemesAt(size)[0]);
    await bringSession(tab.page, ada, t.url);
    await tab.page.goto(t.url + path);
    return tab;
  }

  it('lists the missing steps, each with a link', async () => {
    for (const size of ['desk', 'phone'] as const)
      for (const scheme of schemesAt(size)) {
        const { page, errors, close } = await opened('/set-up', size, scheme);
        const steps = page.getByRole('main').getByRole('listitem');
        await page.getByText('No tool reports here yet.').waitFor();
        assert.equal(await steps.count(), 7);
        await page
          .getByText(/^3 of 4 people have no verified contact method: Alan, Edsger and Grace\.$/)
          .waitFor();
        await looksWell(page, `set-up-${size}-${scheme}`, size);
        await page.getByRole('link', { name: /^New schedule/ }).click();
        await page.getByRole('heading', { name: 'New schedule' }).waitFor();
        assert.deepEqual(errors, []);
        await close();
      }
  });

  it('opens the form of a page source from its step, and the team without it afterwards', async () => {
    const { page, errors, close } = await opened('/set-up');
    await page.getByRole('link', { name: 'Add a page source: Connect a monitoring system' }).click();
    const dialog = page.getByRole('dialog', { name: 'New page source of SRE' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByRole('button', { name: 'New page source' }).waitFor();
    assert.equal(await dialog.count(), 0);
    assert.deepEqual(errors, []);
    await close();
  });

  it('never has the focus below the navigation of a phone', async () => {
    const { page, close } = await opened('/set-up', 'phone');
    await page.getByText('No tool reports here yet.').waitFor();
    const bar = await page.getByRole('navigation', { name: 'Main, below' }).boundingBox();
    const link = page.getByRole('main').getByRole('listitem').getByRole('link').nth(5);
    const bottom = async () => {
      const box = await link.boundingBox();
      return box ? box.y + box.height : 0;
    };
    // As if the person had scrolled until the link is at the end of the window, below the bar.
    await page.evaluate(`scrollBy(0, ${(await bottom()) - 840})`);
    assert.ok((await bottom()) > (bar?.y ?? 0), `the link is below the bar: ${await bottom()}`);
    await link.focus();
    await eventually(async () => (await bottom()) <= (bar?.y ?? 0), true);
    await close();
  });

  it('adds the whole team to a stage', async () => {
    const { page, errors, close } = await opened('/schedules/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Nights');
    const skipped = page.getByText('Until somebody takes turns here, pages skip this stage.');
    await skipped.waitFor();
    await page.getByRole('button', { name: 'Add the whole team' }).click();
    await skipped.waitFor({ state: 'hidden' });
    const turns = page.getByRole('list', { name: /Who takes turns in stage 1/ });
    assert.equal(await turns.getByRole('listitem').count(), 3);
    assert.equal(await page.getByRole('button', { name: /of the team$|whole team/ }).count(), 0);
    await page.getByRole('button', { name: 'Take Grace out' }).click();
    await page.getByRole('button', { name: 'Add Grace' }).click();
    await page.getByRole('button', { name: 'Create the schedule and plan it' }).click();
    await page.getByRole('heading', { name: 'Nights', level: 1 }).waitFor();
    const { schedules } = (await ada.call('GET', '/api/schedules')).body;
    assert.deepEqual(
      schedules.map(({ name }: { name: string }) => name),
      ['Nights'],
    );
    assert.deepEqual(errors, []);
    await close();
  });

  it('invites a pasted list, and names the people who could not be invited', async () => {
    const { page, close } = await opened('/people');
    await page.getByRole('button', { name: 'Invite several people' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite several people' });
    const list = dialog.getByRole('textbox', { name: 'People' });
    await list.fill('Barbara Liskov <barbara@example.com>\nsomebody');
    await dialog.getByText('“somebody” contains no complete email address.').waitFor();
    await looksWell(page, 'invite-many', 'desk', false);
    await list.fill('Barbara Liskov <barbara@example.com>\nlinus@example.com\nGrace <grace@example.com>');
    await dialog.getByRole('checkbox', { name: 'I will pass on each link myself' }).click();
    await dialog.getByRole('button', { name: 'Invite 3 people' }).click();
    const outcome = page.getByRole('dialog', { name: '2 people are invited' });
    await outcome.getByText('1 person was not invited').waitFor();
    await outcome.getByText(/^grace@example.com: /).waitFor();
    assert.equal(await outcome.getByRole('button', { name: /^Copy the link of/ }).count(), 2);
    await looksWell(page, 'invited-many', 'desk', false);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: t.url });
    await outcome.getByRole('button', { name: 'Copy all links' }).click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.match(copied, /^barbara@example.com http\S+\nlinus@example.com http\S+$/);
    await outcome.getByRole('button', { name: 'Done' }).click();
    const { invitations } = (await ada.call('GET', '/api/invitations')).body;
    assert.deepEqual(
      invitations.map(({ email, teams }: { email: string; teams: string[] }) => [email, teams]).toSorted(),
      [
        ['barbara@example.com', ['SRE']],
        ['linus@example.com', ['SRE']],
      ],
    );
    await close();
  });

  it('shows a working command next to a new key', async () => {
    const { page, errors, close } = await opened('/keys');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: t.url });
    await page.getByRole('button', { name: 'New key' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('ci');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByText('This pages SRE with low urgency').waitFor();
    await looksWell(page, 'key-with-command', 'desk', false);
    await page.getByRole('button', { name: 'Copy the command' }).click();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    const [, url, auth, body] =
      /^curl -sS "(\S+)" -H "Authorization: (.+?)" -H 'Content-Type: application\/json' -d '(.+)'$/.exec(
        command,
      ) ?? [];
    const answer = await fetch(url ?? '', {
      method: 'POST',
      headers: { authorization: auth ?? '', 'content-type': 'application/json' },
      body: body ?? '',
    });
    assert.equal(answer.status, 200, await answer.text());
    await t.settle();
    await t.notified('ada');
    assert.deepEqual(errors, []);
    await close();
  });
});
