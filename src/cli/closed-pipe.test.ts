import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { SHORT_LIVED, serviceProgram } from '../../testing/service-program.ts';

it('a reader that does not want the output, as in `tocsin --help | true`, is not an error', async () => {
  const child = spawn(process.execPath, [...SHORT_LIVED, serviceProgram(), '--help'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
});
