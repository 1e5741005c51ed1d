import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { queueMessage, queueNotices } from '../src/notices/store.ts';
import { openProblems } from '../src/problems/store.ts';
import { eventStream } from '../testing/event-stream.ts';
import { type FakeSmtp, fakeSmtp } from '../testing/fakes/fake-smtp.ts';
import { type FakeRequest, ScriptedServer } from '../testing/fakes/scripted-server.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

describe('notices to people, besides pages', () => {
  let t: Story;
  let mail: FakeSmtp;
  let program: ScriptedServer;
  const calls: FakeRequest[] = [];
  let ada: SignedIn;

  before(async () => {
    mail = await fakeSmtp();
    program = await ScriptedServer.start((request) => {
      calls.push(request);
      return { status: 204 };
    });
    t = await story({
      env: mail.env,
      organization: (receiver) => ({
        people: {
          ada: {
            methods: [
              { type: 'email', value: 'ada@example.com' },
              { type: 'webhook', value: `${program.origin}/ada`, notices: true },
              { type: 'webhook', value: `${receiver.url}pages-only` },
            ],
          },
          grace: { methods: [{ type: 'email', value: 'grace@example.com' }] },
        },
      }),
    });
    ada = await signIn(t, 'ada');
  });
  after(async () => {
    await t.end();
    await mail.stop();
    await program.stop();
  });

  const tell = (subject: string, person = 'ada') =>
    t.db.transaction().execute(async (tx) => {
      const at = await t.clock.now(tx);
      const userId = t.acme.users[person] ?? '';
      const text = 'Monday is yours now.';
      const about = { kind: 'shift.changed', path: '/schedules', dedupKey: null };
      await queueNotices(tx, at, () => [{ organizationId: t.acme.id, userId, subject, text, ...about }]);
    });
  const work = () => t.app.duties.runAll();
  const states = () =>
    t.db.selectFrom('messages').select(['channel', 'state', 'error']).orderBy('id').execute();
  const forget = () => t.db.deleteFrom('messages').execute();

  it('are shown in the dashboard at once, and are read there', async () => {
    const stream = await eventStream(`${t.url}/api/events`, { cookie: ada.cookie });
    await stream.next('hello');
    await tell('Your shift moved');
    const { data } = await stream.next('notice');
    assert.deepEqual([data.subject, data.path, data.read], ['Your shift moved', '/schedules', false]);
    stream.close();
    const { body } = await ada.call('GET', '/api/notices');
    assert.deepEqual([body.unread, body.notices[0].subject], [1, 'Your shift moved']);
    const read = await ada.call('POST', '/api/notices/read', { up_to: body.notices[0].id });
    assert.deepEqual(read.body, { unread: 0 });
    const grace = await signIn(t, 'grace');
    assert.deepEqual((await grace.call('GET', '/api/notices')).body, { notices: [], unread: 0 });
    assert.equal((await grace.call('POST', '/api/notices/read', { up_to: 0 })).status, 400);
    await forget();
  });

  it('go by email, and to programs with notices enabled, and never look like a page', async () => {
    await tell('You have Monday');
    await work();
    const letter = await mail.messages.next();
    assert.equal(letter.headers.subject, '[Tocsin] You have Monday');
    assert.match(letter.text, /Monday is yours now\.\s+http\S+\/schedules/);
    const [call] = calls.splice(0);
    assert.ok(call);
    const body = new Webhook(t.acme.webhookSecret).verify(call.bytes, call.headers as Record<string, string>);
    assert.partialDeepStrictEqual(body as object, {
      type: 'notice',
      kind: 'shift.changed',
      subject: 'You have Monday',
      url: `${t.url}/schedules`,
    });
    assert.deepEqual(
      (await states()).map(({ channel, state }) => [channel, state]),
      [
        ['email', 'sent'],
        ['webhook', 'sent'],
      ],
    );
    await forget();
  });

  it('are retried until nobody needs them any more, and failures are listed', async () => {
    mail.script({ at: 'connect', code: 421 }, { at: 'mail', code: 451 });
    await tell('The backup is late', 'grace');
    await work();
    assert.partialDeepStrictEqual(await states(), [{ state: 'waiting' }]);
    t.clock.advance({ seconds: 16 });
    await work();
    t.clock.advance({ seconds: 31 });
    await work();
    assert.equal((await mail.messages.next()).headers.subject, '[Tocsin] The backup is late');
    await forget();

    mail.script({ at: 'auth', code: 535 });
    await tell('Refused', 'grace');
    await work();
    assert.partialDeepStrictEqual(await states(), [{ state: 'failed' }]);
    // A separate duty records problems.
    await work();
    const problems = await openProblems(t.db, t.acme.id);
    assert.deepEqual(
      problems.map(({ subject, code }) => [subject, code]),
      [['channel:email', 'credentials']],
    );
    await forget();

    await tell('Too late', 'grace');
    t.clock.advance({ hours: 25 });
    await work();
    assert.partialDeepStrictEqual(await states(), [{ state: 'expired' }]);
    await forget();
  });

  it('are sent once more if the sender died, and once by two simultaneous senders', async () => {
    await tell('Once', 'grace');
    await Promise.all([work(), work()]);
    await mail.messages.next();
    mail.assertNothingUnexpected();
    await forget();
    await tell('Again', 'grace');
    const until = (await t.clock.now(t.db)).add({ seconds: 60 });
    await t.db.updateTable('messages').set({ state: 'sending', lease_until: until, attempts: 1 }).execute();
    await work();
    mail.assertNothingUnexpected();
    t.clock.advance({ seconds: 61 });
    await work();
    assert.equal((await mail.messages.next()).headers.subject, '[Tocsin] Again');
    await forget();
  });

  it('reach addresses that do not belong to anybody yet', async () => {
    await t.db.transaction().execute(async (tx) => {
      const at = await t.clock.now(tx);
      await queueMessage(tx, at, {
        ...{ organizationId: t.acme.id, channel: 'email', address: 'new@example.com', readerId: null },
        words: () => ({ subject: 'Join Acme', text: 'Ada invites you.' }),
        ...{ url: 'https://tocsin.example.com/join', dedupKey: null },
        expiresAt: at.add({ hours: 24 }),
      });
    });
    await work();
    const letter = await mail.messages.next();
    assert.deepEqual(letter.envelope.to, ['new@example.com']);
    assert.match(letter.text, /https:\/\/tocsin\.example\.com\/join/);
  });
});
