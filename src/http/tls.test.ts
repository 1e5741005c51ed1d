import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { selfSigned } from '../../testing/self-signed.ts';
import { createLog } from '../kit/log.ts';
import { readTls, reloadTlsOnChange } from './tls.ts';

/** In one go, so that nobody reads half a file. */
function replace(file: string, content: string): void {
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
}

it('takes only pairs that belong together, and says which it took', { timeout: 600_000 }, async (t) => {
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
