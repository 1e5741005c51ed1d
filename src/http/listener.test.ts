import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { createLog } from '../kit/log.ts';
import { createListener } from './listener.ts';

async function listener() {
  const app = await createListener({
    config: { tls: null, trustProxy: false },
    names: null,
    log: createLog('silent'),
    bodyLimit: 1_024,
    headersTimeoutMs: 200,
    requestTimeoutMs: 500,
  });
  app.get('/things', async () => ({ ok: true }));
  app.get('/things/:id', async () => ({ ok: true }));
  app.post('/things', async () => ({ ok: true }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, port: (app.server.address() as AddressInfo).port };
}

/** Sends one piece, then a byte now and then until the connection ends. Returns the answer. */
async function dribble(port: number, first: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(first);
  const dribbling = setInterval(() => socket.write('x'), 50);
  // A connection that is reset while it sends ends with an error, which also counts as an end.
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
  clearInterval(dribbling);
  return answer;
}

test('a client that sends its headers or its body too slowly gets 408 and is cut off, and others are answered', async (t) => {
  const { app, port } = await listener();
  t.after(() => app.close());
  const slow = [
    ...Array.from({ length: 20 }, () => dribble(port, 'GET /things HTTP/1.1\r\nHost: x\r\nX-Slow: ')),
    ...Array.from({ length: 20 }, () =>
      dribble(
        port,
        'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"a": "',
      ),
    ),
  ];
  assert.equal((await fetch(`http://127.0.0.1:${port}/things`)).status, 200);
  const answers = await Promise.all(slow);
  // Data that is sent while the connection ends may destroy the answer.
  const heard = answers.filter((answer) => answer !== '');
  assert.ok(heard.length > 0);
  for (const answer of heard) assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/);
});

test('a connection in use when the listener closes ends with its answer, not when its client closes it', async () => {
  const app = await createListener({
    config: { tls: null, trustProxy: false },
    names: null,
    log: createLog('silent'),
    bodyLimit: 1_024,
  });
  const begun = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  app.get('/slow', async () => {
    begun.resolve();
    await answer.promise;
    return { ok: true };
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const going = fetch(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/slow`);
  await begun.promise;
  const closing = app.close();
  while (app.server.listening) await new Promise((resolve) => setImmediate(resolve));
  answer.resolve();
  const response = await going;
  assert.deepEqual([response.status, response.headers.get('connection')], [200, 'close']);
  await closing;
});

test('a NUL character is 404 in a path and 400 in a query', async (t) => {
  const { app, port } = await listener();
  t.after(() => app.close());
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return [answer.status, ((await answer.json()) as { details?: unknown }).details];
  };
  assert.deepEqual(await ask('/things?team=a%00b'), [
    400,
    [{ field: 'team', message: 'team has a NUL character (%00) in the query; leave it out.' }],
  ]);
  assert.deepEqual(await ask('/things?te%00am=a'), [
    400,
    [{ field: 'query', message: 'query has a NUL character (%00) in the query; leave it out.' }],
  ]);
  assert.deepEqual(await ask('/things?=a%00b'), [
    400,
    [{ field: 'query', message: 'query has a NUL character (%00) in the query; leave it out.' }],
  ]);
  assert.deepEqual(await ask('/things?team=a&team=%00'), [
    400,
    [{ field: 'team', message: 'team has a NUL character (%00) in the query; leave it out.' }],
  ]);
  assert.deepEqual(await ask('/things/a%00b'), [
    404,
    [{ field: 'id', message: 'id has a NUL character (%00) in the path; leave it out.' }],
  ]);
  assert.equal((await ask('/things/ab?team=c'))[0], 200);
});

test('a statement that takes too long is not reported as a database that is away', async () => {
  const app = await createListener({
    config: { tls: null, trustProxy: false },
    ...{ names: null, log: createLog('silent'), bodyLimit: 1_024 },
  });
  const slow = async () => {
    throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  };
  app.get('/report', slow);
  app.post('/report', slow);
  const read = await app.inject({ url: '/report' });
  assert.equal(read.headers['retry-after'], '10');
  const [detail] = read.json().details;
  assert.deepEqual(detail, {
    field: 'request',
    message:
      'request takes the database longer than it may; request less, such as a shorter period, or try again when there is less load.',
  });
  // A change may have been stored.
  const written = await app.inject({ method: 'POST', url: '/report', payload: {} });
  assert.equal(written.json().details[0].field, 'service');
});
