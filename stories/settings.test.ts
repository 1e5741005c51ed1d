import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { seedOrganization } from '../testing/organization.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

describe('settings and the state of the installation', () => {
  let t: Story;
  let ada: SignedIn;
  let grace: SignedIn;

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada', 'grace'),
        teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada']], backstop: 'grace' }] } },
      }),
    });
    await t.db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', t.acme.users.ada ?? '')
      .execute();
    [ada, grace] = [await signIn(t, 'ada'), await signIn(t, 'grace')];
  });
  after(() => t.end());

  it('renames the organization, and records who did it', async () => {
    const answer = await ada.call('PATCH', '/api/organization', {
      name: 'Acme & Sons',
      time_zone: 'Asia/Tokyo',
    });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { body } = await grace.call('GET', '/api/organization');
    assert.deepEqual([body.name, body.time_zone, body.may_change], ['Acme & Sons', 'Asia/Tokyo', false]);
    const [entry] = (await ada.call('GET', '/api/audit?action=organization')).body.entries;
    assert.deepEqual(
      [entry.action, entry.by.name, entry.data.before.name, entry.data.after.name],
      ['organization.changed', 'Ada', 'Acme', 'Acme & Sons'],
    );
  });

  it('is changed and audited only by admins and owners', async () => {
    for (const [method, path, body] of [
      ['PATCH', '/api/organization', { name: 'Mine' }],
      ['GET', '/api/audit', undefined],
      ['GET', '/api/system', undefined],
    ] as const) {
      const { status, body: said } = await grace.call(method, path, body);
      assert.equal(status, 403, path);
      assert.match(said.details[0].message, /owners and admins; ask one of them/);
    }
    const wrong = await ada.call('PATCH', '/api/organization', { time_zone: 'Mars/Base' });
    assert.match(wrong.body.details[0].message, /IANA time zone/);
  });

  it('reads the audit log page by page, only of this organization', async () => {
    for (const name of ['One', 'Two', 'Three']) await ada.call('PATCH', '/api/organization', { name });
    const first = (await ada.call('GET', '/api/audit?limit=2')).body;
    assert.equal(first.has_more, true);
    assert.deepEqual(
      first.entries.map(({ data }: Entry) => data.after.name),
      ['Three', 'Two'],
    );
    const next = (await ada.call('GET', `/api/audit?limit=2&before=${first.entries[1].id}`)).body;
    assert.equal(next.entries[0].data.after.name, 'One');
    const others = await seedOrganization(t, { people: { eve: {} }, teams: {} }, 'Evil');
    await t.db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', others.users.eve ?? '')
      .execute();
    const eve = await signIn({ ...t, acme: others }, 'eve');
    assert.deepEqual((await eve.call('GET', '/api/audit')).body.entries, []);
  });

  it('looks up a request by its id, and the newest', async () => {
    const id = await t.page('team', 'sre', { title: 'Disk full', urgency: 'high' });
    await t.notified('ada');
    const one = (await ada.call('GET', `/api/requests/${id}`)).body;
    assert.deepEqual(
      [one.service_request_id, one.response.status, one.response.page.deliveries[0].state],
      [id, 'succeeded', 'accepted'],
    );
    const list = (await ada.call('GET', '/api/requests?status=succeeded&kind=page.team&limit=1')).body;
    assert.equal(list.requests[0].id, id);
    assert.deepEqual((await ada.call('GET', '/api/requests?status=failed')).body.requests, []);
    assert.equal((await ada.call('GET', '/api/requests/request_01h455vb4pex5vsknk084sn02q')).status, 404);
  });

  it('shows the results of each channel, and where a test would go', async () => {
    const { channels } = (await ada.call('GET', '/api/channels')).body;
    const of = (name: string) => channels.find(({ channel }: { channel: string }) => channel === name);
    assert.equal(of('webhook').unavailable, null);
    assert.equal(of('webhook').day.accepted, 1);
    assert.match(of('webhook').test_method_id, /^contact_method_/);
    assert.match(of('sms').unavailable, /TWILIO_ACCOUNT_SID/);
    assert.equal(of('sms').test_method_id, null);
  });

  it('shows nodes, queues and database', async () => {
    const { body } = await ada.call('GET', '/api/system');
    assert.deepEqual(body.queues, { steps: 0, deliveries: 0, notifications: 0 });
    assert.equal(body.waiting.steps, 1, 'the next stage of the page above');
    assert.ok(body.database.bytes > 1_000_000);
    assert.deepEqual(
      body.nodes.map(({ role, alive }: { role: string; alive: boolean }) => [role, alive]),
      [['all', true]],
    );
  });
});

type Entry = { data: { after: { name: string } } };
