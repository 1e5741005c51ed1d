import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { MethodList, MethodShown } from '../src/people/contact-contract.ts';
import { type FakeSlack, fakeSlack } from '../testing/fakes/fake-slack.ts';
import { type FakeTwilio, failure, fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import { type FakeRequest, ScriptedServer } from '../testing/fakes/scripted-server.ts';
import { confirmSessions, type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

describe('contact methods that people add themselves', () => {
  let t: Story;
  let twilio: FakeTwilio;
  let slack: FakeSlack;
  let program: ScriptedServer;
  const calls: FakeRequest[] = [];
  let ada: SignedIn;
  let grace: SignedIn;

  before(async () => {
    [twilio, slack] = [await fakeTwilio(), await fakeSlack()];
    program = await ScriptedServer.start((request) => {
      calls.push(request);
      return { status: 204 };
    });
    t = await story({
      env: { ...twilio.env, ...slack.env },
      organization: { people: { ada: {}, grace: {} } },
    });
    [ada, grace] = [await signIn(t, 'ada'), await signIn(t, 'grace')];
  });
  after(async () => {
    await t.end();
    for (const fake of [twilio, slack, program]) await fake.stop();
  });

  const list = async (who = ada): Promise<MethodList> => (await who.call('GET', '/api/contact-methods')).body;
  const find = async (id: string): Promise<MethodShown | undefined> =>
    (await list()).contact_methods.find((method) => method.id === id);
  const add = (body: unknown, who = ada) => who.call('POST', '/api/contact-methods', body);
  const details = ({ body }: { body: { details?: { message: string }[] } }) =>
    (body.details ?? []).map(({ message }) => message).join(' ');
  const digits = (text: string) => /\b\d{6}\b/.exec(text)?.[0] ?? '';
  const verify = (id: string, code: string) =>
    ada.call('POST', `/api/contact-methods/${id}/verify`, { code });
  const later = (minutes: number) => t.clock.advance({ minutes });

  it('a phone is verified by the code in an SMS, and can then be paged', async () => {
    assert.deepEqual([(await list()).reachable, (await list()).why_not], [false, 'no contact method']);
    const added = await add({ type: 'phone', value: '+1 (500) 555-0006' });
    assert.deepEqual([added.status, added.body.code], [201, { sent: true, error: null }]);
    const sms = await twilio.messages.next();
    assert.equal(sms.to, '+15005550006');
    assert.equal((await list()).why_not, 'phone +15005550006 is not verified');
    const wrong = await verify(added.body.id, '000000' === digits(sms.body) ? '000001' : '000000');
    assert.match(details(wrong), /^code is not the code that was sent; 4 tries are left\.$/);
    const right = await verify(
      added.body.id,
      ` ${digits(sms.body).slice(0, 3)} ${digits(sms.body).slice(3)}`,
    );
    assert.equal(right.status, 200);
    assert.deepEqual([right.body.reachable, right.body.why_not], [true, null]);
    assert.ok((await find(added.body.id))?.proved_at);
    assert.match(details(await verify(added.body.id, digits(sms.body))), /no longer valid/);
  });

  it('a phone gets its code by call on request, digit by digit', async () => {
    const { body } = await add({ type: 'phone', value: '+15005550007' });
    await twilio.messages.next();
    later(1);
    const called = await ada.call('POST', `/api/contact-methods/${body.id}/code`, { by: 'voice' });
    assert.deepEqual(called.body, { sent: true, error: null });
    const { twiml } = await twilio.calls.next();
    const spoken = /(\d, ){5}\d/.exec(twiml)?.[0] ?? '';
    assert.equal((await verify(body.id, spoken.replaceAll(', ', ''))).status, 200);
    await ada.call('DELETE', `/api/contact-methods/${body.id}`);
  });

  it('chat is verified by a direct message, and a program by a signed call', async () => {
    const chat = await add({ type: 'chat', value: 'ada', chat_user_id: 'U024BE7LH' });
    const message = await slack.messages.next();
    assert.equal(message.channel, 'U024BE7LH');
    assert.equal((await verify(chat.body.id, digits(message.text))).status, 200);

    const hook = await add({ type: 'webhook', value: `${program.origin}/ada` });
    assert.match(hook.body.signing_secret, /^whsec_/);
    const [call] = calls.splice(0);
    assert.ok(call);
    const signed = new Webhook(hook.body.signing_secret);
    const body = signed.verify(call.bytes, call.headers as Record<string, string>) as Record<string, string>;
    assert.equal(body.type, 'verification');
    assert.equal((await verify(hook.body.id, body.code ?? '')).status, 200);
    const renewed = await ada.call('POST', `/api/contact-methods/${hook.body.id}/secret`);
    assert.notEqual(renewed.body.signing_secret, hook.body.signing_secret);
    later(1);
    await ada.call('POST', `/api/contact-methods/${hook.body.id}/test`);
    const [test] = calls.splice(0);
    assert.ok(test);
    const again = new Webhook(renewed.body.signing_secret);
    const sent = again.verify(test.bytes, test.headers as Record<string, string>) as Record<string, string>;
    assert.equal(sent.type, 'test');
  });

  it("a test uses the real channel and shows the provider's answer, without being a page", async () => {
    later(60);
    const phone = (await list()).contact_methods.find(({ type }) => type === 'phone');
    const test = () => ada.call('POST', `/api/contact-methods/${phone?.id}/test`);
    assert.deepEqual((await test()).body, { sent: true, error: null });
    assert.match((await twilio.messages.next()).body, /^This is a test of Tocsin\./);
    later(1);
    twilio.script(failure(400, 21211, 'Not a valid phone number'));
    const refused = await test();
    assert.equal(refused.body.sent, false);
    assert.match(refused.body.error, /Not a valid phone number/);
    const soon = await test();
    assert.equal(soon.status, 429);
    assert.match(details(soon), /wait \d+ seconds/);
    for (let minute = 0; minute < 3; minute++) {
      later(1);
      await test();
    }
    later(1);
    assert.match(details(await test()), /wait \d+ minutes/);
    await t.db
      .selectFrom('deliveries')
      .select('id')
      .execute()
      .then((rows) => assert.deepEqual(rows, []));
    await twilio.messages.takeAll();
    later(60);
  });

  it('a code is valid for five tries and ten minutes, and a new one replaces it', async () => {
    const { body } = await add({ type: 'phone', value: '+15005550008' });
    const first = digits((await twilio.messages.next()).body);
    const other = first === '123456' ? '654321' : '123456';
    for (let tries = 1; tries < 5; tries++) assert.equal((await verify(body.id, other)).status, 400);
    assert.match(details(await verify(body.id, other)), /was wrong five times/);
    assert.match(details(await verify(body.id, first)), /no longer valid/);
    later(1);
    await ada.call('POST', `/api/contact-methods/${body.id}/code`, {});
    const second = digits((await twilio.messages.next()).body);
    if (second !== first) assert.equal((await verify(body.id, first)).status, 400);
    later(11);
    assert.match(details(await verify(body.id, second)), /no longer valid/);
    assert.equal((await find(body.id))?.verified, false);
    await ada.call('DELETE', `/api/contact-methods/${body.id}`);
  });

  it('refuses an invalid method with all problems, and adds none twice', async () => {
    await confirmSessions(t);
    const cases: [unknown, RegExp][] = [
      [{ type: 'fax', value: '1' }, /^type is "fax"; give one of phone/],
      [{ type: 'phone', value: '030 1234' }, /^value does not start with \+/],
      [{ type: 'email', value: 'ada' }, /^value is not an email address/],
      [{ type: 'webhook', value: 'ftp://example.com' }, /^value is not an http or https URL/],
      [{ type: 'webhook', value: 'https://a:b@example.com/' }, /^value contains a user name/],
      [
        { type: 'chat', value: '', chat_user_id: 'ada' },
        /^value is not a name.*chat_user_id is not a member ID/,
      ],
      [{ type: 'email', value: 'a@b.de', chat_user_id: 'U1' }, /^chat_user_id applies only to chat/],
    ];
    for (const [body, expected] of cases) {
      const answer = await add(body);
      assert.deepEqual([answer.status, expected.test(details(answer))], [400, true], details(answer));
    }
    assert.equal((await add({ type: 'phone', value: '+15005550006' })).status, 409);
  });

  it('names a provider that is not set up', async () => {
    const added = await add({ type: 'email', value: 'ada@example.com' });
    assert.match(added.body.code.error, /SMTP_URL/);
    assert.match((await find(added.body.id))?.obstacle ?? '', /not verified/);
    assert.match((await list()).unavailable.email ?? '', /SMTP_URL/);
    await ada.call('DELETE', `/api/contact-methods/${added.body.id}`);
  });

  it('can be sorted, may get notices or not, and are hidden from others', async () => {
    const before = (await list()).contact_methods;
    const ids = before.map(({ id }) => id).toReversed();
    const ordered = await ada.call('PUT', '/api/contact-methods/order', { ids });
    assert.deepEqual(
      ordered.body.contact_methods.map(({ id }: MethodShown) => id),
      ids,
    );
    const [first = ''] = ids;
    await ada.call('PATCH', `/api/contact-methods/${first}`, { notices: false });
    assert.equal((await find(first))?.notices, false);
    for (const [method, path, body] of [
      ['PATCH', '', { notices: true }],
      ['DELETE', '', {}],
      ['POST', '/code', {}],
      ['POST', '/verify', { code: '123456' }],
      ['POST', '/test', {}],
      ['POST', '/secret', {}],
    ] as const)
      assert.equal(
        (await grace.call(method, `/api/contact-methods/${first}${path}`, body)).status,
        404,
        path,
      );
    await grace.call('PUT', '/api/contact-methods/order', { ids: ids.toReversed() });
    assert.deepEqual(
      (await list()).contact_methods.map(({ id }) => id),
      ids,
    );
    const log = await t.db.selectFrom('audit_log').select(['action', 'data']).execute();
    assert.ok(log.some(({ action }) => action === 'contact_method.remove'));
    assert.doesNotMatch(JSON.stringify(log), /whsec_/);
  });

  it('changes only changeable fields, and only these are in the audit log', async () => {
    const added = await add({ type: 'webhook', value: `${program.origin}/again` });
    assert.equal(added.status, 201, JSON.stringify(added.body));
    const row = () =>
      t.db
        .selectFrom('contact_methods')
        .selectAll()
        .where('id', '=', added.body.id)
        .executeTakeFirstOrThrow();
    const before = await row();
    const columns = {
      signingSecret: 'x',
      signing_secret: 'x',
      verified_at: null,
      userId: 'x',
      password: 'in the clear',
    };
    const changed = await ada.call('PATCH', `/api/contact-methods/${added.body.id}`, {
      notices: true,
      ...columns,
    });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.deepEqual(await row(), { ...before, notices: true, updated_at: (await row()).updated_at });
    const foreign = (await list(grace)).contact_methods.map(({ id }) => id);
    await ada.call('PUT', '/api/contact-methods/order', { ids: ['in the clear', ...foreign, added.body.id] });
    const log = await t.db
      .selectFrom('audit_log')
      .select('data')
      .where('action', 'in', ['contact_method.change', 'contact_method.order'])
      .orderBy('id', 'desc')
      .limit(2)
      .execute();
    assert.deepEqual(
      log.map(({ data }) => data),
      [{ ids: [added.body.id] }, { notices: true }],
    );
    assert.equal((await ada.call('DELETE', `/api/contact-methods/${added.body.id}`)).status, 200);
  });
});
