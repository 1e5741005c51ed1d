import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startMomentServer } from '../../testing/moment-server.ts';
import { processCalls } from './process.ts';

it('a call that cannot be stored is answered 503, well-formed or not, so that its sender repeats it', async () => {
  const server = await startMomentServer();
  try {
    const { path } = await server.webhook();
    const alertmanager = await server.webhook({ type: 'alertmanager' });
    const calls = [
      () => server.post(path, { name: 'x', type: 'alert' }),
      () => server.post(path, 'junk'),
      () => server.post(alertmanager.path, 'junk'),
    ];
    // Known tokens are still cached when the database is away.
    assert.deepEqual(
      (await Promise.all(calls.map((call) => call()))).map(({ status }) => status),
      [200, 400, 200],
    );
    await server.loseDatabase();
    for (const known of [true, false]) {
      for (const call of calls) {
        const answer = await call();
        assert.equal(answer.status, 503, `known: ${known}`);
        assert.ok(Number(answer.headers.get('retry-after')) >= 1);
      }
      server.outliveTokenCache();
    }
    await assert.rejects(processCalls(server, 10));
  } finally {
    await server.close();
  }
});
