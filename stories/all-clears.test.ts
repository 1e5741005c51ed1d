/**
 * When a source resolves its page, the people who were notified get an all-clear on the channels that were used, but
 * never a call.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newId } from '../src/kit/typeid.ts';
import { queueAllClears } from '../src/notifications/all-clears/store.ts';
import { eventually } from '../testing/eventually.ts';
import { type FakePush, fakePush } from '../testing/fakes/fake-push.ts';
import { type FakeSlack, fakeSlack } from '../testing/fakes/fake-slack.ts';
import { type FakeSmtp, fakeSmtp } from '../testing/fakes/fake-smtp.ts';
import { type FakeTwilio, fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import { freePort } from '../testing/free-port.ts';
import { signIn } from '../testing/signed-in.ts';
import { type Story, type StorySource, story } from '../testing/story.ts';

const ADA = '+4915112345678';

type Providers = { twilio: FakeTwilio; slack: FakeSlack; smtp: FakeSmtp; push: FakePush };

/**
 * Ada and Edsger are the first stage, Grace the second. Ada is notified on every channel at once and by another SMS
 * after three minutes, Edsger by chat, Grace by webhook.
 */
async function withProviders(
  work: (t: Story, providers: Providers, source: StorySource) => Promise<void>,
  rules: { after: number; channels: ('sms' | 'voice' | 'chat' | 'email' | 'push' | 'webhook')[] }[] = [
    { after: 0, channels: ['sms', 'voice', 'chat', 'email', 'push', 'webhook'] },
    { after: 3, channels: ['sms'] },
  ],
): Promise<void> {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const providers = {
    twilio: await fakeTwilio({ publicUrl }),
    slack: await fakeSlack({ publicUrl }),
    smtp: await fakeSmtp(),
    push: await fakePush(),
  };
  const { twilio, slack, smtp, push } = providers;
  const all = [twilio, slack, smtp, push];
  const t = await story({
    env: { ...twilio.env, ...slack.env, ...smtp.env, ...push.env, PORT: String(port) },
    organization: (receiver) => ({
      people: {
        grace: { methods: [{ type: 'webhook', value: `${receiver.url}grace` }] },
        ada: {
          methods: [
            { type: 'phone', value: ADA },
            { type: 'chat', value: 'ada', chatUserId: 'U0000ADA' },
            { type: 'email', value: 'ada@example.com' },
            { type: 'webhook', value: `${receiver.url}ada` },
          ],
          rules: { high: rules },
        },
        edsger: {
          methods: [{ type: 'chat', value: 'edsger', chatUserId: 'U00EDSGER' }],
        },
      },
      teams: {
        sre: {
          members: ['ada', 'edsger', 'grace'],
          schedules: [{ stages: [['ada', 'edsger'], ['grace']], backstop: 'grace' }],
        },
      },
    }),
  });
  try {
    const at = await t.clock.now(t.db);
    const { value, pushKeys } = push.subscribe();
    await t.db
      .insertInto('contact_methods')
      .values({
        ...{ id: newId('contact_method'), organization_id: t.acme.id, user_id: t.acme.users.ada ?? '' },
        ...{ position: 9, type: 'push', value, push_keys: JSON.stringify(pushKeys) },
        ...{ verified_at: at, created_at: at, updated_at: at },
      })
      .execute();
    await work(t, providers, await t.source({ team: 'sre', name: 'Prometheus' }));
    // Nothing arrives later, and the story has taken everything that was sent.
    await t.advance({ minutes: 40 });
    for (const provider of all) provider.assertNothingUnexpected();
  } finally {
    await t.end();
    await Promise.all(all.map((provider) => provider.stop()));
  }
}

async function send(t: Story, source: StorySource, event: object): Promise<string | undefined> {
  const answer = await t.post(source.path, event);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  await t.settle();
  const { body } = await t.get(`/request/${answer.body.service_request_id}/status`);
  return (body.response as { pages: { id: string }[] }).pages[0]?.id;
}
const raise = (t: Story, source: StorySource, title = 'Disk full') =>
  send(t, source, { title, dedup_key: title, urgency: 'high' });
const resolve = (t: Story, source: StorySource, title = 'Disk full') =>
  send(t, source, { action: 'resolve', dedup_key: title });

