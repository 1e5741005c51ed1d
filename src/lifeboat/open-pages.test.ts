import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type LifeboatDatabases, lifeboatDatabases } from '../../testing/lifeboat-databases.ts';
import { type Organization, seedOrganization } from '../../testing/organization.ts';
import { databaseClock } from '../db/clock.ts';
import { createLog } from '../kit/log.ts';
import { createSealing } from '../kit/sealing.ts';
import { newId } from '../kit/typeid.ts';
import { createRecovery } from '../requests/recovery.ts';
import { createOpenPages } from './open-pages.ts';

describe('the open pages that a lifeboat takes aboard', () => {
  let databases: LifeboatDatabases;
  let acme: Organization;

  before(async () => {
    databases = await lifeboatDatabases();
    acme = await seedOrganization(
      { db: databases.main, clock: databaseClock, sealing: createSealing(randomBytes(32)) },
      { people: { ada: {} }, teams: { sre: { members: ['ada'] } } },
    );
  });
  after(() => databases?.drop());

  async function accept(): Promise<{ page: string; request: string }> {
    const [page, request, at] = [newId('page'), newId('request'), Temporal.Now.instant()];
    const own = { organization_id: acme.id };
    await databases.main
      .insertInto('requests')
      .values({
        ...{ ...own, id: request, kind: 'page.team', status: 'queued', message: 'queued' },
        ...{ credential: 'api_key_1', created_at: at, updated_at: at },
      })
      .execute();
    await databases.main
      .insertInto('pages')
      .values({
        ...{ ...own, id: page, request_id: request, kind: 'team', team_id: acme.teams.sre ?? '' },
        ...{ title: 'Disk full', text: 'x', urgency: 'high', state: 'notifying', reply_code: '1234' },
        created_at: at,
      })
      .execute();
    return { page, request };
  }

  const change = (page: string, state: 'acknowledged' | 'notifying') =>
    databases.main
      .updateTable('pages')
      .set({ state, acknowledged_at: state === 'acknowledged' ? Temporal.Now.instant() : null })
      .where('id', '=', page)
      .execute();

  /** Looks every second for some seconds. The process remembers requests for a minute. */
  function process() {
    let seconds = 0;
    const now = () => seconds * 1_000;
    const recovery = createRecovery(createLog('silent'), { now });
    const open = createOpenPages(now);
    return {
      open,
      accepted(requestId: string) {
        const item = {
          requestId,
          organizationId: acme.id,
          kind: 'page.team' as const,
          credential: 'api_key_1',
        };
        const envelope = { service_request_id: requestId, response: { success: true, message: '' } };
        recovery.remember([{ ...item, idempotency: null, envelope, row: {} }], async () => 0);
      },
      async look(times: number) {
        for (let time = 0; time < times; time++) {
          await open.look(databases.main, recovery);
          seconds++;
        }
      },
      taken: () => open.take().flatMap(({ pages }) => pages.map(({ id }) => id)),
    };
  }

  it('include one that was acknowledged and notifies again', async () => {
    const { page, request } = await accept();
    const node = process();
    node.accepted(request);
    await node.look(2);
    await change(page, 'acknowledged');
    await node.look(80);
    await change(page, 'notifying');
    await node.look(6);
    assert.deepEqual(node.taken(), [page]);
  });

  it('are the same when the database goes away again', async () => {
    const { page, request } = await accept();
    const node = process();
    node.accepted(request);
    await node.look(80);
    assert.deepEqual(node.taken(), [page]);
    await node.look(1);
    assert.deepEqual(node.taken(), [page]);
  });

  it('include those that a lifeboat accepted and has landed', async () => {
    const { page } = await accept();
    const node = process();
    await node.look(1);
    const landed = await node.open.landing(databases.main);
    landed();
    await node.look(1);
    assert.ok(node.taken().includes(page));
  });
});
