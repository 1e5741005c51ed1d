import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import {
  bringSession,
  launchBrowser,
  openTab,
  SIZES,
  type Size,
  type StoryBrowser,
  schemesAt,
} from '../testing/browser.ts';
import { commandLine } from '../testing/command-line.ts';
import { failure, fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import { looksWell } from '../testing/looks.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

type Shown = { code: string; message: string; fix: string; count: number; person: { name: string } | null };

describe('Problems', { timeout: 600_000 }, () => {
  /** Bob's receiver, whose answer the story sets. */
  let status = 500;
  const bobs = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end(status === 500 ? 'no space left' : ''));
  });
  let t: Story;
  let ada: SignedIn;

  before(async () => {
    await once(bobs.listen(0, '127.0.0.1'), 'listening');
    const { port } = bobs.address() as AddressInfo;
    t = await story({
      organization: (receiver) => ({
        people: {
          ada: { methods: [{ type: 'webhook', value: `${receiver.url}ada` }] },
          bob: { methods: [{ type: 'webhook', value: `http://127.0.0.1:${port}/bob` }] },
          carol: { methods: [{ type: 'webhook', value: `http://127.0.0.1:${port}/carol` }] },
        },
        teams: { sre: { members: ['ada', 'bob'], schedules: [{ stages: [['ada']] }] } },
      }),
    });
    await t.db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', t.acme.users.ada ?? '')
      .execute();
    ada = await signIn(t, 'ada');
  });
  after(async () => {
    bobs.close();
    await t.end();
  });

  async function listed(state = 'open'): Promise<Shown[]> {
    await t.app.duties.runAll();
    const { status, body } = await ada.call('GET', `/api/problems?state=${state}`);
    assert.equal(status, 200);
    return body.problems;
  }
  const codes = async () => (await listed()).map(({ code, count }) => [code, count]);
  const call = async (url: string) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'Disk full', type: 'alert' });
    const answer = await fetch(url, { method: 'POST', headers, body });
    await answer.body?.cancel();
    return answer.status;
  };
  const doctor = async () => {
    const tocsin = commandLine(t.commandEnv.DATABASE_URL);
    try {
      return (await tocsin.run(['doctor'], { env: t.commandEnv })).stdout;
    } finally {
      tocsin.remove();
    }
  };

  it("lists a person's webhook that accepts no notifications, until one gets through", async () => {
    assert.deepEqual(await codes(), []);
    const requestId = await t.page('person', 'bob@example.com');
    const [problem, ...others] = await listed();
    assert.deepEqual(others, []);
    assert.deepEqual([problem?.code, problem?.person?.name], ['contact_method', 'Bob']);
    assert.match(problem?.message ?? '', /^It answered 500: no space left\.$/);
    assert.match(
      problem?.fix ?? '',
      /^Fix the receiver of this webhook, or change or remove the contact method/,
    );
    const said = await doctor();
    assert.match(said, /webhook of Bob: It answered 500: no space left\. \(once\)/);
    assert.doesNotMatch(said, /\[object/);

    status = 204;
    await t.advance({ minutes: 1 });
    const { page } = await t.status(requestId);
    assert.deepEqual(
      page.deliveries.map(({ state }) => state),
      ['accepted'],
    );
    assert.deepEqual(await codes(), []);
    assert.deepEqual(
      (await listed('closed')).map(({ code }) => code),
      ['contact_method'],
    );
  });

  it('closes it once a test got through, or the person is disabled', async () => {
    status = 404;
    const bob = await signIn(t, 'bob');
    await t.page('person', 'bob@example.com');
    assert.deepEqual(await codes(), [['contact_method', 1]]);
    status = 204;
    const { contact_methods: methods } = (await bob.call('GET', '/api/contact-methods')).body;
    const tested = await bob.call('POST', `/api/contact-methods/${methods[0].id}/test`);
    assert.deepEqual([tested.status, tested.body.sent], [200, true], JSON.stringify(tested.body));
    assert.deepEqual(await codes(), []);

    status = 404;
    await t.page('person', 'bob@example.com');
    assert.deepEqual(await codes(), [['contact_method', 1]]);
    assert.equal((await ada.call('POST', `/api/people/${t.acme.users.bob}/disable`)).status, 200);
    await t.settle();
    assert.deepEqual(await codes(), []);
  });

  it('lists calls to an expired webhook, and to a URL from before its rotation', async () => {
    const end = (await t.clock.now(t.db)).add({ hours: 1 }).toString();
    const made = (
      await ada.call('POST', '/api/webhooks', { team: 'sre', name: 'Old', type: 'custom', expires_at: end })
    ).body;
    const { id, url } = (
      await ada.call('POST', '/api/webhooks', { team: 'sre', name: 'New', type: 'custom' })
    ).body;
    const rotated = await ada.call('POST', `/api/webhooks/${id}/rotate`, { old_until: end });
    assert.equal(rotated.status, 200, JSON.stringify(rotated.body));
    await t.advance({ hours: 2 });
    assert.deepEqual([await call(made.url), await call(url), await call(url)], [410, 410, 410]);
    assert.deepEqual((await codes()).toSorted(), [
      ['expired', 1],
      ['former_url', 2],
    ]);

    const said = await doctor();
    assert.match(said, /webhook Old of SRE: Calls still arrive, although the webhook has expired\. \(once\)/);
    assert.match(said, /webhook New of SRE: Calls still arrive at a former URL of the webhook/);
    assert.match(said, /→ Give the sender the current URL of the webhook/);
    assert.doesNotMatch(said, /\[object/);

    // The current URL works, but calls may still use the former one.
    assert.equal(await call(rotated.body.url), 200);
    await t.settle();
    assert.deepEqual((await codes()).toSorted(), [
      ['expired', 1],
      ['former_url', 2],
    ]);
    await t.page('person', 'carol@example.com');
    assert.deepEqual((await codes()).toSorted(), [
      ['contact_method', 1],
      ['expired', 1],
      ['former_url', 2],
    ]);
    for (const size of Object.keys(SIZES) as Size[])
      for (const scheme of schemesAt(size)) await looks(size, scheme);
    assert.equal((await ada.call('DELETE', `/api/webhooks/${made.id}`)).status, 200);
    assert.deepEqual((await codes()).toSorted(), [
      ['contact_method', 1],
      ['former_url', 2],
    ]);
    await t.advance({ hours: 25 });
    ada = await signIn(t, 'ada');
    assert.deepEqual(await codes(), [['contact_method', 1]], 'nobody has called the former URL for a day');
  });

  let browser: StoryBrowser | undefined;
  after(() => browser?.close());

  async function looks(size: Size, scheme: 'light' | 'dark'): Promise<void> {
    browser ??= await launchBrowser();
    const tab = await openTab(browser, size, scheme);
    await bringSession(tab.page, ada, t.url);
    await tab.page.goto(`${t.url}/problems`);
    await tab.page.getByText('is still called although it has expired').waitFor();
    await tab.page.getByText('is still called at a former URL').waitFor();
    await tab.page.getByText('Notifications to Carol by webhook fail').waitFor();
    await looksWell(tab.page, `problems-expired-${size}-${scheme}`, size);
    assert.deepEqual(tab.errors, []);
    await tab.close();
  }
});

describe('a problem of a provider, which all organizations see', () => {
  it('does not name the number that was called', async () => {
    const twilio = await fakeTwilio();
    const number = '+4915112345678';
    const t = await story({
      env: twilio.env,
      organization: () => ({
        people: {
          ada: {
            methods: [{ type: 'phone', value: number }],
            rules: { high: [{ after: 0, channels: ['sms'] }] },
          },
        },
      }),
    });
    try {
      const message =
        "Permission to send an SMS has not been enabled for the region indicated by the 'To' number";
      twilio.script(failure(400, 21408, `${message}: ${number}`));
      const request = await t.page('person', 'ada@example.com', { urgency: 'high' });
      await twilio.calls.next();
      await t.app.duties.runAll();
      const { body } = await (await signIn(t, 'ada')).call('GET', '/api/problems');
      const [problem] = body.problems as Shown[];
      assert.equal(problem?.code, 'misconfigured');
      assert.equal(problem?.message, `Twilio answered 400: ${message}: …`);
      const errors = (await t.status(request)).page.deliveries.map(({ error }) => error ?? '');
      assert.ok(errors.some((error) => error.includes(number)));
    } finally {
      await t.end();
      await twilio.stop();
    }
  });
});