/** Takes the notifications that everybody in the first stage gets at once. */
async function taken({ twilio, slack, smtp, push }: Providers, t: Story) {
  const [ofAda, ofEdsger] = [
    await slack.messages.expect(({ channel }) => channel === 'U0000ADA'),
    await slack.messages.expect(({ channel }) => channel === 'U00EDSGER'),
  ];
  const [webhook] = await t.notified('ada');
  return {
    ...{
      sms: await twilio.messages.next(),
      call: await twilio.calls.next(),
      mail: await smtp.messages.next(),
    },
    ...{ push: await push.messages.next(), ofAda, ofEdsger, webhook },
  };
}

/** The all-clears in German and in Japanese. */
const IN_LANGUAGES = {
  de: {
    sms: /^Disk full\nSRE, Stufe 1, hohe Dringlichkeit\nAntworte ACK \d{4}\n/,
    mail: /Bestätigen: http/,
    subject: '[Tocsin] hoch: Disk full',
    say: /<Say[^>]* language="de-DE"/,
    over: 'Behoben: Disk full. Behoben von Prometheus.',
  },
  ja: {
    sms: /^Disk full\nSRE・第1段階、緊急度：高\nACK \d{4}と返信\n/,
    mail: /対応する：http/,
    subject: '[Tocsin] 高：Disk full',
    say: /<Say[^>]* language="ja-JP"/,
    over: '解決済み：Disk full. Prometheusが解決しました。',
  },
};

describe('a page in the language of its person', () => {
  for (const [language, words] of Object.entries(IN_LANGUAGES))
    it(`comes by SMS, mail and call in ${language}, and so does its end`, () =>
      withProviders(async (t, providers, source) => {
        await t.db
          .updateTable('users')
          .set({ language })
          .where('id', '=', t.acme.users.ada ?? '')
          .execute();
        await raise(t, source);
        const { sms, mail, call, ofEdsger } = await taken(providers, t);
        assert.match(sms.body, words.sms);
        assert.equal(mail.headers.subject, words.subject);
        assert.match(mail.text, words.mail);
        assert.match(call.twiml, words.say);
        assert.doesNotMatch(JSON.stringify(ofEdsger), /Stufe|段階/, 'others get theirs in English');
        await resolve(t, source);
        assert.equal((await providers.twilio.messages.next()).body.split('\n')[0], words.over);
        await providers.smtp.messages.next();
        await providers.twilio.ended.next();
        await providers.push.messages.next();
        await providers.slack.edited.next();
        await providers.slack.edited.next();
      }));
});

