import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { barriers } from '../testing/accessibility.ts';
import {
  launchBrowser,
  openTab,
  photograph,
  type Scheme,
  SIZES,
  type Size,
  type StoryBrowser,
  schemesAt,
  type Tab,
} from '../testing/browser.ts';
import { signInLink } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

describe('settings and requests in a browser', () => {
  let t: Story;
  let browser: StoryBrowser;
  let request: string;

  /** The types of the requests that Ada's own webhook received. */
  const received: string[] = [];
  const elsewhere = createServer(async (request, response) => {
    received.push((JSON.parse(await text(request)) as { type: string }).type);
    response.end();
  });

  before(async () => {
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
    const { port } = elsewhere.address() as AddressInfo;
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: (receiver) => ({
          people: {
            ...webhookPeople(receiver, 'grace'),
            ada: { methods: [{ type: 'webhook' as const, value: `http://127.0.0.1:${port}/` }] },
          },
          teams: {
            sre: { members: ['ada', 'grace'], schedules: [{ stages: [['grace']], backstop: 'ada' }] },
          },
        }),
      }),
    ]);
    await t.db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', t.acme.users.ada ?? '')
      .execute();
    request = await t.page('team', 'sre', { title: 'Disk full', urgency: 'high' });
    await t.notified('grace');
  });
  after(async () => {
    await browser?.close();
    await t.end();
    elsewhere.close();
  });

  async function signedIn(person: string, size?: Size, scheme?: Scheme): Promise<Tab> {
    const tab = await openTab(browser, size, scheme);
    await tab.page.goto(await signInLink(t, person));
    await tab.page.getByRole('button', { name: 'Sign in' }).click();
    await tab.page.getByRole('heading', { name: 'Now' }).waitFor();
    return tab;
  }

  it('changes the organization, and the audit log names the person', async () => {
    const { page, errors, close } = await signedIn('ada');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Acme & Sons');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByTitle('Acme & Sons').waitFor();
    await page.getByRole('tab', { name: 'Audit log' }).click();
    await page.getByText('organization.changed').click();
    await page.getByText(/"name": "Acme & Sons"/).waitFor();
    assert.deepEqual(errors, []);
    await close();
  });

  it('sends a test to the viewer, through a channel', async () => {
    const { page, close } = await signedIn('ada');
    await page.goto(`${t.url}/settings?tab=channels`);
    await page.getByRole('button', { name: 'Set up: Twilio' }).waitFor();
    await page.getByRole('button', { name: 'Send me a test' }).click();
    await page.getByText('Sent to you: it should arrive in a moment.').waitFor();
    assert.deepEqual(received, ['test'], 'a test is no page');
    await close();
  });

  it('shows members the settings without a way to change them', async () => {
    const { page, close } = await signedIn('grace');
    await page.goto(`${t.url}/settings`);
    await page.getByText('Only owners and admins can change this.').waitFor();
    assert.equal(await page.getByRole('tab', { name: 'Audit log' }).count(), 0);
    await close();
  });

  it('looks up a request by its id, also from the finder', async () => {
    const { page, errors, close } = await signedIn('ada');
    await page.goto(`${t.url}/requests`);
    await page.getByRole('textbox', { name: 'Request ID' }).fill(request);
    await page.getByRole('button', { name: 'Look it up' }).click();
    await page.getByRole('heading', { name: 'Page to a team' }).waitFor();
    await page.getByRole('link', { name: /Its page/ }).waitFor();
    await page.goto(`${t.url}/`);
    await page.getByRole('heading', { name: 'Now' }).waitFor();
    await page.getByRole('button', { name: /^Search/ }).click();
    await page.getByRole('textbox', { name: 'Find' }).fill(`service_request_id ${request}`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Page to a team' }).waitFor();
    assert.deepEqual(errors, []);
    await close();
  });

  for (const size of Object.keys(SIZES) as Size[])
    for (const scheme of schemesAt(size))
      it(`is correct at ${SIZES[size].width} pixels, ${scheme}`, async () => {
        const { page, errors, close } = await signedIn('ada', size, scheme);
        for (const [view, path, sign] of [
          ['settings', '/settings', 'Time zone'],
          ['channels', '/settings?tab=channels', 'Webhooks'],
          ['audit', '/settings?tab=audit', 'organization.changed'],
          ['system', '/settings?tab=system', 'Received webhook calls'],
          ['requests', '/requests', request],
          ['request', `/requests/${request}`, 'Its page'],
        ] as const) {
          await page.goto(t.url + path);
          await page.getByText(sign).first().waitFor();
          const width = await page.evaluate('document.documentElement.scrollWidth');
          assert.equal(width, SIZES[size].width, `${view} scrolls sideways`);
          await page.evaluate('document.fonts.ready');
          await photograph(page, `${view}-${size}-${scheme}`, size === 'desk');
          assert.deepEqual(await barriers(page), [], view);
        }
        assert.deepEqual(errors, []);
        await close();
      });
});
