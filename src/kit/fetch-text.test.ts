import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createFetchText } from './fetch-text.ts';

describe('fetching a small text', () => {
  let server: Server;
  let answer: RequestListener = (_, response) => response.end('hello');
  let url: URL;
  before(async () => {
    server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/x?y=1`);
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const fetchText = createFetchText({ deadlineMs: 2_000, mostBytes: 1_000, allowPrivate: true });
  const errorOf = async () => {
    const got = await fetchText(url);
    return 'error' in got ? got.error : `${got.status} ${got.text}`;
  };

  it('returns status and text, and does not follow redirects', async () => {
    assert.deepEqual(await fetchText(url), { status: 200, text: 'hello' });
    answer = (_, response) => response.writeHead(302, { location: '/elsewhere' }).end();
    assert.deepEqual(await fetchText(url), { status: 302, text: '' });
  });

  it('ends with a sentence, whatever the other side does', async () => {
    answer = (_, response) => response.end('x'.repeat(1_001));
    assert.match(await errorOf(), /answered with more than 1000 bytes/);
    answer = () => undefined;
    assert.match(await errorOf(), /did not answer within 2 s/);
    answer = (_, response) => {
      response.write('drip');
      const drip = setInterval(() => response.write('.'), 50);
      response.on('close', () => clearInterval(drip));
    };
    assert.match(await errorOf(), /did not answer within 2 s/);
    answer = (request) => request.socket.destroy();
    assert.match(await errorOf(), /closed the connection before it had answered/);
    const nobody = await fetchText(new URL('http://127.0.0.1:1/'));
    assert.match('error' in nobody ? nobody.error : '', /^127\.0\.0\.1:1 refuses connections$/);
  });

  it('refuses private addresses, by number and by name', async () => {
    answer = () => assert.fail('nothing may arrive');
    const careful = createFetchText({ deadlineMs: 2_000, mostBytes: 1_000, allowPrivate: false });
    for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', 'localhost']) {
      const got = await careful(new URL(`http://${host}:${url.port}/`));
      assert.ok('error' in got, host);
    }
  });
});
