import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { type CommandLine, commandLine } from '../testing/command-line.ts';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { freePort } from '../testing/free-port.ts';
import { type SelfSigned, selfSigned } from '../testing/self-signed.ts';
import { type Story, story } from '../testing/story.ts';

const PEOPLE = {
  people: { ada: {} },
  teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']] }] } },
};

describe('a service with a certificate of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-https-'));
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const [first, second, third] = [selfSigned(), selfSigned(), selfSigned()];
  const write = ({ cert, key }: SelfSigned, tell: string) => {
    writeFileSync(join(folder, `${tell}-cert.pem`), cert);
    writeFileSync(join(folder, `${tell}-key.pem`), key);
  };
  let t: Story;

  before(async () => {
    // Links to files, as programs that renew certificates create them.
    write(first, 'first');
    symlinkSync('first-cert.pem', certFile);
    symlinkSync('first-key.pem', keyFile);
    t = await story({
      organization: PEOPLE,
      env: { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, HOST: '0.0.0.0', LOG_LEVEL: 'silent' },
    });
  });
  after(async () => {
    await t.end();
    rmSync(folder, { recursive: true });
  });

  /** Sends a request that trusts exactly one certificate, on a connection of its own. */
  async function ask(url: string, trusted: SelfSigned, headers: Record<string, string> = {}) {
    const { port, pathname } = new URL(url);
    const asked = request({
      host: '127.0.0.1',
      port,
      path: pathname,
      headers,
      ca: trusted.cert,
      agent: false,
    });
    asked.end();
    const [response] = await once(asked, 'response');
    const { fingerprint256 } = (response.socket as TLSSocket).getPeerCertificate();
    return {
      status: response.statusCode as number,
      fingerprint: fingerprint256,
      body: (await json(response)) as Record<string, unknown>,
    };
  }

  /** Repeats requests until both listeners show this certificate; the test's own time limit applies. */
  async function shown(certificate: SelfSigned): Promise<void> {
    for (const url of [t.url, t.uploadUrl])
      for (;;) {
        const answer = await ask(`${url}/healthz`, certificate).catch(() => null);
        if (answer?.fingerprint === certificate.fingerprint) break;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
  }

  it('serves HTTPS on both listeners, and uses it in its links', async () => {
    assert.match(t.url, /^https:\/\/localhost:\d+$/);
    const authorization = `Bearer ${t.acme.key}`;
    const schedules = await ask(`${t.url}/schedules`, first, { authorization });
    assert.deepEqual([schedules.status, schedules.body.total_count], [200, 1]);
    assert.equal((await ask(`${t.uploadUrl}/availabilities/upload`, first, { authorization })).status, 405);
  });

  it('refuses plain HTTP', async () => {
    for (const url of [t.url, t.uploadUrl])
      await assert.rejects(fetch(url.replace('https', 'http').replace('localhost', '127.0.0.1')), TypeError);
  });

  it('loads renewed files while it runs, once both exist, and again later', {
    timeout: 600_000,
  }, async () => {
    for (const [name, renewed, before] of [
      ['second', second, first],
      ['third', third, second],
    ] as const) {
      write(renewed, name);
      replace(certFile, `${name}-cert.pem`);
      assert.equal(
        (await ask(`${t.url}/healthz`, before)).fingerprint,
        before.fingerprint,
        'half a pair is no pair',
      );
      replace(keyFile, `${name}-key.pem`);
      await shown(renewed);
    }
  });

  function replace(link: string, target: string): void {
    symlinkSync(target, `${link}.new`);
    renameSync(`${link}.new`, link);
  }
});

