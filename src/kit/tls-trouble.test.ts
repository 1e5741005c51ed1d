import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { get, createServer as httpsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as netServer, type Server } from 'node:net';
import { after, describe, it } from 'node:test';
import { type SelfSigned, selfSigned } from '../../testing/self-signed.ts';
import { asSentence, tlsTrouble } from './tls-trouble.ts';

const WHERE = 'mail.example.com';

describe('a TLS connection that fails', () => {
  const servers: Server[] = [];
  after(() => {
    for (const server of servers) server.close();
  });

  async function listening(server: Server): Promise<number> {
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  const serve = (pair: SelfSigned, options: ServerOptions = {}) =>
    listening(httpsServer({ ...pair, ...options }, (_, response) => response.end('well')));

  /** The error of a call that trusts `ca`, or the authorities of the system. */
  async function said(port: number, ca?: string): Promise<string | null> {
    const asked = get({ host: '127.0.0.1', port, agent: false, ...(ca === undefined ? {} : { ca }) });
    const heard = await Promise.race([
      once(asked, 'response').then(() => null),
      once(asked, 'error').then(([error]) => error as Error),
    ]).catch((error: unknown) => error);
    asked.destroy();
    return heard === null ? null : tlsTrouble(heard, WHERE);
  }

  it('is explained in one sentence with its cause and fix', async () => {
    const [good, expired, future] = [
      selfSigned(),
      selfSigned({ from: -9, until: -3 }),
      selfSigned({ from: 3, until: 9 }),
    ];
    const other = selfSigned({ names: 'DNS:a.example,DNS:b.example,DNS:c.example,DNS:d.example' });
    assert.equal(await said(await serve(good), good.cert), null);
    const cases: [number, string | undefined, RegExp][] = [
      [
        await serve(good),
        undefined,
        /^the certificate of mail\.example\.com is self-signed; .* NODE_EXTRA_CA_CERTS$/,
      ],
      [await serve(expired), expired.cert, /^the certificate of mail\.example\.com has expired; renew it/],
      [
        await serve(future),
        future.cert,
        /^the certificate of mail\.example\.com is not valid yet; check the dates/,
      ],
      [
        await serve(other),
        other.cert,
        /^the certificate of mail\.example\.com was issued for a\.example, b\.example, c\.example and 1 more and not for that name;/,
      ],
      [
        await listening(createServer()),
        undefined,
        /^mail\.example\.com does not use TLS on this port; correct the port/,
      ],
      [
        await serve(good, { requestCert: true, rejectUnauthorized: true, ca: good.cert }),
        good.cert,
        /^mail\.example\.com wants a client certificate/,
      ],
      [
        await listening(netServer((socket) => socket.destroy())),
        undefined,
        /^mail\.example\.com closed the connection during the TLS handshake; check that it speaks TLS/,
      ],
    ];
    for (const [port, ca, sentence] of cases) {
      const clause = await said(port, ca);
      assert.match(clause ?? '', sentence);
      assert.doesNotMatch(clause ?? '', /routines|OpenSSL|[A-Z]+_[A-Z]+_[A-Z]+_[A-Z]+_/);
    }
  });

  it('is explained by the code alone if no test server can produce it', () => {
    const cases: [string, RegExp][] = [
      ['SELF_SIGNED_CERT_IN_CHAIN', /authority that this machine does not trust/],
      ['UNABLE_TO_GET_ISSUER_CERT', /authority that this machine does not trust/],
      ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /install the full chain/],
      ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /install the full chain/],
      ['CERT_REVOKED', /was revoked/],
      ['ERR_SSL_EE_KEY_TOO_SMALL', /too weak/],
      ['CERT_SIGNATURE_FAILURE', /is not valid; install a correct one/],
      ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', /no TLS version or cipher in common/],
      ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', /no TLS version or cipher in common/],
      ['ERR_SSL_TLSV1_UNRECOGNIZED_NAME', /no certificate for this host name/],
      ['ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', /ended the TLS handshake with an alert/],
      ['ERR_SSL_SOMETHING_NEW', /no TLS connection to mail\.example\.com could be set up/],
    ];
    for (const [code, words] of cases) {
      const direct = Object.assign(new Error('4053:error:0A00010B:SSL routines'), { code });
      for (const error of [
        direct,
        new TypeError('fetch failed', { cause: direct }),
        new AggregateError([direct]),
      ])
        assert.match(tlsTrouble(error, WHERE) ?? '', words, code);
    }
    const old = Object.assign(new Error('write EPROTO 1:error:1408F10B:wrong version number'), {
      code: 'EPROTO',
    });
    assert.match(tlsTrouble(old, WHERE) ?? '', /does not use TLS/);
    const driver = new Error('The server does not support SSL connections');
    assert.equal(
      asSentence(tlsTrouble(driver, 'the server') ?? ''),
      'The server does not use TLS on this port; correct the port, or use an address without TLS.',
    );
  });

  it('is not confused with any other failure', () => {
    for (const code of ['ECONNREFUSED', 'ENOTFOUND', '57P01', '28P01', 'HPE_INVALID_CONSTANT', 'EAUTH', ''])
      assert.equal(tlsTrouble(Object.assign(new Error('no'), { code }), WHERE), null, code);
    for (const thrown of [null, undefined, 'text', 7, {}]) assert.equal(tlsTrouble(thrown, WHERE), null);
  });
});
