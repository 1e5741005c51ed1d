import './own-process.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

const module = new URL('free-port.ts', import.meta.url).href;
const MANY = 300;

describe('a free port', () => {
  it('is given to only one caller, across processes', async () => {
    const ours = await Promise.all(Array.from({ length: MANY }, () => freePort()));
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { freePort } from ${JSON.stringify(module)};
       console.log(JSON.stringify(await Promise.all(Array.from({ length: ${MANY} }, () => freePort()))));`,
    ]);
    const theirs = JSON.parse(stdout) as number[];
    assert.equal(new Set([...ours, ...theirs]).size, 2 * MANY);
  });

  it('can be listened on', async () => {
    const server = createServer().listen(await freePort(), '127.0.0.1');
    await once(server, 'listening');
    server.close();
  });
});
