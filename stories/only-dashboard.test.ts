import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventStream } from '../testing/event-stream.ts';
import { signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const PAGE = { recipient: 'sre', title: 'Disk full', text: 'db-1 has no space left', urgency: 'high' };

/** Nothing is set up: no mail server, no provider, and webhooks to this machine are refused. */
function freshMachine(): Promise<Story> {
  const methods = [
    { type: 'email' as const, value: 'ada@example.com' },
    { type: 'webhook' as const, value: 'http://127.0.0.1:9000/ada' },
  ];
  return story({
    env: { ALLOW_PRIVATE_WEBHOOKS: 'false' },
    organization: {
      people: { ada: { methods }, grace: { methods } },
      teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
    },
  });
}

it('on a new installation, a page waits for a person with an open dashboard', async () => {
  const t = await freshMachine();
  try {
    const ada = await signIn(t, 'ada');
    const stream = await eventStream(`${t.url}/api/events`, { cookie: ada.cookie });
    await stream.next('hello');
    const accepted = await t.post('/page/team', PAGE);
    const settled = t.settle();
    const alarm = await stream.next('notification');
    assert.equal((await ada.call('POST', `/api/deliveries/${alarm.id}/confirm`)).status, 200);
    await settled;

    const waiting = await t.status(String(accepted.body.service_request_id));
    assert.equal(waiting.status, 'succeeded');
    assert.equal(waiting.page.state, 'notifying');
    assert.deepEqual(
      [...new Set(waiting.page.deliveries.map(({ user }) => user.email))],
      ['ada@example.com'],
    );

    assert.equal((await ada.call('POST', `/api/pages/${waiting.page.id}/acknowledge`)).status, 200);
    const answered = await t.status(String(accepted.body.service_request_id));
    assert.equal(answered.page.acknowledged_by?.email, 'ada@example.com');
    stream.close();
  } finally {
    await t.end();
  }
});

it('without an open dashboard, the page is refused, and nothing is queued', async () => {
  const t = await freshMachine();
  try {
    const refused = await t.post('/page/team', PAGE);
    assert.equal(refused.status, 400);
    assert.match(JSON.stringify(refused.body.details), /nobody can be reached/);
    assert.deepEqual(await t.db.selectFrom('pages').select('id').execute(), []);
  } finally {
    await t.end();
  }
});
