import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../config.ts';
import { readRemote } from './remote.ts';

function refusal(HOST: string): string {
  try {
    return assert.fail(`${readConfig({ HOST }).host} was accepted`);
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the service can be reached', () => {
  it('only from this machine, unless there is HTTPS', () => {
    for (const HOST of ['127.0.0.1', '127.8.8.8', 'localhost', '::1'])
      assert.equal(readConfig({ HOST }).host, HOST);
    for (const HOST of ['0.0.0.0', '::', '10.0.0.1', 'tocsin.internal'])
      assert.equal(
        refusal(HOST),
        `HOST is ${HOST}, which others can reach, but no TLS is set up: set TLS_CERT_FILE and TLS_KEY_FILE, or TRUST_PROXY=true behind a proxy that speaks HTTPS, or HOST=127.0.0.1`,
      );
    readConfig({ HOST: '0.0.0.0', TRUST_PROXY: 'true' });
    readConfig({ HOST: '0.0.0.0', TLS_CERT_FILE: 'a', TLS_KEY_FILE: 'b' });
  });

  it('by links that lead to a real address', () => {
    const tls = { TLS_CERT_FILE: 'a', TLS_KEY_FILE: 'b' };
    const links = (env: Record<string, string>) => {
      const { publicUrl, uploadUrl } = readConfig(env);
      return [publicUrl, uploadUrl];
    };
    assert.deepEqual(links({ HOST: '::1', PORT: '1' }), ['http://[::1]:1', 'http://[::1]:2']);
    assert.deepEqual(links({ HOST: '0.0.0.0', ...tls }), [
      'https://localhost:8080',
      'https://localhost:8081',
    ]);
    assert.deepEqual(links({ HOST: '::', TRUST_PROXY: '1', PUBLIC_URL: 'https://a//' }), [
      'https://a',
      'http://localhost:8081',
    ]);
  });
});

describe('the server of commands', () => {
  it('is TOCSIN_URL, or this machine', () => {
    assert.deepEqual(readRemote({}), { url: 'http://127.0.0.1:8080', key: null });
    assert.deepEqual(readRemote({ PORT: '9000', TOCSIN_KEY: 'tocsin_x' }), {
      url: 'http://127.0.0.1:9000',
      key: 'tocsin_x',
    });
    assert.equal(readRemote({ TOCSIN_URL: 'https://a.example.com/t/' }).url, 'https://a.example.com/t');
    for (const TOCSIN_KEY of ['a b', 'a\nb', 'schlüssel'])
      assert.throws(() => readRemote({ TOCSIN_KEY }), /^ConfigError: TOCSIN_KEY is not an API key/);
  });
});
