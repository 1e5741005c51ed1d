/** Probes tell strangers whether to send requests here, and nothing else. */
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../testing/free-port.ts';
import { type Story, story } from '../testing/story.ts';

const organization = { people: { ada: {} }, teams: {} };

/** Unlike fetch, this sends any Host header. */
async function ask(url: string, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>();
  get(url, { headers, agent: false }, resolve).on('error', reject);
  const answer = await promise;
  return {
    status: answer.statusCode,
    body: await text(answer),
    challenge: answer.headers['www-authenticate'],
  };
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('with a token', () => {
  let t: Story;
  before(async () => {
    t = await story({ organization, env: { METRICS_TOKEN: 'scrape-me' } });
  });
  after(() => t.end());

  it('metrics require it', async () => {
    const stranger = await ask(`${t.url}/metrics`);
    assert.deepEqual([stranger.status, stranger.challenge], [401, 'Bearer realm="tocsin"']);
    for (const token of ['scrape-m', 'scrape-me-not', t.acme.key]) {
      const answer = await ask(`${t.url}/metrics`, bearer(token));
      assert.equal(answer.status, 401, token);
      assert.doesNotMatch(answer.body, /tocsin_/);
    }
    const answer = await ask(`${t.url}/metrics`, bearer('scrape-me'));
    assert.equal(answer.status, 200);
    assert.match(answer.body, /^tocsin_http_answers_total\{route="\/metrics",status="401"\} 4$/m);
  });

  it('a proxy on this machine does not count as the operator, unless it sends the token', async () => {
    const forwarded: Record<string, string>[] = [
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-forwarded-for': '203.0.113.7' },
      { forwarded: 'for=127.0.0.1' },
      { 'x-real-ip': '127.0.0.1' },
      { via: '1.1 proxy' },
    ];
    for (const path of ['/readyz', '/healthz'])
      for (const headers of forwarded) {
        const stranger = await ask(t.url + path, headers);
        assert.deepEqual([stranger.status, stranger.body], [200, '{"status":"ok"}'], JSON.stringify(headers));
        const operator = await ask(t.url + path, { ...headers, ...bearer('scrape-me') });
        assert.ok('checks' in JSON.parse(operator.body), path);
      }
  });

  it('programs on this machine see the checks', async () => {
    const answer = await ask(`${t.url}/readyz`);
    const { status, checks } = JSON.parse(answer.body);
    assert.deepEqual([answer.status, status, checks.database.ok], [200, 'ok', true]);
  });
});

describe('behind a trusted proxy', () => {
  let t: Story;
  before(async () => {
    t = await story({ organization, env: { METRICS_TOKEN: 'scrape-me', TRUST_PROXY: 'true' } });
  });
  after(() => t.end());

  it('no request counts as coming from this machine', async () => {
    assert.equal((await ask(`${t.url}/readyz`)).body, '{"status":"ok"}');
    assert.ok('checks' in JSON.parse((await ask(`${t.url}/readyz`, bearer('scrape-me'))).body));
  });
});

describe('without a token', () => {
  let t: Story;
  let port = 0;
  before(async () => {
    port = await freePort();
    t = await story({ organization, env: { METRICS_TOKEN: '', METRICS_PORT: String(port) } });
  });
  after(() => t.end());

  it('metrics are not on PORT, whatever is sent', async () => {
    for (const headers of [{}, bearer(''), bearer('undefined'), bearer('null'), bearer(t.acme.key)]) {
      const answer = await ask(`${t.url}/metrics`, headers);
      assert.equal(answer.status, 404, JSON.stringify(headers));
      assert.doesNotMatch(answer.body, /tocsin_/);
    }
  });

  it('they are on a separate listener, which serves nothing else', async () => {
    const own = `http://127.0.0.1:${port}`;
    const answer = await ask(`${own}/metrics`);
    assert.equal(answer.status, 200);
    assert.match(answer.body, /^tocsin_step_lag_seconds 0$/m);
    for (const path of ['/', '/readyz', '/schedules', '/api/session']) {
      assert.equal((await ask(own + path)).status, 404, path);
    }
  });
});
