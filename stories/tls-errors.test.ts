import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as httpsServer } from 'node:https';
import { type AddressInfo, createServer as netServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type CommandLine, commandLine } from '../testing/command-line.ts';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { type SelfSigned, selfSigned } from '../testing/self-signed.ts';
import { type Story, story } from '../testing/story.ts';

/** Errors never show only OpenSSL's words or a bare code, which help nobody at 3 a.m. */
const RAW = /routines|error:[0-9A-F]{8}|CERT_HAS_EXPIRED|DEPTH_ZERO|ERR_SSL|ERR_TLS|wrong version number/;

const servers: Server[] = [];

async function listening(server: Server): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

after(() => {
  for (const server of servers) server.close();
});

describe('the command line, if a TLS connection fails', { timeout: 600_000 }, () => {
  let database: TestDatabase;
  let tocsin: CommandLine;
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-tls-errors-'));
  before(async () => {
    database = await testDatabase();
    tocsin = commandLine(database.url);
  });
  after(async () => {
    tocsin.remove();
    rmSync(folder, { recursive: true });
    await database.drop();
  });

  async function said(args: readonly string[], env: Record<string, string>): Promise<string> {
    const { code, stdout, stderr } = await tocsin.run(args, { env });
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
    assert.doesNotMatch(stderr, RAW);
    return stderr.trim();
  }

  const asked = (port: number, more: Record<string, string> = {}) =>
    said(['schedules'], {
      TOCSIN_URL: `https://127.0.0.1:${port}`,
      TOCSIN_KEY: `tocsin_${'x'.repeat(43)}`,
      ...more,
    });

  /** The same request by a client that trusts the certificate. */
  async function askedTrusting(pair: SelfSigned): Promise<string> {
    const file = join(folder, 'trusted.pem');
    writeFileSync(file, pair.cert);
    return asked(await listening(httpsServer(pair)), { NODE_EXTRA_CA_CERTS: file });
  }

  it('names the cause and the fix for a server', async () => {
    assert.match(
      await asked(await listening(httpsServer(selfSigned()))),
      /^The certificate of https:\/\/127\.0\.0\.1:\d+ is self-signed; if that is intended, name its file in NODE_EXTRA_CA_CERTS\.$/,
    );
    assert.match(
      await askedTrusting(selfSigned({ from: -9, until: -3 })),
      /^The certificate of https:\/\/127\.0\.0\.1:\d+ has expired; renew it on that server, and check the date of this machine\.$/,
    );
    assert.match(
      await askedTrusting(selfSigned({ from: 3, until: 9 })),
      /^The certificate of https:\/\/127\.0\.0\.1:\d+ is not valid yet; check the dates of both machines\.$/,
    );
    assert.match(
      await askedTrusting(selfSigned({ names: 'DNS:pager.example.com' })),
      /^The certificate of https:\/\/127\.0\.0\.1:\d+ was issued for pager\.example\.com and not for that name; .*\.$/,
    );
    assert.match(
      await asked(await listening(createServer())),
      /^https:\/\/127\.0\.0\.1:\d+ does not use TLS on this port; correct the port, or use an address without TLS\.$/,
    );
  });

  it('names them for the database', async () => {
    const url = `${database.url}${database.url.includes('?') ? '&' : '?'}sslmode=verify-full`;
    const plain = await said(['doctor'], { DATABASE_URL: url });
    assert.match(
      plain,
      /^The database at .* cannot be used: its server does not use TLS on this port; correct/,
    );
    // Accepts TLS as PostgreSQL does, and then closes the connection.
    const port = await listening(netServer((socket) => socket.once('data', () => socket.end('S'))));
    const broken = await said(['doctor'], {
      DATABASE_URL: `postgres://u:p@127.0.0.1:${port}/x?sslmode=verify-full`,
    });
    assert.match(
      broken,
      /^The database at 127\.0\.0\.1:\d+ cannot be used: its server closed the connection during/,
    );
  });
});

describe('a notification, if a TLS connection fails', { timeout: 600_000 }, () => {
  let t: Story;
  before(async () => {
    const [webhookPort, mailPort] = [
      await listening(httpsServer(selfSigned({ from: -9, until: -3 }))),
      await listening(
        netServer((socket) => void socket.on('error', () => socket.destroy()).write('220 mail ESMTP\r\n')),
      ),
    ];
    t = await story({
      organization: {
        people: {
          ada: {
            methods: [
              { type: 'webhook', value: `https://127.0.0.1:${webhookPort}/pages` },
              { type: 'email', value: 'ada@example.com' },
            ],
          },
        },
        teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']] }] } },
      },
      env: { SMTP_URL: `smtps://127.0.0.1:${mailPort}`, SMTP_FROM: 'tocsin@example.com' },
    });
  });
  after(() => t.end());

  it('fails with a sentence that names the cause and the fix', async () => {
    const { page, errors } = await t.status(await t.page('team', 'sre', { urgency: 'high' }));
    const errorOf = (channel: string) => page.deliveries.find((one) => one.channel === channel)?.error ?? '';
    assert.match(
      errorOf('webhook'),
      /^The certificate of 127\.0\.0\.1:\d+ has expired; renew it on that server/,
    );
    assert.match(errorOf('email'), /^The mail server does not use TLS on this port; correct the port/);
    assert.doesNotMatch(JSON.stringify([page, errors]), RAW);
  });
});
