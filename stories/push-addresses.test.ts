import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type FakePush, fakePush } from '../testing/fakes/fake-push.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** With the address of a browser, a colleague could have its pages sent elsewhere. */
describe('the address of a browser', () => {
  let t: Story;
  let push: FakePush;
  let ada: SignedIn;
  let grace: SignedIn;

  before(async () => {
    push = await fakePush();
    t = await story({
      env: push.env,
      organization: (receiver) => ({ people: { ada: {}, ...webhookPeople(receiver, 'grace') } }),
    });
    ada = await signIn(t, 'ada');
    grace = await signIn(t, 'grace');
  });
  after(async () => {
    await t.end();
    await push.stop();
  });

  const subscribe = (person: SignedIn, { value, pushKeys }: ReturnType<FakePush['subscribe']>) =>
    person.call('POST', '/api/push/subscriptions', { endpoint: value, keys: pushKeys });

  it('is not in the status of a request, and neither is that of a webhook', async () => {
    const browser = push.subscribe();
    assert.equal((await subscribe(ada, browser)).status, 200);
    const request = await t.page('person', 'ada@example.com');
    await push.messages.next();
    const both = await t.page('person', 'grace@example.com');
    await t.notified('grace');
    push.script({ status: 410 });
    const failed = await t.page('person', 'ada@example.com', { title: 'again' });
    push.messages.takeAll();
    for (const id of [request, both, failed]) {
      const text = JSON.stringify((await t.get(`/request/${id}/status`)).body);
      assert.doesNotMatch(text, new RegExp(`${new URL(browser.value).pathname}|/grace`), text);
      assert.match(text, /"address":"127\.0\.0\.1:\d+"/);
    }
  });

  it('cannot be taken by somebody who does not have the keys of the browser', async () => {
    const browser = push.subscribe();
    assert.equal((await subscribe(ada, browser)).status, 200);
    const stolen = { ...browser, pushKeys: push.subscribe().pushKeys };
    const refused = await subscribe(grace, stolen);
    assert.equal(refused.status, 409);
    assert.match(refused.body.details[0].message, /^endpoint belongs to the browser of another person/);
    await t.page('person', 'ada@example.com', { title: 'still' });
    assert.match(String((await push.messages.next()).payload.title), /still/);
  });
});
