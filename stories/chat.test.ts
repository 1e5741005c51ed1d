import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { type FakeSlack, fakeSlack } from '../testing/fakes/fake-slack.ts';
import { freePort } from '../testing/free-port.ts';
import { type Story, story } from '../testing/story.ts';

describe('a page in the chat', () => {
  let t: Story;
  let slack: FakeSlack;

  before(async () => {
    const port = await freePort();
    slack = await fakeSlack({ publicUrl: `http://127.0.0.1:${port}` });
    t = await story({
      env: { ...slack.env, PORT: String(port) },
      organization: (receiver) => ({
        people: {
          ada: { methods: [{ type: 'chat', value: 'ada', chatUserId: 'U0000ADA' }] },
          grace: {
            methods: [
              { type: 'chat', value: 'grace', chatUserId: 'U000GRACE' },
              { type: 'webhook', value: `${receiver.url}grace` },
            ],
            rules: { high: [{ after: 0, channels: ['webhook'] }] },
          },
        },
        teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
      }),
    });
  });
  afterEach(() => {
    t.receiver.assertNothingUnexpected();
    slack.assertNothingUnexpected();
  });
  after(async () => {
    await t.end();
    await slack.stop();
  });

  it('is acknowledged by a button, even by a colleague, and then shows that instead of the buttons', async () => {
    const request = await t.page('team', 'sre', { urgency: 'high' });
    const message = await slack.messages.next();
    assert.equal(message.channel, 'U0000ADA');
    assert.equal(
      (await slack.click(message, 'acknowledge', { id: 'U000GRACE', username: 'grace' })).status,
      200,
    );
    assert.match((await slack.replaced.next()).text, /Grace/);
    const { page } = await t.status(request);
    assert.equal(page.state, 'acknowledged');
    assert.equal(page.acknowledged_by?.email, 'grace@example.com');
    await t.advance({ minutes: 29 });
  });

  it('is escalated by a button', async () => {
    await t.page('team', 'sre', { urgency: 'low' });
    const message = await slack.messages.next();
    await slack.click(message, 'escalate');
    await slack.replaced.next();
    await t.settle();
    // The page has low urgency, so Grace is notified by her default rules, which include both channels.
    await slack.messages.next();
    const [webhook] = await t.notified('grace');
    assert.ok(webhook);
    await t.acknowledge(webhook);
  });
});