describe('a start without encryption for keys', () => {
  let database: TestDatabase;
  let tocsin: CommandLine;
  before(async () => {
    database = await testDatabase();
    tocsin = commandLine(database.url);
  });
  after(async () => {
    tocsin.remove();
    await database.drop();
  });

  const refusal = async (env: Record<string, string>) => {
    const { code, stdout, stderr } = await tocsin.run(['serve'], {
      env: { PORT: String(await freePort()), ...env },
    });
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
    return stderr;
  };

  it('ends with one sentence that names the options', async () => {
    assert.match(
      await refusal({ HOST: '0.0.0.0' }),
      /^HOST is 0\.0\.0\.0, which others can reach, but no TLS is set up: set TLS_CERT_FILE and TLS_KEY_FILE, or TRUST_PROXY=true .*, or HOST=127\.0\.0\.1$/m,
    );
  });

  it('ends with one sentence if the certificate is invalid', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tocsin-https-'));
    const file = (name: string, content: string) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const [one, other] = [selfSigned(), selfSigned()];
    const key = file('key.pem', one.key);
    assert.match(
      await refusal({ TLS_CERT_FILE: join(folder, 'none.pem'), TLS_KEY_FILE: key }),
      /^TLS_CERT_FILE names .*none\.pem, which cannot be read \(ENOENT\); correct the path or its permissions$/m,
    );
    const otherCert = file('other.pem', other.cert);
    const cases: [certFile: string, sentence: RegExp][] = [
      [
        file('text.pem', 'hello'),
        /^TLS_CERT_FILE names .*text\.pem, which holds no certificate in PEM; it must begin with .*$/m,
      ],
      [
        otherCert,
        /^TLS_KEY_FILE names .*key\.pem, which is not the private key of the certificate in .*other\.pem; give the key .*$/m,
      ],
    ];
    for (const [certFile, sentence] of cases)
      assert.match(await refusal({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: key }), sentence);
    rmSync(folder, { recursive: true });
  });
});

describe('a service behind a proxy', () => {
  let t: Story;
  before(async () => {
    t = await story({ organization: PEOPLE, env: { TRUST_PROXY: 'true', HOST: '0.0.0.0' } });
  });
  after(() => t.end());

  const ask = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(url, { method, headers: { authorization: `Bearer ${t.acme.key}`, ...headers } });

  it('answers what reached the proxy over HTTPS', async () => {
    const secure = { 'x-forwarded-proto': 'https' };
    assert.equal((await ask(`${t.url}/schedules`, secure)).status, 200);
    assert.equal((await ask(`${t.url}/nowhere`, secure)).status, 404);
    assert.equal((await ask(`${t.uploadUrl}/availabilities/upload`, secure)).status, 405);
    assert.equal((await ask(`${t.url}/schedules`, { 'x-forwarded-proto': 'http, https' })).status, 200);
  });

  it("trusts the proxy about the client's address, and ignores the client's own claims", async () => {
    const guess = (first: string) =>
      fetch(`${t.url}/api/sign-in/password`, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
          // The proxy appends the address that it sees to the header.
          ...{ 'x-forwarded-proto': 'https', 'x-forwarded-for': `${first}, 203.0.113.9` },
        },
        body: JSON.stringify({ email: `${first}@example.com`, password: 'wrong password' }),
      });
    const statuses: number[] = [];
    for (let n = 0; n < 32; n++) statuses.push((await guess(`198.51.100.${n}`)).status);
    assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429], statuses.join());
  });

  it('refuses everything else, before it reads anything', async () => {
    for (const headers of [
      {},
      { 'x-forwarded-proto': 'http' },
      { 'x-forwarded-proto': 'https, http' },
      { 'x-forwarded-proto': 'wss' },
    ])
      for (const [url, method] of [
        [`${t.url}/schedules`, 'GET'],
        [`${t.url}/page/team`, 'POST'],
        [`${t.url}/moment/token`, 'POST'],
        [`${t.url}/a/token`, 'GET'],
        [`${t.url}/api/session`, 'GET'],
        [`${t.url}/`, 'GET'],
        [`${t.url}/nowhere`, 'GET'],
        [`${t.uploadUrl}/availabilities/upload`, 'POST'],
      ] as const) {
        const response = await ask(url, headers, method);
        const body = (await response.json()) as { error: string; details: { field: string }[] };
        assert.deepEqual([response.status, body.error], [403, 'Forbidden'], `${method} ${url}`);
        assert.equal(body.details[0]?.field, 'X-Forwarded-Proto');
      }
  });

  it('answers probes in any case, because they come from the same network', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const { status } = await fetch(t.url + path);
      assert.ok(status === 200 || status === 503, `${path} ${status}`);
    }
    assert.equal((await fetch(`${t.url}/metrics`)).status, 401);
    assert.equal((await fetch(`${t.url}/healthz`)).status, 200);
  });
});
