import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { selfSigned } from '../../testing/self-signed.ts';
import { createLog } from '../kit/log.ts';
import { readTls, reloadTlsOnChange } from './tls.ts';

/** Written at once, so that nobody reads half a file. */
function replace(file: string, content: string): void {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}

it('accepts only matching pairs, and reports which pair it uses', { timeout: 600_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-tls-'));
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
  const [first, second] = [selfSigned(), selfSigned()];
  replace(files.certFile, first.cert);
  replace(files.keyFile, first.key);

  const contexts: string[] = [];
  const inUse = readTls(files);
  const server = createServer(inUse);
  server.setSecureContext = ({ cert }) => void contexts.push(String(cert));
  const lines: string[] = [];
  let heard = Promise.withResolvers<void>();
  const write = (line: string) => {
    lines.push((JSON.parse(line) as { msg: string }).msg);
    heard.resolve();
    heard = Promise.withResolvers();
  };
  const end = reloadTlsOnChange(
    server,
    files,
    inUse,
    createLog('info', { write } as unknown as NodeJS.WritableStream),
  );
  t.after(() => {
    end();
    rmSync(folder, { recursive: true });
  });

  for (const half of ['not a certificate', second.cert]) {
    replace(files.certFile, half);
    await heard.promise;
    assert.match(lines.pop() ?? '', /cannot be used yet; the old one stays/);
    assert.deepEqual(contexts, []);
  }
  rmSync(files.keyFile);
  await heard.promise;
  assert.match(lines.pop() ?? '', /cannot be used yet/);
  replace(files.keyFile, second.key);
  await heard.promise;
  assert.deepEqual([lines, contexts], [['the TLS certificate was reloaded'], [second.cert]]);
});

it('names the wrong file and its problem in words', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-tls-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const [one, other] = [selfSigned(), selfSigned()];
  const [cert, key, text] = [file('cert.pem', one.cert), file('key.pem', one.key), file('text.pem', 'hello')];
  const locked = createPrivateKey(one.key)
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
    .toString();
  const cases: [certFile: string, keyFile: string, sentence: RegExp][] = [
    [text, key, /^TLS_CERT_FILE names .*text\.pem, which holds no certificate in PEM; it must begin with/],
    [key, cert, /^TLS_CERT_FILE names .*key\.pem, which holds no certificate in PEM/],
    [
      file('half.pem', one.cert.slice(0, 200)),
      key,
      /^TLS_CERT_FILE names .*half\.pem, which holds no certificate/,
    ],
    [cert, text, /^TLS_KEY_FILE names .*text\.pem, which holds no private key in PEM; it must begin with/],
    [
      cert,
      file('locked.pem', locked),
      /^TLS_KEY_FILE names .*, whose private key is protected by a passphrase;/,
    ],
    [cert, file('other.pem', other.key), /^TLS_KEY_FILE names .*other\.pem, which is not the private key of/],
    [
      cert,
      join(folder, 'none.pem'),
      /^TLS_KEY_FILE names .*none\.pem, which cannot be read \(ENOENT\); correct the path/,
    ],
  ];
  for (const [certFile, keyFile, sentence] of cases)
    assert.throws(
      () => readTls({ certFile, keyFile }),
      ({ message }: Error) => {
        assert.match(message, sentence);
        assert.doesNotMatch(message, /routines|error:[0-9A-F]{8}|-----BEGIN [^C P]/);
        return true;
      },
    );
});
