import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bringSession, launchBrowser, openTab, type StoryBrowser, type Tab } from '../testing/browser.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** Errors are in the language of the dashboard. Programs get English, whatever language they accept. */
describe('errors in the language of a person', () => {
  let t: Story;
  let browser: StoryBrowser;
  let ada: SignedIn;
  let grace: SignedIn;

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({ organization: { people: { ada: {}, grace: {} }, teams: { sre: { members: ['ada'] } } } }),
    ]);
    await t.db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', t.acme.users.ada ?? '')
      .execute();
    [ada, grace] = await Promise.all([signIn(t, 'ada'), signIn(t, 'grace')]);
    await ada.call('PATCH', '/api/profile', { language: 'de' });
    await grace.call('PATCH', '/api/profile', { language: 'ja' });
  });
  after(async () => {
    await browser?.close();
    await t.end();
  });

  async function open(person: SignedIn, path: string): Promise<Tab> {
    const tab = await openTab(browser);
    await bringSession(tab.page, person, t.url);
    await tab.page.goto(t.url + path);
    return tab;
  }
  const asked = (person: SignedIn, language: string, path: string, body: unknown) =>
    person.call('POST', path, body, { 'sec-fetch-site': 'same-origin', 'accept-language': language });

  it('the names of the fields, the status and the error do not change, because programs read them', async () => {
    const german = await asked(ada, 'de-AT,de;q=0.9', '/api/teams', { name: 'X' });
    assert.deepEqual(german, {
      status: 400,
      body: {
        error: 'Bad Request',
        details: [{ field: 'slug', message: 'slug fehlt; gib einen Text mit höchstens 1.000 Zeichen an.' }],
      },
    });
    const english = await asked(ada, 'en', '/api/teams', { name: 'X' });
    assert.equal(
      english.body.details[0].message,
      'slug is missing; give a text of at most 1,000 characters.',
    );
    const unread = await fetch(`${t.url}/api/teams`, {
      method: 'POST',
      headers: {
        ...{ cookie: ada.cookie, 'sec-fetch-site': 'same-origin' },
        ...{ 'content-type': 'application/json', 'accept-language': 'de' },
      },
      body: '{"name": ',
    });
    const { details } = (await unread.json()) as { details: { message: string }[] };
    assert.match(details[0]?.message ?? '', /^body ist kein gültiges JSON \(/);
  });

  it('people whose pages are refused at the same time read the error in their own language, and programs in English', async () => {
    const body = { recipient: 'nobody', title: 'Late', text: 'Later than usual', urgency: 'low' };
    const [german, japanese, program] = await Promise.all([
      asked(ada, 'de', '/api/pages', { kind: 'team', ...body }),
      asked(grace, 'ja', '/api/pages', { kind: 'team', ...body }),
      t.post('/page/team', body, { 'accept-language': 'de' }),
    ]);
    const said = (answer: { body: Record<string, unknown> }) =>
      (answer.body.details as { message: string }[])[0]?.message;
    assert.equal(
      said(german),
      'recipient nennt kein Team: Es gibt keines mit dem Kurznamen "nobody"; gib den Kurznamen eines Teams aus dessen Einstellungen an.',
    );
    assert.match(said(japanese) ?? '', /^recipientに該当するチームがありません（スラッグ："nobody"）。/);
    assert.equal(
      said(program),
      'recipient names no team: there is none with the slug "nobody"; give a team\'s slug from its settings page.',
    );
  });

  it('somebody who cannot be reached is named with the reason in the language of the reader', async () => {
    const body = { recipient: 'grace@example.com', title: 'Late', text: 'Later than usual', urgency: 'low' };
    const [german, program] = await Promise.all([
      asked(ada, 'de', '/api/pages', { kind: 'person', ...body }),
      t.post('/page/person', body, { 'accept-language': 'ja' }),
    ]);
    assert.match(JSON.stringify(german.body), /kein Kontaktweg/);
    assert.match(JSON.stringify(program.body), /who cannot be reached: no contact method, and/);
  });

  it('the public API answers the same byte by byte, whatever language a program accepts', async () => {
    const calls = [
      ['/page/team', {}],
      ['/page/team', { recipient: 'sre', urgency: 'urgent' }],
      ['/moment', {}],
      ['/schedules/oncalls', { schedule_ids: ['unknown'] }],
    ] as const;
    for (const [path, body] of calls) {
      const [plain, german] = await Promise.all(
        [{}, { 'accept-language': 'de', accept: 'text/html,application/json' }].map(async (headers) => {
          const { status, body: answer } = await t.post(path, body, headers as Record<string, string>);
          return { status, answer };
        }),
      );
      assert.deepEqual(german, plain, path);
      assert.ok((plain?.status ?? 0) >= 400, path);
    }
  });

  it('a refused field of a form is refused in German', async () => {
    const { page, close } = await open(ada, '/teams');
    await page.getByRole('button', { name: 'Neues Team' }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Betrieb');
    await form.getByRole('textbox', { name: 'Kurzname' }).fill('Über Alles');
    await form.getByRole('button', { name: 'Team anlegen' }).click();
    await form.getByText('Die Angabe ist "Über Alles"; gib einen Kurznamen').waitFor();
    await form.getByRole('textbox', { name: 'Kurzname' }).fill('sre');
    await form.getByRole('button', { name: 'Team anlegen' }).click();
    await form.getByText('Die Angabe ist sre, und diesen Kurznamen hat schon ein anderes Team').waitFor();
    await close();
  });

  it('and in Japanese, where a particle joins the field and its predicate', async () => {
    const { page, close } = await open(grace, '/profile');
    await page.getByRole('button', { name: '連絡先を追加' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByPlaceholder('https://').fill('ftp://example.com');
    await form.getByPlaceholder('https://').press('Enter');
    await form.getByText('この項目がhttpまたはhttpsのURLではありません。').waitFor();
    await close();
  });
});
