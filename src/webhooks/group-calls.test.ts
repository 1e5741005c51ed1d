import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type MomentServer, startMomentServer } from '../../testing/moment-server.ts';
import { resolveMoment } from '../moments/people-actions.ts';

const BEGAN = Date.now() - 3_600_000;
const time = (minute: number) => new Date(BEGAN + minute * 60_000).toISOString();

type Alert = { name: string; began: number; ended?: number };

const DISK = { name: 'disk', began: 5 };
const DISK_ENDED = { ...DISK, ended: 10 };
const RAID = { name: 'raid', began: 2 };
const RAID_ENDED = { ...RAID, ended: 20 };

for (const type of ['alertmanager', 'grafana'])
  for (const withFingerprints of [true, false])
    describe(`groups of ${type} ${withFingerprints ? 'with' : 'without'} fingerprints`, () => {
      let server: MomentServer;
      let webhook: { id: string; path: string };
      before(async () => {
        server = await startMomentServer();
        webhook = await server.webhook({ type });
      });
      after(() => server.close());

      function body(alerts: readonly Alert[]) {
        const isFiring = alerts.some(({ ended }) => ended === undefined);
        return {
          ...{ version: '4', groupKey: 'k', status: isFiring ? 'firing' : 'resolved', truncatedAlerts: 0 },
          ...{ groupLabels: {}, commonLabels: {}, commonAnnotations: {}, externalURL: 'http://am' },
          alerts: alerts.map(({ name, began, ended }) => ({
            status: ended === undefined ? 'firing' : 'resolved',
            ...{ labels: { alertname: name }, annotations: {}, startsAt: time(began) },
            endsAt: ended === undefined ? '0001-01-01T00:00:00Z' : time(ended),
            ...(withFingerprints && { fingerprint: `fingerprint of ${name}` }),
          })),
        };
      }

      /** The outcome that the sender sees. */
      async function send(...alerts: Alert[]): Promise<string> {
        const { json } = await server.post(webhook.path, body(alerts));
        await server.work();
        const { message } = await server.db
          .selectFrom('requests')
          .select('message')
          .where('id', '=', json.service_request_id ?? '')
          .executeTakeFirstOrThrow();
        return message;
      }

      async function moments() {
        const rows = await server.db
          .selectFrom('moments')
          .select(['id', 'name', 'state'])
          .where('webhook_id', '=', webhook.id)
          .orderBy('id')
          .execute();
        return rows.map(({ name, state }) => `${name} ${state}`);
      }

      it('open a moment for an alert that was silenced until the others had ended', async () => {
        await send(DISK);
        await send(DISK_ENDED);
        assert.match(await send(DISK), /older than the latest one/);
        assert.deepEqual(await moments(), ['disk resolved']);
        assert.equal(await send(RAID), '1 moment was created.');
        assert.equal(await send(RAID), '1 moment was updated.');
        assert.match(await send(DISK_ENDED), /older than the latest one/);
        assert.match(await send(DISK), /older than the latest one/);
        assert.deepEqual(await moments(), ['disk resolved', 'raid open']);
      });

      it('end it by its own end, after which repeated calls open nothing', async () => {
        assert.equal(await send(RAID_ENDED), '1 moment was updated.');
        for (const alerts of [[RAID], [DISK], [DISK, RAID], [DISK_ENDED, RAID]])
          assert.match(await send(...alerts), /older than the latest one/);
        assert.deepEqual(await moments(), ['disk resolved', 'raid resolved']);
      });

      it('also open one when it fires again, and when a person has resolved the others', async () => {
        assert.equal(await send({ ...DISK, began: 30 }), '1 moment was created.');
        const { id } = await server.db
          .selectFrom('moments')
          .select('id')
          .where('state', '=', 'open')
          .executeTakeFirstOrThrow();
        const actor = { organizationId: server.acme.id, userId: server.acme.userId };
        await server.db
          .transaction()
          .execute(async (tx) => resolveMoment(tx, await server.clock.now(tx), actor, id));
        assert.match(await send({ ...DISK, began: 30 }), /older than the latest one/);
        assert.equal(await send({ ...RAID, began: 25 }), '1 moment was created.');
        assert.equal(await send({ ...RAID, began: 25, ended: 35 }), '1 moment was updated.');
        assert.deepEqual((await moments()).slice(2), ['disk resolved', 'raid resolved']);
      });

      it('remember the alerts of an early end', async () => {
        assert.match(await send({ name: 'fan', began: 36, ended: 50 }), /no open moment has this key/);
        assert.match(await send({ name: 'fan', began: 36 }), /older than the latest one/);
        assert.equal(await send({ name: 'power', began: 37 }), '1 moment was created.');
        assert.equal(await send({ name: 'power', began: 37, ended: 55 }), '1 moment was updated.');
      });
    });
