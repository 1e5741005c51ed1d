import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/**
 * A proxy and Tocsin must never disagree about where a request ends. Ambiguous requests are refused and the connection
 * is closed.
 */
describe('ambiguous requests', () => {
  let t: Story;
  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada'),
        teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']] }] } },
      }),
    });
  });
  after(() => t.end());

  const page = '{"recipient":"sre","title":"smuggled","text":"x"}';
  /** A whole page request that must never be processed. */
  const hidden = () =>
    [
      'POST /page/team HTTP/1.1',
      'host: localhost',
      `authorization: Bearer ${t.acme.key}`,
      'content-type: application/json',
      `content-length: ${page.length}`,
      '',
      page,
    ].join('\r\n');
  const post = (headers: string, body: string) =>
    `POST /page/team HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${headers}\r\n\r\n${body}`;

  it('a body that is not UTF-8 is refused, and the same body in UTF-8 is read', async () => {
    const call = (path: string, encoding: 'latin1' | 'utf8') =>
      fetch(t.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${t.acme.key}`, 'content-type': 'application/json' },
        body: Buffer.from('{"recipient":"Größe","title":"Größe","text":"x","urgency":"low"}', encoding),
      });
    for (const path of ['/page/team', '/page/person', '/api/pages']) {
      const refused = await call(path, 'latin1');
      assert.equal(refused.status, 400, path);
      const { details } = (await refused.json()) as { details: unknown };
      assert.deepEqual(details, [
        { field: 'body', message: 'body is not UTF-8 text; send it encoded as UTF-8.' },
      ]);
    }
    const read = (await (await call('/page/team', 'utf8')).json()) as {
      details: { field: string; message: string }[];
    };
    assert.equal(read.details[0]?.field, 'recipient');
  });

  const AMBIGUOUS: Record<string, () => string> = {
    'a length and chunks': () =>
      post('content-length: 4\r\ntransfer-encoding: chunked', `0\r\n\r\n${hidden()}`),
    'chunks and a length': () =>
      post('transfer-encoding: chunked\r\ncontent-length: 4', `0\r\n\r\n${hidden()}`),
    'two lengths': () => post(`content-length: 0\r\ncontent-length: ${page.length}`, hidden()),
    'two lengths in one': () => post('content-length: 0, 5', hidden()),
    'a length with a sign': () => post('content-length: +0', hidden()),
    'a negative length': () => post('content-length: -1', hidden()),
    'a length in hex': () => post('content-length: 0x0', hidden()),
    'chunks under a second coding': () =>
      post('transfer-encoding: chunked, identity', `0\r\n\r\n${hidden()}`),
    'chunks in disguise': () => post('transfer-encoding: xchunked', `0\r\n\r\n${hidden()}`),
    'chunks after a tab': () => post('transfer-encoding:\vchunked', `0\r\n\r\n${hidden()}`),
    'a blank before the colon': () => post('transfer-encoding : chunked', `0\r\n\r\n${hidden()}`),
    'a folded header': () =>
      post('transfer-encoding:\r\n chunked\r\ncontent-length: 0', `0\r\n\r\n${hidden()}`),
    'a size of a chunk that is none': () => post('transfer-encoding: chunked', `zz\r\n\r\n${hidden()}`),
    'an overflowing chunk': () => post('transfer-encoding: chunked', `fffffffffffffffff\r\n${hidden()}`),
    'a chunk that ends early': () => post('transfer-encoding: chunked', `1\r\nab\r\n0\r\n\r\n${hidden()}`),
    'bare line feeds': () => hidden().replace(/\r\n/g, '\n'),
    'a NUL in a header': () => post('x: a\0b\r\ncontent-length: 0', hidden()),
    'a line without a colon': () => post('x\r\ncontent-length: 0', hidden()),
    'a method that is none': () => `${hidden().replace('POST', 'PO ST')}`,
    'no host': () => hidden().replace('host: localhost\r\n', ''),
    'another version': () => hidden().replace('HTTP/1.1', 'HTTP/9.9'),
    'two hosts in a path': () => hidden().replace('POST /page/team', 'POST /page/team HTTP/1.1 /x'),
  };

  for (const [name, bytes] of Object.entries(AMBIGUOUS))
    it(`${name}: refused, and nothing after it is read`, async () => {
      const answer = await exchange(bytes());
      const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
      // Errors in the body may follow after the head was refused for its missing key.
      assert.ok(statuses.length === 1 || (statuses.length === 2 && statuses[0] === 401), answer);
      assert.ok(
        statuses.every((status) => status >= 400 && status < 500),
        answer,
      );
      const body = JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n')));
      assert.deepEqual(Object.keys(body), ['error', 'details'], answer);
      assert.ok(body.details[0].field && body.details[0].message, answer);
      assert.equal((await t.db.selectFrom('pages').select('id').execute()).length, 0);
    });

  it('headers beyond 16 KiB: refused with how many there may be', async () => {
    const answer = await exchange(
      `GET /healthz HTTP/1.1\r\nhost: localhost\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1\.1 431 /);
    assert.match(answer, /16 KiB/);
  });

  it('an expectation that we cannot meet: refused as JSON like every error, and the body is not read', async () => {
    const answer = await exchange(hidden().replace('host: localhost', 'host: localhost\r\nexpect: 200-ok'));
    assert.match(answer, /^HTTP\/1\.1 417 /);
    assert.match(answer, /\r\ncache-control: no-store\r\n/i);
    assert.match(answer, /\r\ncontent-type: application\/json; charset=utf-8\r\n/i);
    assert.match(answer, /\r\nconnection: close\r\n/i);
    const body = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
    assert.deepEqual(body, {
      error: 'Expectation Failed',
      details: [
        {
          field: 'expect',
          message:
            'expect asks for something that this service does not do; send 100-continue, or leave the header out.',
        },
      ],
    });
    assert.equal((await t.db.selectFrom('pages').select('id').execute()).length, 0);
  });

  it('an expectation of 100-continue is met, and the body is read', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': 2, expect: '100-continue' };
    const answered = Promise.withResolvers<number | undefined>();
    const sent = request(`${t.url}/page/team`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${t.acme.key}` },
    });
    sent.on('continue', () => sent.end('{}'));
    sent.on('response', (response) => answered.resolve(response.resume().statusCode));
    sent.on('error', answered.reject);
    sent.flushHeaders();
    assert.equal(await answered.promise, 400);
  });

  it('a thousand small headers are refused or read quickly', async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => `a${index}: b\r\n`).join('');
    assert.match(
      await exchange(`GET /healthz HTTP/1.1\r\nhost: localhost\r\n${many}\r\n`),
      /^HTTP\/1\.1 (431|200) /,
    );
  });

  it('no header of an answer can be injected by the client', async () => {
    const evil = encodeURIComponent('x\r\nset-cookie: tocsin=evil');
    for (const path of [
      `/${evil}`,
      `/request/${evil}/status`,
      `/moment/${evil}`,
      `/a/${evil}`,
      `/sign-in/${evil}`,
    ]) {
      const response = await fetch(t.url + path, { headers: { authorization: `Bearer ${t.acme.key}` } });
      assert.equal(response.headers.get('set-cookie'), null, path);
      await response.text();
    }
  });

  /** Everything received until the other side closes or has answered. */
  async function exchange(bytes: string): Promise<string> {
    const { hostname, port } = new URL(t.url);
    const socket = connect(Number(port), hostname);
    const { promise, resolve } = Promise.withResolvers<void>();
    let got = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      got += chunk;
    });
    socket.on('close', () => resolve());
    // The connection was reset while we wrote; keep what was received.
    socket.on('error', () => resolve());
    socket.end(bytes, 'latin1');
    await promise;
    return got;
  }
});
