import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Database } from '../db/database.ts';
import { createLog } from '../kit/log.ts';
import type { Acceptance } from './acceptance.ts';
import { createRecovery, type WriteAgain } from './recovery.ts';

const db = {} as Database;

function item(requestId: string, text = 'x'): Acceptance {
  const envelope = {
    service_request_id: requestId,
    response: { success: true, message: 'x' },
  } as Acceptance['envelope'];
  const rest = { organizationId: 'o', kind: 'page.team', credential: 'k', idempotency: null } as const;
  return { requestId, envelope, row: { text }, ...rest };
}

describe('requests that were accepted within the last minute', () => {
  it('are written again, and older ones are not', async () => {
    let now = 0;
    const recovery = createRecovery(createLog('silent'), { now: () => now });
    const seen: string[] = [];
    const again: WriteAgain = async (_, items) => {
      seen.push(...items.map(({ requestId }) => requestId));
      return items.length;
    };
    recovery.remember([item('old')], again);
    now = 1;
    recovery.remember([item('young')], again);
    now = 60_001;
    assert.equal(await recovery.recover(db), 1);
    assert.deepEqual(seen, ['young']);
  });

  it('are kept as long as the database accepts no writes, however long that is', async () => {
    let now = 0;
    let lastWriteAt = 0;
    const recovery = createRecovery(createLog('silent'), { now: () => now, lastWriteAt: () => lastWriteAt });
    const seen: string[] = [];
    const again: WriteAgain = async (_, items) => {
      seen.push(...items.map(({ requestId }) => requestId));
      return items.length;
    };
    recovery.remember([item('old')], again);
    [now, lastWriteAt] = [60_001, 60_001];
    recovery.remember([item('last')], again);
    now = 600_000;
    await recovery.recover(db);
    assert.deepEqual(seen, ['last']);
    lastWriteAt = 600_000;
    await recovery.recover(db);
    assert.deepEqual(seen, ['last'], 'forgotten a minute of writes later');
  });

  it('are reported to their caller if they cannot be written, and the others are written', async () => {
    const recovery = createRecovery(createLog('silent'));
    const again: WriteAgain = async (_, items) => {
      if (items.some(({ requestId }) => requestId === 'unknown')) throw new Error('it has no source');
      return items.length;
    };
    recovery.remember(
      ['a', 'unknown', 'b'].map((id) => item(id)),
      again,
    );
    const failed: string[] = [];
    const options = {
      failed: (error: unknown, id: string) => failed.push(`${id}: ${(error as Error).message}`),
    };
    assert.equal(await recovery.recover(db, options), 2);
    assert.deepEqual(failed, ['unknown: it has no source']);
  });

  it('are limited in number and bytes: the oldest are dropped first', () => {
    const again: WriteAgain = async () => 0;
    const counted = createRecovery(createLog('silent'), { mostItems: 3 });
    counted.remember(
      ['a', 'b', 'c', 'd', 'e'].map((id) => item(id)),
      again,
    );
    assert.equal(counted.size.items, 3);
    const weighed = createRecovery(createLog('silent'), { mostBytes: 10_000 });
    for (let at = 0; at < 100; at++) weighed.remember([item(String(at), 'x'.repeat(2_000))], again);
    assert.ok(weighed.size.bytes <= 10_000 && weighed.size.items === 3, JSON.stringify(weighed.size));
  });

  it('are written one by one if they cannot be written together; a database that is away stops this', async () => {
    const recovery = createRecovery(createLog('silent'));
    const again: WriteAgain = async (_, items) => {
      if (items.some(({ requestId }) => requestId === 'bad'))
        throw new Error('violates foreign key constraint');
      return items.length;
    };
    recovery.remember(
      ['a', 'bad', 'b'].map((id) => item(id)),
      again,
    );
    assert.equal(await recovery.recover(db), 2);
    const away = createRecovery(createLog('silent'));
    away.remember([item('a')], () => Promise.reject(new Error('Connection terminated unexpectedly')));
    await assert.rejects(away.recover(db), /terminated/);
    assert.equal(away.size.items, 1);
  });
});