describe('after a resolve by its source', () => {
  it('everybody who was notified gets it once on each channel, and the call ends', () =>
    withProviders(async (t, providers, source) => {
      const { twilio, slack, smtp, push } = providers;
      const page = await raise(t, source);
      const first = await taken(providers, t);
      await resolve(t, source);

      assert.equal(await twilio.ended.next(), first.call.sid);
      const sms = await twilio.messages.next();
      assert.equal(sms.to, ADA);
      assert.match(sms.body, /^Resolved: Disk full\. Resolved by Prometheus\./);
      for (const original of [first.ofAda, first.ofEdsger]) {
        const edited = await slack.edited.expect(({ ts }) => ts === original.ts);
        assert.match(edited.text, /^Resolved by Prometheus\. Disk full/);
        const buttons = edited.blocks.flatMap(({ elements = [] }) => elements.map((one) => one.action_id));
        assert.ok(!buttons.includes('acknowledge'), 'nobody can acknowledge it any more');
      }
      const mail = await smtp.messages.next();
      assert.equal(mail.headers.subject, '[Tocsin] Resolved: Disk full');
      assert.equal(mail.headers.references, first.mail.headers.references);
      const replaced = await push.messages.next();
      assert.equal(replaced.topic, first.push.topic);
      assert.equal(replaced.payload.type, 'notice', 'browsers show notices without a sound');
      // The tag is the id: browsers replace a notification by the next one with the same tag.
      assert.equal(replaced.payload.id, page);
      assert.equal(replaced.payload.title, 'Resolved: Disk full');

      const [over, ...others] = t.receiver.over;
      assert.ok(over && others.length === 0);
      assert.equal(over.path, '/ada');
      assert.notEqual(over.id, first.webhook?.id);
      const { type, page_id, title, resolved_by } = over.body;
      assert.deepEqual(
        { type, page_id, title, resolved_by },
        { type: 'page.resolved', page_id: page, title: 'Disk full', resolved_by: 'Prometheus' },
      );

      const ada = await signIn(t, 'ada');
      const { timeline } = (await ada.call('GET', `/api/pages/${page}`)).body;
      const clear = (timeline as { kind: string; channel: string; state: string }[]).flatMap((entry) =>
        entry.kind === 'all_clear' ? [`${entry.channel} ${entry.state}`] : [],
      );
      assert.deepEqual(clear.toSorted(), [
        ...['chat sent', 'chat sent', 'email sent', 'push sent', 'sms sent', 'voice sent', 'webhook sent'],
      ]);

      // The second resolve finds no open page.
      await resolve(t, source);
    }));

  it('nobody gets one for a page that was not sent yet', () =>
    withProviders(
      async (t, { slack }, source) => {
        await raise(t, source);
        const message = await slack.messages.next();
        await resolve(t, source);
        assert.equal((await slack.edited.next()).ts, message.ts);
      },
      [{ after: 10, channels: ['sms', 'voice'] }],
    ));

  it('nothing is sent if the page was reopened first', () =>
    withProviders(
      async (t, { slack, twilio }, source) => {
        const ada = await signIn(t, 'ada');
        const page = await raise(t, source);
        await slack.messages.next();
        await twilio.messages.next();
        slack.always({ status: 503 });
        twilio.always({ status: 503 });
        await resolve(t, source);
        // Both providers have refused the first attempt, so nothing is in progress when the page is reopened.
        await slack.edited.next();
        assert.match((await twilio.messages.next()).body, /^Resolved/);
        slack.edited.takeAll();
        twilio.messages.takeAll();
        // The page may notify again before the answer arrives, and then finds providers that work.
        slack.always(null);
        twilio.always(null);
        assert.equal((await ada.call('POST', `/api/pages/${page}/reopen`)).status, 200);
        await t.advance({ minutes: 1 });
        await slack.messages.next();
        // The SMS of the new round, and no all-clear.
        assert.doesNotMatch((await twilio.messages.next()).body, /Resolved/);
        // The next resolution sends an all-clear for each message again.
        await resolve(t, source);
        await slack.edited.next();
        await slack.edited.next();
        assert.match((await twilio.messages.next()).body, /^Resolved/);
      },
      [{ after: 0, channels: ['sms'] }],
    ));

  it('a person who was disabled meanwhile gets nothing, but their phone stops ringing', () =>
    withProviders(
      async (t, { slack, twilio }, source) => {
        await raise(t, source);
        await slack.messages.next();
        await twilio.messages.next();
        const call = await twilio.calls.next();
        await t.db
          .updateTable('users')
          .set({ disabled_at: await t.clock.now(t.db) })
          .where('id', '=', t.acme.users.ada ?? '')
          .execute();
        await resolve(t, source);
        await slack.edited.next();
        assert.equal(await twilio.ended.next(), call.sid);
      },
      [{ after: 0, channels: ['sms', 'voice'] }],
    ));

  it('a contact method that was removed meanwhile gets nothing', () =>
    withProviders(
      async (t, { slack, twilio }, source) => {
        await raise(t, source);
        await slack.messages.next();
        await twilio.messages.next();
        await t.db.deleteFrom('contact_methods').where('value', '=', ADA).execute();
        await resolve(t, source);
        await slack.edited.next();
      },
      [{ after: 0, channels: ['sms'] }],
    ));

  it('an unavailable provider is retried for an hour', () =>
    withProviders(
      async (t, { slack, twilio }, source) => {
        await raise(t, source);
        await slack.messages.next();
        await twilio.messages.next();
        twilio.script({ status: 503 }, { status: 503 });
        await resolve(t, source);
        for (let second = 0; second < 6; second++) await t.advance({ seconds: 1 });
        const bodies = twilio.messages.takeAll().map(({ body }) => body);
        assert.deepEqual(new Set(bodies).size, 1);
        assert.equal(bodies.length, 3);
        await slack.edited.next();

        await raise(t, source, 'Queue stuck');
        await slack.messages.next();
        await twilio.messages.next();
        twilio.always({ status: 503 });
        await resolve(t, source, 'Queue stuck');
        await t.advance({ minutes: 59 });
        await t.advance({ minutes: 2 });
        twilio.always(null);
        await t.advance({ minutes: 10 });
        twilio.messages.takeAll();
        await slack.edited.next();
        const states = await t.db
          .selectFrom('all_clears')
          .select('state')
          .where('channel', '=', 'sms')
          .orderBy('id')
          .execute();
        assert.deepEqual(
          states.map(({ state }) => state),
          ['sent', 'cancelled'],
        );
      },
      [{ after: 0, channels: ['sms'] }],
    ));

  it('a process that dies after the commit, or after the provider accepted, sends its queued all-clears', () =>
    withProviders(
      async (t, { slack }, source) => {
        const page = (await raise(t, source)) ?? '';
        await t.notified('ada');
        await slack.messages.next();
        const at = await t.clock.now(t.db);
        await t.db.transaction().execute(async (tx) => {
          await tx
            .updateTable('pages')
            .set({ state: 'resolved', resolved_at: at })
            .where('id', '=', page)
            .execute();
          await tx.deleteFrom('page_steps').where('page_id', '=', page).execute();
          await queueAllClears(tx, page, at);
        });
        await t.restart({ seconds: 1 });
        await t.settle();
        assert.equal(t.receiver.over.length, 1);
        await slack.edited.next();

        // As if the outcome had not been recorded.
        await t.db
          .updateTable('all_clears')
          .set({ state: 'waiting', finished_at: null })
          .where('channel', '=', 'webhook')
          .execute();
        await t.advance({ seconds: 29 });
        assert.equal(t.receiver.over.length, 1, 'the lease has not ended');
        await t.advance({ seconds: 2 });
        const [first, again] = t.receiver.over;
        assert.equal(again?.id, first?.id, 'receivers drop what they had');
      },
      [{ after: 0, channels: ['webhook'] }],
    ));

  for (const resolvedFirst of [true, false])
    it(`a notification whose node died before it recorded the outcome gets one, too (resolved ${resolvedFirst ? 'before' : 'after'} its lease ended)`, () =>
      withProviders(
        async (t, { slack }, source) => {
          const page = (await raise(t, source)) ?? '';
          await t.notified('ada');
          await slack.messages.next();
          const at = await t.clock.now(t.db);
          const unrecorded = resolvedFirst
            ? { state: 'sending' as const, lease_owner: 999, lease_until: at.add({ seconds: 20 }) }
            : { state: 'waiting' as const, repeat: true, due_at: at.add({ minutes: 2 }) };
          await t.db
            .updateTable('deliveries')
            .set({ ...unrecorded, accepted_at: null })
            .where('page_id', '=', page)
            .where('channel', '=', 'webhook')
            .execute();
          await resolve(t, source);
          await slack.edited.next();
          await t.advance({ seconds: 30 });
          assert.deepEqual(
            t.receiver.over.map(({ path, body }) => [path, body.page_id]),
            [['/ada', page]],
          );
        },
        [{ after: 0, channels: ['webhook'] }],
      ));

  it('the end of a storm is not a storm: all-clears beyond the limit for a minute are one message', () =>
    withProviders(
      async (t, { slack, twilio }, source) => {
        const titles = Array.from(
          { length: 12 },
          (_, index) => `Disk ${String.fromCharCode(65 + index)} full`,
        );
        await Promise.all(titles.map((title) => raise(t, source, title)));
        await t.advance({ seconds: 61 });
        assert.equal(twilio.messages.takeAll().length, 6, 'five, and one for the other seven');
        slack.messages.takeAll();
        for (const title of titles.slice(0, 5)) await resolve(t, source, title);
        await Promise.all(titles.slice(5).map((title) => resolve(t, source, title)));
        assert.equal(twilio.messages.untaken.length, 5);
        await t.advance({ seconds: 61 });
        const bodies = twilio.messages.takeAll().map(({ body }) => body);
        assert.equal(bodies.length, 6);
        assert.match(bodies.at(-1) ?? '', /^7 pages have ended\. Disk /);
        for (const title of titles)
          assert.ok(
            bodies.some((body) => body.includes(title.slice(0, 6))),
            title,
          );
        assert.equal(slack.edited.takeAll().length, 12);
      },
      [{ after: 0, channels: ['sms'] }],
    ));

  it('a message or call that covers several pages changes when all of them have ended', () =>
    withProviders(
      async (t, { slack, twilio }, source) => {
        for (const title of ['A', 'B', 'C']) await raise(t, source, title);
        slack.messages.takeAll();
        const first = await twilio.calls.next();
        // A minute later, one call covers both B and C.
        await t.advance({ seconds: 61 });
        const second = await twilio.calls.next();
        await resolve(t, source, 'B');
        assert.deepEqual(twilio.ended.takeAll(), []);
        await resolve(t, source, 'C');
        assert.equal(await twilio.ended.next(), second.sid);
        await resolve(t, source, 'A');
        assert.equal(await twilio.ended.next(), first.sid);
        assert.equal(slack.edited.takeAll().length, 3);
      },
      [{ after: 0, channels: ['voice'] }],
    ));

  it('a program that resolves by its dedup key has the same effect, and a person sends no messages', () =>
    withProviders(
      async (t, { slack, twilio }) => {
        await t.page('team', 'sre', { urgency: 'high', dedup_key: 'disk' });
        await slack.messages.next();
        await twilio.messages.next();
        const answer = await t.post('/page/resolve', { recipient: 'sre', dedup_key: 'disk' });
        assert.equal(answer.status, 200);
        await t.settle();
        assert.match((await slack.edited.next()).text, /^Resolved by Grace\./);
        assert.match((await twilio.messages.next()).body, /^Resolved: Disk full\. Resolved by Grace\./);

        const ada = await signIn(t, 'ada');
        const { page } = await t.status(await t.page('team', 'sre', { urgency: 'high' }));
        await slack.messages.next();
        await twilio.messages.next();
        assert.equal((await ada.call('POST', `/api/pages/${page.id}/resolve`)).status, 200);
        await t.advance({ minutes: 2 });
        assert.match((await slack.edited.next()).text, /^Resolved by Ada\./);
      },
      [{ after: 0, channels: ['sms'] }],
    ));

  it('when a person resolves, only silent channels change, once the resolution cannot be undone', () =>
    withProviders(
      async (t, { slack, push, smtp }) => {
        const ada = await signIn(t, 'ada');
        const { page } = await t.status(await t.page('team', 'sre', { urgency: 'high' }));
        await push.messages.next();
        for (let sent = 0; sent < 2; sent++) await slack.messages.next();
        await smtp.messages.next();
        await t.notified('ada');
        const act = async (action: string) =>
          assert.equal((await ada.call('POST', `/api/pages/${page.id}/${action}`)).status, 200);
        await act('resolve');
        await t.advance({ seconds: 20 });
        await act('undo');
        await t.advance({ seconds: 40 });
        assert.deepEqual([slack.edited.takeAll(), push.messages.takeAll()], [[], []]);

        await act('resolve');
        await t.advance({ minutes: 2 });
        const edited = slack.edited.takeAll();
        assert.equal(edited.length, 2);
        for (const { text } of edited) assert.match(text, /^Resolved by Ada\./);
        const { payload } = await push.messages.next();
        assert.deepEqual(
          [payload.type, payload.id],
          ['notice', page.id],
          'it replaces the other without a sound',
        );
        await t.notified();
      },
      [{ after: 0, channels: ['chat', 'email', 'push', 'webhook'] }],
    ));
});

