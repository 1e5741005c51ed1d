import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** Beyond the rate limit of a source, repeats are refused, but the first event of a dedup key and the end of its page are accepted. */
describe('a storm of one dedup key', () => {
  const BURST = 3;
  let t: Story;

  before(async () => {
    t = await story({
      env: { RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: String(BURST), LOG_LEVEL: 'silent' },
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada'),
        teams: { sre: { members: ['ada'] } },
      }),
    });
  });
  after(async () => {
    await t.settle();
    t.receiver.inbox.takeAll();
    await t.end();
  });

  type Send = (key: string | null, action?: string) => Promise<number>;

  async function custom(): Promise<Send> {
    const { path } = await t.source({ team: 'sre', name: `Storm ${Math.random()}` });
    return async (key, action) => {
      const body = { title: 'Disk full', ...(key && { dedup_key: key }), ...(action && { action }) };
      return (await t.post(path, body)).status;
    };
  }

  async function pagerduty(): Promise<Send> {
    const { key: routing_key } = await t.source({ team: 'sre', type: 'pagerduty-events' });
    return async (key, action = 'trigger') => {
      const payload = { summary: 'Disk full', source: 'db-1', severity: 'info' };
      const body = { routing_key, event_action: action, ...(key && { dedup_key: key }), payload };
      return (await t.post('/v2/enqueue', body)).status;
    };
  }

  /** Sends until it is refused, because a slow machine meanwhile earns a call a second. */
  async function refused(send: () => Promise<number>): Promise<void> {
    for (let round = 0; round < 30; round++) {
      const statuses = await Promise.all(Array.from({ length: 4 * BURST }, send));
      if (statuses.includes(429)) return;
      await t.settle();
    }
    assert.fail('it was never refused');
  }

  for (const [name, make] of Object.entries({ custom, pagerduty }))
    it(`does not block the first event of another key: ${name}`, async () => {
      const send = await make();
      await refused(() => send('noisy'));
      for (const key of ['first', 'second']) {
        await refused(() => send('noisy'));
        assert.ok((await send(key)) < 300, key);
        await t.settle();
        const pages = await t.db.selectFrom('pages').select('id').where('dedup_key', '=', key).execute();
        assert.equal(pages.length, 1);
        await t.db.deleteFrom('pages').where('dedup_key', '=', key).execute();
      }
    });

  for (const [name, make] of Object.entries({ custom, pagerduty }))
    it(`does not block the end of an open page, nor the first event after that: ${name}`, async () => {
      const send = await make();
      const key = `ends ${name}`;
      const states = async () => {
        await t.settle();
        const pages = t.db.selectFrom('pages').select('state').where('dedup_key', '=', key);
        return (await pages.orderBy('id').execute()).map(({ state }) => state);
      };
      assert.ok((await send(key)) < 300);
      assert.deepEqual(await states(), ['notifying']);
      await refused(() => send(key));
      assert.ok((await send(key, 'resolve')) < 300, 'resolve');
      assert.deepEqual(await states(), ['resolved']);
      await refused(() => send('noisy'));
      assert.ok((await send(key)) < 300, 'trigger');
      assert.deepEqual(await states(), ['resolved', 'notifying']);
    });

  it('does not block the end of an open page that is named by its id: Opsgenie', async () => {
    const { key } = await t.source({ team: 'sre', type: 'opsgenie-api' });
    const send = async (path: string, body: object) =>
      (await t.post(path, body, { authorization: `GenieKey ${key}` })).status;
    const create = (alias: string) => send('/v2/alerts', { message: 'Disk full', alias });
    const pages = async () => {
      await t.settle();
      const rows = t.db.selectFrom('pages').select(['id', 'state']).where('dedup_key', '=', 'named');
      return rows.orderBy('id').execute();
    };
    assert.ok((await create('named')) < 300);
    const [page] = await pages();
    await refused(() => create('named'));
    assert.ok((await send(`/v2/alerts/${page?.id}/close`, {})) < 300, 'close');
    assert.equal((await pages())[0]?.state, 'resolved');
    await refused(() => create('noisy'));
    assert.ok((await create('named')) < 300, 'create');
    assert.deepEqual(
      (await pages()).map(({ state }) => state),
      ['resolved', 'notifying'],
    );
  });

  it('is limited itself, with its repeats, repeated resolutions, acknowledgements, and triggers without a key', async () => {
    const send = await custom();
    await refused(() => send('noisy'));
    await refused(() => send('noisy', 'resolve'));
    await refused(() => send('noisy', 'acknowledge'));
    await refused(() => send(null));
  });

  it('also blocks first events if there are ten times as many as the burst', async () => {
    const send = await custom();
    let keys = 0;
    const statuses = await Promise.all(Array.from({ length: 12 * BURST }, () => send(`key ${keys++}`)));
    const accepted = statuses.filter((status) => status < 300).length;
    assert.ok(accepted >= 11 * BURST, `${accepted} were accepted`);
    await refused(() => send(`key ${keys++}`));
  });
});
