import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type FakeSlack, fakeSlack } from '../testing/fakes/fake-slack.ts';
import { type FakeTwilio, fakeTwilio } from '../testing/fakes/fake-twilio.ts';
import { freePort } from '../testing/free-port.ts';
import { type Story, story } from '../testing/story.ts';

const NOBODY = 'Escalated, but there is nobody else to notify. Add people to the page, or reassign it.';

describe('the answer to a manual escalation', () => {
  let t: Story;
  let slack: FakeSlack;
  let twilio: FakeTwilio;

  before(async () => {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    slack = await fakeSlack({ publicUrl });
    twilio = await fakeTwilio({ publicUrl });
    t = await story({
      env: { ...slack.env, ...twilio.env, PORT: String(port) },
      organization: (receiver) => ({
        people: {
          ada: {
            methods: [
              { type: 'chat', value: 'ada', chatUserId: 'U0000ADA' },
              { type: 'phone', value: '+4915112345678' },
              { type: 'webhook', value: `${receiver.url}ada` },
            ],
            rules: {
              high: [{ after: 0, channels: ['chat'] }],
              medium: [{ after: 0, channels: ['voice'] }],
              low: [{ after: 0, channels: ['webhook'] }],
            },
          },
          grace: { methods: [{ type: 'webhook', value: `${receiver.url}grace` }] },
          hedy: { methods: [] },
        },
        teams: {
          alone: { members: ['ada'], schedules: [{ stages: [['ada']] }] },
          sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] },
          silent: { members: ['ada', 'hedy'], schedules: [{ stages: [['ada'], ['hedy']] }] },
        },
      }),
    });
  });
  // A phone rings at most once a minute, so every story starts in a minute of its own.
  beforeEach(() => t.advance({ minutes: 2 }));
  afterEach(async () => {
    await t.resolveAcknowledged();
    // Messages about resolved pages are edited, and their calls are ended.
    slack.edited.takeAll();
    twilio.ended.takeAll();
    t.receiver.assertNothingUnexpected();
    slack.assertNothingUnexpected();
    twilio.assertNothingUnexpected();
  });
  after(async () => {
    await t.end();
    await slack.stop();
    await twilio.stop();
  });

  async function escalate(request: string): Promise<string> {
    const { page } = await t.status(request);
    const answer = await t.post(`/api/pages/${page.id}/escalate`, {});
    assert.equal(answer.status, 200);
    await t.settle();
    return (answer.body as { message: string }).message;
  }

  /** Resolves the page, so that it notifies nobody later. */
  async function resolve(request: string): Promise<void> {
    const { page } = await t.status(request);
    assert.equal((await t.post(`/api/pages/${page.id}/resolve`, {})).status, 200);
  }

  it('names the people who are notified, or that nobody is left', async () => {
    const request = await t.page('team', 'sre', { urgency: 'low' });
    await t.notified('ada');
    assert.equal(await escalate(request), 'Escalated: Grace is notified.');
    await t.notified('grace');
    assert.equal(await escalate(request), NOBODY);
    await t.notified();
    assert.equal((await t.status(request)).page.state, 'notifying');
    await resolve(request);
  });

  it('is the same in the chat and on the phone', async () => {
    const inChat = await t.page('team', 'alone', { urgency: 'high' });
    const message = await slack.messages.next();
    await slack.click(message, 'escalate');
    assert.match((await slack.replaced.next()).text, /^Escalated: Ada is notified again\./);
    await t.settle();
    await slack.messages.next();
    await resolve(inChat);

    const byPhone = await t.page('team', 'alone', { urgency: 'medium' });
    const call = await twilio.calls.next();
    assert.match(await twilio.press(call, '6'), /Escalated: Ada is notified again\./);
    await resolve(byPhone);
  });

  it('reports in the chat and on the phone that nobody is left', async () => {
    for (const urgency of ['high', 'medium'] as const) {
      const request = await t.page('team', 'alone', { urgency });
      // The last round; only the expiry of the page is left.
      const sent = urgency === 'high' ? slack.messages : twilio.calls;
      for (let round = 1; round < 3; round++) {
        await sent.next();
        await t.advance({ minutes: urgency === 'high' ? 5 : 15 });
      }
      const last = await sent.next();
      assert.equal((await t.status(request)).page.round, 3);
      if ('sid' in last) assert.ok((await twilio.press(last, '6')).includes(NOBODY));
      else {
        await slack.click(last, 'escalate');
        assert.ok((await slack.replaced.next()).text.startsWith(NOBODY));
      }
      await t.settle();
      await resolve(request);
    }
  });

  it('says in the chat and on the phone who has acknowledged the page', async () => {
    const inChat = await t.page('team', 'sre', { urgency: 'high' });
    const message = await slack.messages.next();
    await slack.click(message, 'acknowledge');
    await slack.replaced.next();
    await slack.click(message, 'escalate');
    assert.match((await slack.replaced.next()).text, /^Already acknowledged by Ada\./);

    const byPhone = await t.page('team', 'sre', { urgency: 'medium' });
    const call = await twilio.calls.next();
    await twilio.press(call, '4');
    assert.match(await twilio.press(call, '6'), /Ada has acknowledged this page already\./);
    for (const request of [inChat, byPhone])
      assert.equal((await t.status(request)).page.state, 'acknowledged');
  });

  it('leaves a page to one person open, which has no stages, whatever is pressed', async () => {
    const inChat = await t.page('person', 'ada@example.com', { urgency: 'high' });
    const message = await slack.messages.next();
    const buttons = (blocks: typeof message.blocks) =>
      blocks.flatMap(({ elements = [] }) => elements.flatMap(({ action_id: id }) => (id ? [id] : [])));
    // A message from before the button was left out.
    const former = JSON.stringify(message).replace('"acknowledge"', '"escalate"');
    await slack.click(JSON.parse(former), 'escalate');
    const replaced = await slack.replaced.next();
    assert.match(replaced.text, /^This page is for one person and has no stages\./);
    assert.deepEqual(buttons(message.blocks), buttons(replaced.blocks));
    assert.deepEqual(buttons(replaced.blocks), ['acknowledge', 'open_page']);
    await slack.click({ ...message, blocks: replaced.blocks }, 'acknowledge');
    assert.match((await slack.replaced.next()).text, /^Acknowledged by Ada\./);
    assert.equal((await t.status(inChat)).page.state, 'acknowledged');

    const byPhone = await t.page('person', 'ada@example.com', { urgency: 'medium' });
    const call = await twilio.calls.next();
    assert.match(call.twiml, /Press 4 to acknowledge\.</);
    const answer = await twilio.press(call, '6');
    assert.match(answer, /That key does nothing here\..*<Redirect/);
    await twilio.press(call, '4');
    assert.equal((await t.status(byPhone)).page.state, 'acknowledged');
  });

  it('does not let the page expire if the next people cannot be reached', async () => {
    const request = await t.page('team', 'silent', { urgency: 'low' });
    await t.notified('ada');
    assert.equal(await escalate(request), NOBODY);
    assert.equal((await t.status(request)).page.state, 'notifying');
    await t.advance({ hours: 23 });
    assert.equal((await t.status(request)).page.state, 'notifying');
    await resolve(request);
  });

  it('notifies the lowest stage again when an acknowledged page goes to people who cannot be reached', async () => {
    const request = await t.page('team', 'silent', { urgency: 'low' });
    const [first] = await t.notified('ada');
    assert.ok(first);
    await t.acknowledge(first);
    assert.equal(await escalate(request), 'Escalated: Ada is notified again.');
    await t.notified('ada');
    assert.equal((await t.status(request)).page.state, 'notifying');
    await resolve(request);
  });
});
