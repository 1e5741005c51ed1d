import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type EventStream, eventStream } from '../testing/event-stream.ts';
import { eventually } from '../testing/eventually.ts';
import { type Cluster, cluster, type ServerProcess } from '../testing/processes.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';

/** As behind a load balancer: one process works, two answer, and either of them may get any request. */
describe('dashboards over several processes', () => {
  let t: Cluster;
  let here: ServerProcess;
  let there: ServerProcess;
  let linus: SignedIn;
  let stream: EventStream;

  before(async () => {
    t = await cluster({ people: { linus: {} }, teams: { sre: { members: ['linus'] } } });
    [, here, there] = await Promise.all([
      t.start({ role: 'worker' }),
      t.start({ role: 'api' }),
      t.start({ role: 'api' }),
    ]);
    linus = await signIn({ ...t, url: here.url }, 'linus');
    stream = await eventStream(`${here.url}/api/events`, { cookie: linus.cookie });
    await stream.next('hello');
  });
  after(() => t.stop());

  function onTheOther(method: string, path: string, body: unknown = {}): Promise<Response> {
    const headers = {
      cookie: linus.cookie,
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
    };
    return fetch(there.url + path, {
      method,
      headers,
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    });
  }

  it('a page reaches the dashboard wherever it is connected, and its confirmation counts wherever it arrives', async () => {
    const raised = await fetch(`${there.url}/page/person`, {
      method: 'POST',
      headers: { authorization: `Bearer ${t.acme.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ recipient: 'linus@example.com', title: 'Hi', text: 'there' }),
    });
    assert.equal(raised.status, 200);
    const alarm = await stream.next('notification');
    assert.equal((await onTheOther('POST', `/api/deliveries/${alarm.id}/confirm`)).status, 200);
    const delivery = async () =>
      t.db.selectFrom('deliveries').select(['channel', 'state', 'attempts', 'repeat']).executeTakeFirst();
    await eventually(delivery, { channel: 'browser', state: 'accepted', attempts: 1, repeat: false });
    const id = String(alarm.data.page_id);
    assert.deepEqual((await stream.next('pages')).data, { pages: [id] });
    assert.equal((await onTheOther('POST', `/api/pages/${id}/acknowledge`)).status, 200);
    assert.deepEqual((await stream.next('pages')).data, { pages: [id] });
  });

  it('a process that dies closes its dashboards', async () => {
    const open = async () => (await t.db.selectFrom('open_dashboards').select('user_id').execute()).length;
    assert.equal(await open(), 1);
    await here.end('SIGKILL');
    await eventually(open, 0);
  });

  it('signing out on one ends the session on all', async () => {
    const again = await t.start({ role: 'api' });
    const status = async () =>
      (await fetch(`${again.url}/api/session`, { headers: { cookie: linus.cookie } })).status;
    assert.equal(await status(), 200);
    assert.equal((await onTheOther('DELETE', '/api/session')).status, 200);
    await eventually(status, 401);
  });
});
