import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FirstAnswers } from '../src/http/first-answers-contract.ts';
import { bringSession, launchBrowser, openTab, SIZES, type StoryBrowser } from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

const TITLE = '</script><script>document.title = "hostile"</script>';

describe('the first answers of the dashboard', () => {
  let t: Story;
  let ada: SignedIn;
  let browser: StoryBrowser;
  let schedule: string;

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada'),
        teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']] }] } },
      }),
    });
    ada = await signIn(t, 'ada');
    const { schedules } = (await ada.call('GET', '/api/schedules')).body;
    schedule = `/schedules/${schedules[0].id}`;
    await t.page('team', 'sre', { title: TITLE, urgency: 'low' });
    await t.notified('ada');
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await t.end();
  });

  const documentOf = async (path: string, headers: Record<string, string> = { cookie: ada.cookie }) => {
    const answer = await fetch(`${t.url}${path}`, { headers: { accept: 'text/html', ...headers } });
    return { headers: answer.headers, text: await answer.text() };
  };
  const answersIn = (text: string): FirstAnswers['answers'] =>
    JSON.parse(/id="first-answers">([^<]*)<[/]script/.exec(text)?.[1] ?? '{"answers":{}}').answers;

  it('are what the API answers, and only come with a session', async () => {
    const { headers, text } = await documentOf('/');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.match(headers.get('content-security-policy') ?? '', /script-src 'self';/);
    for (const [url, answer] of Object.entries(answersIn(text)))
      assert.deepEqual(answer, (await ada.call('GET', url)).body, url);
    assert.deepEqual(answersIn((await documentOf('/', {})).text), {});
    assert.deepEqual(answersIn((await documentOf('/', { cookie: 'tocsin=unknown' })).text), {});
  });

  for (const view of ['/', '/pages', '/reports', '/schedules', 'one schedule'])
    it(`spare ${view} the requests for them`, async () => {
      const path = view === 'one schedule' ? schedule : view;
      // A busy machine may take longer than the document waits.
      await eventually(async () => Object.keys(answersIn((await documentOf(path)).text)).length > 4, true);
      const tab = await openTab(browser);
      await bringSession(tab.page, ada, t.url);
      const requested: string[] = [];
      tab.page.on('request', (request) => {
        const { pathname, search } = new URL(request.url());
        if (pathname.startsWith('/api/')) requested.push(pathname + search);
      });
      await tab.page.goto(`${t.url}${path}`);
      await tab.page.getByRole('heading', { level: 1 }).waitFor();
      // The live connection is opened once the view is rendered; then everything is read again.
      while (!requested.includes('/api/events'))
        await tab.page.waitForRequest((request) => request.url().endsWith('/api/events'));
      const shown = await tab.page.content();
      const known = Object.keys(answersIn(shown));
      assert.equal(shown.includes('id="first-answers"'), known.length > 0);
      const before = requested.slice(0, requested.indexOf('/api/events'));
      assert.deepEqual(
        before.filter((url) => known.includes(url)),
        [],
      );
      assert.deepEqual(tab.errors, []);
      await tab.close();
    });

  it('name the files of the view in the document', async () => {
    const { text } = await documentOf(schedule);
    const files = [...text.matchAll(/<link rel="modulepreload" [^>]*href="([^"]+)"/g)];
    assert.ok(files.some(([, file]) => file?.startsWith('/assets/schedule-view-')));
    for (const [, file = ''] of files) assert.equal((await fetch(t.url + file)).status, 200, file);
    assert.ok(!(await documentOf('/')).text.includes('schedule-view'));
  });

  it('come with a frame that is as large as the one of the view', async () => {
    for (const size of ['phone', 'desk'] as const) {
      const context = await browser.newContext({ javaScriptEnabled: false, viewport: SIZES[size] });
      const before = await context.newPage();
      await bringSession(before, ada, t.url);
      await before.goto(t.url);
      const tab = await openTab(browser, size);
      await bringSession(tab.page, ada, t.url);
      await tab.page.goto(t.url);
      const [part, name] = size === 'phone' ? ['last', 'Main, below'] : ['first', 'Main'];
      const whole = before.locator(`[data-frame] > :${part}-child`);
      const navigation = tab.page.getByRole('navigation', { name, exact: true });
      // Without scripts, a line above the frame says that they are needed.
      const [expected, shown] = await Promise.all([whole.boundingBox(), navigation.boundingBox()]);
      assert.deepEqual({ ...shown, y: 0 }, { ...expected, y: 0 });
      assert.equal(await tab.page.locator('[data-frame]').count(), 0);
      await context.close();
      await tab.close();
    }
  });

  it('come without a frame for people who are not signed in, and for links that open another session', async () => {
    const framed = async (path: string, headers?: Record<string, string>) =>
      (await documentOf(path, headers)).text.includes('data-frame');
    assert.deepEqual(
      [
        await framed('/'),
        await framed('/', {}),
        await framed('/invitation'),
        await framed('/', { cookie: 'a=b' }),
      ],
      [true, false, false, false],
    );
  });

  it('show a hostile title as text', async () => {
    const tab = await openTab(browser);
    await bringSession(tab.page, ada, t.url);
    await tab.page.goto(t.url);
    await tab.page.getByRole('link', { name: TITLE }).waitFor();
    assert.doesNotMatch(await tab.page.title(), /hostile/);
    assert.deepEqual(tab.errors, []);
    await tab.close();
  });
});
