import '../../../testing/own-process.ts';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { ScriptedServer } from '../../../testing/fakes/scripted-server.ts';
import { PATIENCE_MS } from '../../../testing/patience.ts';
import { type HttpCall, MOST_KEPT, post } from './http-call.ts';

describe('post', () => {
  let server: ScriptedServer;
  const seen: string[] = [];
  before(async () => {
    server = await ScriptedServer.start(({ method, path, raw }) => {
      seen.push(`${method} ${path} ${raw}`);
      return { status: 200, headers: { 'x-answer': 'yes' }, body: 'taken' };
    });
  });
  after(() => server.stop());

  const call = (overrides: Partial<HttpCall> = {}) =>
    post({
      url: new URL(`${server.origin}/somewhere?x=1`),
      headers: { 'content-type': 'text/plain' },
      body: 'grüße',
      signal: AbortSignal.timeout(PATIENCE_MS),
      answer: 'all',
      ...overrides,
    });

  it('sends the body unchanged and returns the whole answer', async () => {
    const answer = await call();
    assert.equal(seen.at(-1), 'POST /somewhere?x=1 grüße');
    assert.ok(answer.kind === 'answer');
    assert.deepEqual([answer.status, answer.headers['x-answer'], answer.body], [200, 'yes', 'taken']);
  });

  it('sends nothing if the process was paused before it was connected', async (t) => {
    const before = seen.length;
    const calling = call();
    const wokeUpAt = performance.now() + 30_000;
    t.mock.method(performance, 'now', () => wokeUpAt);
    const failure = await calling;
    assert.ok(failure.kind === 'failure');
    assert.equal(failure.maybeSent, false);
    assert.match(failure.error, /could not be reached in time/);
    assert.equal(seen.length, before);
  });

  it('keeps 64 KiB of an answer and closes the connection long before the deadline', async () => {
    server.script('endless');
    const answer = await call({ signal: AbortSignal.timeout(PATIENCE_MS) });
    assert.equal(answer.kind === 'answer' && answer.body.length, 64 * 1024);
  });

  it('does not follow redirects', async () => {
    server.script({ status: 307, headers: { location: `${server.origin}/elsewhere` } });
    const answer = await call();
    assert.equal(answer.kind === 'answer' && answer.status, 307);
    assert.doesNotMatch(seen.join(), /elsewhere/);
  });

  it('knows that nothing was sent if there was no connection', async () => {
    const { port } = new URL(server.origin);
    const failures: [url: string, error: RegExp][] = [
      ['http://127.0.0.1:1/', /^127\.0\.0\.1:1 refuses connections\.$/],
      [
        'http://no-such-host.invalid/',
        /^The host name of no-such-host\.invalid (does not exist|cannot be looked up)/,
      ],
      [`https://127.0.0.1:${port}/`, /127\.0\.0\.1:\d+/],
    ];
    for (const [url, error] of failures) {
      const failure = await call({ url: new URL(url) });
      assert.ok(failure.kind === 'failure', url);
      assert.equal(failure.maybeSent, false, url);
      assert.match(failure.error, error);
    }
  });

  it('names the reason why there was no answer', async () => {
    const failures = [
      ['hang', /did not answer in time\.$/],
      ['drip-head', /did not answer in time\.$/],
      ['drip', /did not answer in time\.$/],
      ['reset', /closed the connection before it had answered\.$/],
      ['cut', /closed the connection before it had answered\.$/],
      ['malformed', /gave an answer that is not HTTP\.$/],
    ] as const;
    for (const [fault, error] of failures) {
      server.script(fault);
      const failure = await call({ signal: AbortSignal.timeout(150) });
      assert.ok(failure.kind === 'failure', fault);
      assert.equal(failure.maybeSent, true, fault);
      assert.match(failure.error, error);
    }
  });

  it('ends at once if no time is left', async () => {
    const before = seen.length;
    const failure = await call({ signal: AbortSignal.abort() });
    assert.equal(failure.kind === 'failure' && failure.maybeSent, false);
    assert.equal(seen.length, before);
  });

  it('returns a failure for headers that HTTP does not allow', async () => {
    const failure = await call({ headers: { 'x-name': 'two\r\nlines' } });
    assert.ok(failure.kind === 'failure');
    assert.equal(failure.maybeSent, false);
  });

  describe('to a server that keeps connections open', () => {
    let kept: Server;
    let origin: string;
    const sockets: Socket[] = [];
    let resets = false;
    before(async () => {
      kept = createServer((request, response) => {
        request.resume();
        request.once('end', () => (resets ? request.socket.destroy() : response.end('taken')));
      });
      kept.on('connection', (socket) => sockets.push(socket));
      await once(kept.listen(0, 'localhost'), 'listening');
      origin = `http://localhost:${(kept.address() as AddressInfo).port}`;
    });
    beforeEach(() => {
      sockets.length = 0;
      resets = false;
    });
    after(() => {
      kept.closeAllConnections();
      kept.close();
    });

    const closed = () => Promise.all(sockets.map((socket) => socket.destroyed || once(socket, 'close')));
    const callKept = (publicOnly = false) =>
      call({ url: new URL(origin), signal: AbortSignal.timeout(PATIENCE_MS), publicOnly });

    it('uses a connection again that was used a moment ago, and closes it soon', async () => {
      for (let count = 0; count < 3; count++) assert.equal((await callKept()).kind, 'answer');
      assert.equal(sockets.length, 1);
      await closed();
      assert.equal((await callKept()).kind, 'answer');
      assert.equal(sockets.length, 2);
      await closed();
    });

    it('does not use one for a call that may reach public addresses only', async () => {
      assert.equal((await callKept()).kind, 'answer');
      const failure = await callKept(true);
      assert.equal(failure.kind === 'failure' && failure.forbidden, true);
      await closed();
    });

    it('knows that a call may have been received if a connection breaks that was used before', async () => {
      assert.equal((await callKept()).kind, 'answer');
      resets = true;
      const failure = await callKept();
      assert.equal(failure.kind === 'failure' && failure.maybeSent, true);
      assert.equal(sockets.length, 1);
    });

    it('sends nothing on one if the process was paused', async (t) => {
      assert.equal((await callKept()).kind, 'answer');
      resets = true;
      const calling = callKept();
      const wokeUpAt = performance.now() + 30_000;
      t.mock.method(performance, 'now', () => wokeUpAt);
      const failure = await calling;
      assert.equal(failure.kind === 'failure' && failure.maybeSent, false);
      assert.equal(sockets.length, 1);
      t.mock.restoreAll();
      await closed();
    });

    it('keeps a bounded number of them', async () => {
      const answers = await Promise.all(Array.from({ length: MOST_KEPT + 8 }, () => callKept()));
      assert.ok(answers.every(({ kind }) => kind === 'answer'));
      assert.equal(sockets.length, MOST_KEPT + 8);
      const again = await Promise.all(Array.from({ length: MOST_KEPT + 8 }, () => callKept()));
      assert.ok(again.every(({ kind }) => kind === 'answer'));
      assert.equal(sockets.length, MOST_KEPT + 16);
      await closed();
    });
  });
});
