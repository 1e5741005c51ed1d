import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type MomentServer, startMomentServer } from '../../testing/moment-server.ts';
import { forgetEnds } from './store.ts';

describe('an end that arrives before its start', () => {
  let server: MomentServer;
  before(async () => {
    server = await startMomentServer();
  });
  after(() => server.close());

  const alert = (status: string, minute: number) => ({
    ...{ version: '4', groupKey: 'k', status, receiver: 'tocsin', truncatedAlerts: 0 },
    ...{ groupLabels: {}, commonLabels: {}, commonAnnotations: {}, externalURL: 'http://am' },
    alerts: [
      {
        ...{ status, labels: { alertname: 'Disk' }, annotations: {} },
        startsAt: time(minute),
        endsAt: status === 'resolved' ? time(minute + 1) : '0001-01-01T00:00:00Z',
      },
    ],
  });
  const began = Date.now() - 3_600_000;
  const time = (minute: number) => new Date(began + minute * 60_000).toISOString();

  async function send(path: string, body: object): Promise<string[]> {
    await server.post(path, body);
    await server.work();
    const rows = await server.db.selectFrom('moments').select('state').orderBy('id').execute();
    return rows.map(({ state }) => state);
  }

  it('keeps a late start from opening a moment, and has no other effect', async () => {
    const { path } = await server.webhook({ type: 'alertmanager' });
    assert.deepEqual(await send(path, alert('resolved', 5)), []);
    assert.deepEqual(await send(path, alert('firing', 5)), []);
    assert.deepEqual(await send(path, alert('firing', 10)), ['open']);
    assert.deepEqual(await send(path, alert('resolved', 10)), ['resolved']);
    assert.deepEqual(await send(path, alert('resolved', 20)), ['resolved']);
    assert.deepEqual(await send(path, alert('firing', 20)), ['resolved']);
    const other = await server.webhook({ type: 'alertmanager' });
    assert.deepEqual(await send(other.path, alert('firing', 5)), ['resolved', 'open']);
  });

  it('is forgotten after 48 hours', async () => {
    server.clock.advance({ hours: 47 });
    assert.equal(await forgetEnds(server.db, server.clock, 100), 0);
    server.clock.advance({ hours: 2 });
    assert.equal(await forgetEnds(server.db, server.clock, 100), 1);
  });
});
