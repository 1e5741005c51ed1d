import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { type MomentServer, startMomentServer } from '../../testing/moment-server.ts';
import { createRotation } from '../db/turns.ts';
import { claimCalls } from './call-store.ts';
import { processCalls } from './process.ts';
import { readCall, recordCalls } from './record.ts';
import { retryCall, retryFailedCalls } from './retry.ts';

describe('processing webhook calls', () => {
  let server: MomentServer;
  let warnings: unknown[];
  beforeEach(async () => {
    warnings = [];
    server = await startMomentServer();
    const { warn } = server.log;
    server.log.warn = (...given: unknown[]) => {
      warnings.push(given);
      Reflect.apply(warn, server.log, given);
    };
  });
  afterEach(() => server.close());

  async function post(path: string, name: string): Promise<string> {
    const answer = await server.post(path, { name, type: 'alert' });
    assert.equal(answer.status, 200);
    return answer.json.service_request_id ?? '';
  }

  const request = (id: string) =>
    server.db.selectFrom('requests').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const call = (requestId: string) =>
    server.db
      .selectFrom('received_notifications')
      .selectAll()
      .where('request_id', '=', requestId)
      .executeTakeFirstOrThrow();
  const moments = () => server.db.selectFrom('moments').select(['id', 'name']).orderBy('id').execute();

  /** Makes the database refuse moments of this name with an error of this class. */
  async function breakOn(name: string, code: string): Promise<void> {
    await sql`
      create or replace function break_on() returns trigger language plpgsql as ${sql.lit(
        `begin
          if new.name = '${name}' then raise exception 'this one breaks' using errcode = '${code}'; end if;
          return new;
        end`,
      )}`.execute(server.db);
    await sql`create or replace trigger break_on before insert on moments for each row execute function break_on()`.execute(
      server.db,
    );
  }

  async function mend(): Promise<void> {
    await sql`drop trigger break_on on moments`.execute(server.db);
  }

  it('continues with the others if one breaks a batch, and retries that one with growing delays until it fails', async () => {
    const { path } = await server.webhook();
    await breakOn('poison', 'P0001');
    const names = ['a', 'poison', 'b', 'c'];
    const ids = await Promise.all(names.map((name) => post(path, name)));
    const poison = ids[1] ?? '';
    await server.clock.stop(server.db);
    assert.equal(await server.work(), 4);
    assert.deepEqual((await moments()).map(({ name }) => name).sort(), ['a', 'b', 'c']);

    for (const [attempt, waitSeconds] of [1, 2, 4, 8].entries()) {
      const waiting = await request(poison);
      assert.equal(waiting.status, 'retrying');
      assert.equal(waiting.attempts, attempt + 1);
      assert.equal((waiting.errors as unknown[]).length, attempt + 1);
      assert.equal(waiting.next_attempt_at?.since(waiting.updated_at).total('seconds'), waitSeconds);
      server.clock.advance({ milliseconds: waitSeconds * 1_000 - 1 });
      assert.equal(await server.work(), 0, 'not before its time');
      server.clock.advance({ milliseconds: 1 });
      assert.equal(await server.work(), 1);
    }
    const given = await request(poison);
    assert.equal(given.status, 'failed');
    assert.match(given.message, /failed 5 times/);
    assert.doesNotMatch(JSON.stringify(given), /this one breaks/, 'our insides stay inside');
    assert.equal((await call(poison)).state, 'error');
    server.clock.advance({ hours: 1 });
    assert.equal(await server.work(), 0);

    await mend();
    const { id } = await call(poison);
    await server.db
      .transaction()
      .execute(async (tx) => retryCall(tx, await server.clock.now(tx), server.acme.id, id));
    assert.equal(await server.work(), 1);
    assert.equal((await call(poison)).state, 'success');
    assert.deepEqual(
      (await server.moments(poison)).map(({ name }) => name),
      ['poison'],
    );
    assert.equal((await request(poison)).status, 'failed', 'what has finished stays finished');
  });

  it('does not count failures of the database against a call', async () => {
    const { path } = await server.webhook();
    await breakOn('unlucky', '40P01');
    const ids = await Promise.all(['a', 'unlucky', 'b'].map((name) => post(path, name)));
    const unlucky = ids[1] ?? '';
    await server.clock.stop(server.db);
    for (let round = 0; round < 12; round++) {
      await server.work();
      server.clock.advance({ minutes: 1 });
    }
    assert.equal((await moments()).length, 2);
    assert.equal((await request(unlucky)).status, 'retrying');
    await mend();
    await server.work();
    assert.equal((await request(unlucky)).status, 'succeeded');
    assert.equal((await request(unlucky)).attempts, 13);
  });

  it('is taken over if a process died, whose later writes are refused', async () => {
    const { path } = await server.webhook();
    const id = await post(path, 'held');
    const claim = {
      pages: false,
      tried: 'never' as const,
      limit: 10,
      maxBytes: 1_000_000,
      leaseMs: 30_000,
      node: null,
      rotation: createRotation(),
    };
    const held = await server.db
      .transaction()
      .execute(async (tx) => claimCalls(tx, await server.clock.now(tx), claim));
    assert.equal(held.length, 1);
    assert.equal(await server.work(), 0);
    server.clock.advance({ seconds: 30 });
    assert.equal(await server.work(), 1);
    assert.equal((await request(id)).status, 'succeeded');
    await server.db.transaction().execute(async (tx) =>
      recordCalls(
        tx,
        await server.clock.now(tx),
        held.map((call) => readCall(call, server.paging)),
        server,
      ),
    );
    assert.equal((await moments()).length, 1);
  });

  it('processes the end of a moment and the next one of its key together', async () => {
    const { path } = await server.webhook();
    const send = async (state: string) => {
      const alert = { name: 'disk', type: 'alert', dedup_key: 'disk', state };
      return (await server.post(path, alert)).json.service_request_id ?? '';
    };
    await send('open');
    await server.work();
    const together = [await send('resolved'), await send('open')];
    assert.equal(await server.work(), 2);
    // A batch that fails is attempted again, one call at a time.
    for (const id of together) {
      assert.equal((await request(id)).status, 'succeeded');
      assert.equal((await call(id)).attempts, 1);
    }
    assert.equal((await moments()).length, 2);
    assert.deepEqual(warnings, []);
  });

  it('fails a call that ended every process that took it', async () => {
    const { path } = await server.webhook();
    const id = await post(path, 'deadly');
    await server.db.updateTable('received_notifications').set({ attempts: 5 }).execute();
    assert.equal(await server.work(), 1);
    assert.equal((await call(id)).state, 'error');
    assert.equal((await moments()).length, 0);
  });

  it('processes new calls before calls that failed', async () => {
    const { path } = await server.webhook();
    await breakOn('poison', 'P0001');
    await post(path, 'poison');
    await server.work();
    server.clock.advance({ seconds: 5 });
    const fresh = await post(path, 'fresh');
    assert.equal(await processCalls(server, 1), 1);
    assert.equal((await request(fresh)).status, 'succeeded');
  });

  it('processes a failed call that pages before new moments', async () => {
    const { path } = await server.webhook();
    await breakOn('poison', 'P0001');
    const failed = await post(path, 'poison');
    await server.work();
    await server.db.updateTable('received_notifications').set({ pages: true }).execute();
    await mend();
    server.clock.advance({ seconds: 5 });
    await post(path, 'fresh');
    assert.equal(await processCalls(server, 1), 1);
    assert.equal((await request(failed)).status, 'succeeded');
  });

  describe('with more calls than a batch holds', () => {
    const names = Array.from({ length: 450 }, (_, index) => `call ${index}`);

    async function postAll(path: string): Promise<void> {
      for (let from = 0; from < names.length; from += 50)
        await Promise.all(names.slice(from, from + 50).map((name) => post(path, name)));
    }

    it('records each once while the next batch is claimed, and retries one that breaks its batch', async () => {
      const { path } = await server.webhook();
      await breakOn('call 7', 'P0001');
      await postAll(path);
      await server.clock.stop(server.db);
      assert.equal(await processCalls(server, 1_000), 450);
      const recorded = (await moments()).map(({ name }) => name).sort();
      assert.deepEqual(recorded, names.filter((name) => name !== 'call 7').sort());
      await mend();
      server.clock.advance({ seconds: 1 });
      assert.equal(await server.work(), 1);
      assert.equal((await moments()).length, 450);
    });

    it('processes a call that pages before the batch that was claimed ahead of it', async () => {
      const { path } = await server.webhook();
      await postAll(path);
      let batches = 0;
      const standBack = async () => {
        if (++batches > 1) return;
        const urgent = await call(await post(path, 'urgent'));
        await server.db
          .updateTable('received_notifications')
          .set({ pages: true })
          .where('id', '=', urgent.id)
          .execute();
      };
      assert.equal(await processCalls({ ...server, standBack }, 1_000), 451);
      assert.equal(
        (await moments()).findIndex(({ name }) => name === 'urgent'),
        200,
      );
    });

    it('stops at the limit', async () => {
      const { path } = await server.webhook();
      await postAll(path);
      assert.equal(await processCalls(server, 250), 250);
      assert.equal((await moments()).length, 250);
      const claimed = await server.db
        .selectFrom('received_notifications')
        .select('id')
        .where('attempts', '>', 0)
        .where('state', '=', 'queued')
        .execute();
      assert.deepEqual(claimed, []);
    });
  });

  it('retries all failed calls of one webhook, and nothing else', async () => {
    const [one, other] = [
      await server.webhook({ type: 'alertmanager' }),
      await server.webhook({ type: 'alertmanager' }),
    ];
    for (const { path } of [one, one, other]) await server.post(path, 'junk');
    await server.work();
    const retry = (organizationId: string) =>
      server.db
        .transaction()
        .execute(async (tx) => retryFailedCalls(tx, await server.clock.now(tx), organizationId, one.id));
    assert.equal(await retry((await server.organization('Globex')).id), 0);
    assert.equal(await retry(server.acme.id), 2);
    assert.equal(await server.work(), 2);
    assert.equal(await retry(server.acme.id), 2, 'junk stays junk');
  });

  it('takes few large bodies at a time, but always at least one', async () => {
    const { path } = await server.webhook({ type: 'alertmanager' });
    for (let call = 0; call < 3; call++) await server.post(path, `junk ${'x'.repeat(2_000_000)}`);
    const claim = {
      pages: false,
      tried: 'never' as const,
      limit: 10,
      maxBytes: 1_000_000,
      leaseMs: 30_000,
      node: null,
      rotation: createRotation(),
    };
    const take = () =>
      server.db.transaction().execute(async (tx) => claimCalls(tx, await server.clock.now(tx), claim));
    assert.equal((await take()).length, 1);
    assert.equal((await take()).length, 1);
  });

  it('records a burst of 5,000 calls once each, with several workers', async () => {
    const { path } = await server.webhook();
    const ids: string[] = [];
    const names = Array.from({ length: 5_000 }, (_, index) => `moment ${index}`);
    let arriving = true;
    const senders = Array.from({ length: 50 }, async () => {
      for (let name = names.pop(); name; name = names.pop()) ids.push(await post(path, name));
    });
    const workers = Array.from({ length: 3 }, async () => {
      while (arriving) {
        await server.work();
        await new Promise(setImmediate);
      }
      await server.work();
    });
    await Promise.all(senders);
    arriving = false;
    await Promise.all(workers);
    assert.equal(new Set(ids).size, 5_000);
    const made = await moments();
    assert.equal(made.length, 5_000);
    assert.equal(new Set(made.map(({ name }) => name)).size, 5_000);
    const open = await server.db
      .selectFrom('requests')
      .select('id')
      .where('status', '<>', 'succeeded')
      .execute();
    assert.deepEqual(open, []);
  });
});
