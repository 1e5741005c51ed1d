import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fakeSmtp } from '../testing/fakes/fake-smtp.ts';
import { story, webhookPeople } from '../testing/story.ts';

it('a receiver whose answer no database can store fails like any other', async () => {
  const smtp = await fakeSmtp();
  const t = await story({
    env: smtp.env,
    organization: (receiver) => ({
      people: {
        ada: {
          methods: [
            { type: 'webhook', value: `${receiver.url}ada` },
            { type: 'email', value: 'ada@example.com' },
          ],
          rules: {
            high: [
              { after: 0, channels: ['webhook'] },
              { after: 30, channels: ['email'] },
            ],
          },
        },
      },
    }),
  });
  try {
    t.receiver.always({ status: 500, body: 'no room\u0000 at all' });
    const requestId = await t.page('person', 'ada@example.com');
    assert.equal((await smtp.messages.next()).envelope.to[0], 'ada@example.com');
    const { page } = await t.status(requestId);
    const webhook = page.deliveries.find(({ channel }) => channel === 'webhook');
    assert.equal(webhook?.state, 'retrying');
    assert.match(webhook?.error ?? '', /It answered 500: no room at all/);
    t.receiver.always(null);
    await t.advance({ seconds: 10 });
    const attempts = t.receiver.inbox.takeAll();
    assert.ok(attempts.length > 1);
    assert.ok(attempts.every(({ body }) => !body.repeat));
  } finally {
    await t.end();
    await smtp.stop();
  }
});

it('a contact method whose secret is damaged fails over at once', async () => {
  const t = await story({
    env: { LOG_LEVEL: 'silent' },
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada', 'grace'),
      teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
    }),
  });
  try {
    await t.db
      .updateTable('contact_methods')
      .set({ signing_secret: Buffer.from('damaged') })
      .where('user_id', '=', t.acme.users.ada ?? '')
      .execute();
    const requestId = await t.page('team', 'sre', { urgency: 'high' });
    await t.notified('grace');
    const { page } = await t.status(requestId);
    assert.match(page.deliveries.find(({ state }) => state === 'failed')?.error ?? '', /cannot be decrypted/);
  } finally {
    await t.end();
  }
});