it('stops messages that wait for their turn at a slow provider', async () => {
  const twilio = await fakeTwilio();
  const phones = Array.from(
    { length: 25 },
    (_, index) => [`p${index}`, `+4915100000${100 + index}`] as const,
  );
  const rules = { high: [{ after: 0, channels: ['sms' as const] }] };
  const t = await story({
    automatic: true,
    env: twilio.env,
    organization: {
      people: Object.fromEntries(
        phones.map(([name, value]) => [name, { methods: [{ type: 'phone' as const, value }], rules }]),
      ),
      // Nobody is on call, so all members are notified.
      teams: { sre: { members: phones.map(([name]) => name) } },
    },
  });
  try {
    const source = await t.source({ team: 'sre', name: 'Prometheus' });
    // Fifteen requests of one team run at a time; the others wait in the process.
    twilio.always('hang');
    await t.post(source.path, { title: 'Disk full', dedup_key: 'disk', urgency: 'high' });
    const tried: string[] = [];
    for (let sent = 0; sent < 15; sent++) tried.push((await twilio.messages.next()).to);
    await t.post(source.path, { action: 'resolve', dedup_key: 'disk' });
    const states = async () => {
      const rows = await t.db.selectFrom('deliveries').select('state').execute();
      return rows.filter(({ state }) => state === 'cancelled').length;
    };
    await eventually(states, 25);
    twilio.always(null);
    // The outcome of the fifteen messages is unknown. The other ten were never sent.
    const clears = () => twilio.messages.untaken;
    await eventually(async () => new Set(clears().map(({ to }) => to)).size, 15);
    const taken = twilio.messages.takeAll();
    assert.deepEqual([...new Set(taken.map(({ to }) => to))].toSorted(), tried.toSorted());
    for (const { body } of taken) assert.match(body, /^Resolved: Disk full/);
    twilio.assertNothingUnexpected();
  } finally {
    await t.end();
    await twilio.stop();
  }
});
