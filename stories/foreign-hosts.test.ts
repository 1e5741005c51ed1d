/** A web page whose name resolves to our address must not share our origin: we answer under our own names only. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { type Story, story } from '../testing/story.ts';

let t: Story;
before(async () => {
  t = await story({
    organization: { people: { ada: {} }, teams: {} },
    env: {
      PUBLIC_URL: 'https://tocsin.example.com',
      UPLOAD_URL: 'https://upload.example.com/tocsin',
      ALLOWED_HOSTS: 'tocsin.internal',
    },
  });
});
after(() => t.end());

async function ask(url: string, host: string, method = 'GET') {
  const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>();
  const headers = { host, authorization: `Bearer ${t.acme.key}`, accept: 'application/json' };
  request(url, { method, headers, agent: false }, resolve).on('error', reject).end();
  const answer = await promise;
  return { status: answer.statusCode, body: await text(answer) };
}

const FOREIGN = [
  'evil.example',
  'evil.example:8080',
  'tocsin.example.com.evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '192.168.1.7',
  '[fd00::1]',
  'example.com',
  // Other parsers might take the name after the @ as the host.
  '127.0.0.1:80@evil.example',
  'tocsin.example.com@evil.example',
];

test('other names are refused on both listeners, whatever is requested', async () => {
  const { port, uploadPort } = t.app.config;
  const base = `http://127.0.0.1:${port}`;
  const upload = `http://127.0.0.1:${uploadPort}`;
  for (const host of FOREIGN)
    for (const [method, url] of [
      ['GET', `${base}/schedules`],
      ['GET', `${base}/`],
      ['GET', `${base}/api/session`],
      ['GET', `${base}/nowhere`],
      ['POST', `${base}/page/team`],
      ['POST', `${base}/moment/token`],
      ['POST', `${upload}/availabilities/upload`],
    ] as const) {
      const { status, body } = await ask(url, host, method);
      assert.equal(status, 421, `${method} ${url} as ${host}`);
      assert.match(
        body,
        /is not a host name of this service; use https:\/\/tocsin\.example\.com, .* ALLOWED_HOSTS/,
      );
    }
});

test('our own names, those of this machine and those that the operator adds are answered', async () => {
  const { port } = t.app.config;
  const own = ['tocsin.example.com', 'TOCSIN.example.com.:443', 'upload.example.com', 'tocsin.internal:8080'];
  const here = ['localhost', `127.0.0.1:${port}`, '[::1]', 'tocsin.localhost'];
  for (const host of [...own, ...here])
    assert.equal((await ask(`http://127.0.0.1:${port}/schedules`, host)).status, 200, host);
});

test('a second name, in the target or in another header, must also be ours', async () => {
  const { port } = t.app.config;
  const statusOf = async (target: string, ...hosts: string[]) => {
    const socket = connect(port, '127.0.0.1');
    const lines = [`GET ${target} HTTP/1.1`, ...hosts.map((host) => `Host: ${host}`), 'Connection: close'];
    socket.write(`${[...lines, `Authorization: Bearer ${t.acme.key}`].join('\r\n')}\r\n\r\n`);
    return Number((await text(socket)).split(' ')[1]);
  };
  assert.equal(await statusOf('/schedules', 'localhost'), 200);
  assert.equal(await statusOf('http://localhost/schedules', 'localhost'), 200);
  assert.equal(await statusOf('http://evil.example/schedules', 'localhost'), 421);
  assert.equal(await statusOf('/schedules', 'localhost', 'evil.example'), 421);
  assert.equal(await statusOf('/schedules', 'evil.example', 'localhost'), 421);
});

test('probes use addresses, and reveal nothing to strangers', async () => {
  const { status, body } = await ask(`http://127.0.0.1:${t.app.config.port}/readyz`, '10.1.2.3:8080');
  assert.deepEqual([status, body], [200, '{"status":"ok"}']);
});
