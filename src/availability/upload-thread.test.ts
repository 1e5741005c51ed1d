/** Large uploads are processed in a separate thread. The test compares shares of processor time, never durations. */
import '../../testing/own-process.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startUploads } from '../../testing/uploads.ts';

const HEADER = 'email,start_time,end_time,name\n';

function rows(count: number): string {
  const one = (hour: number) =>
    `ada@example.com,${new Date(1.8e12 + hour * 3.6e6).toISOString()},,Away ${hour}\n`;
  return HEADER + Array.from({ length: count }, (_, hour) => one(hour)).join('');
}

test('the thread that answers pages does only a small part of the work of a large upload', async (t) => {
  const uploads = await startUploads(t);
  const { key, acme } = await uploads.acme();
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-thread-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, 'absences.csv'), rows(50_000));
  const curl = (...args: string[]) =>
    promisify(execFile)(
      'curl',
      [
        '-sS',
        '-o',
        '/dev/null',
        '-w',
        '%{http_code}',
        '-H',
        `Authorization: Bearer ${key}`,
        ...args,
        uploads.url,
      ],
      { cwd: directory },
    );
  const [ours, all] = [process.threadCpuUsage(), process.cpuUsage()];
  for (const form of [[], ['-F', 'commit=save'], ['-F', 'commit=save', '-H', 'Idempotency-Key: once']]) {
    const { stdout } = await curl('-F', 'file=@absences.csv', ...form);
    assert.equal(stdout, '200');
  }
  const { user, system } = process.threadCpuUsage(ours);
  const total = process.cpuUsage(all);
  assert.equal(await uploads.count(acme), 50_000);
  const share = (user + system) / (total.user + total.system);
  assert.ok(share < 0.4, `it did ${(share * 100).toFixed(0)} % of it`);
});

test('an upload that exceeds its memory limit is refused, saves nothing, and the next one works', async (t) => {
  const uploads = await startUploads(t, undefined, undefined, 24);
  const { key, acme } = await uploads.acme();
  const refused = await uploads.send(key, rows(90_000), { commit: 'save' });
  assert.equal(refused.status, 413);
  assert.equal(
    refused.json.details[0].message,
    'file takes more memory than an upload may take, and nothing was saved; split it.',
  );
  assert.equal(await uploads.count(acme), 0);
  assert.equal((await uploads.send(key, rows(10), { commit: 'save' })).status, 200);
  assert.equal(await uploads.count(acme), 10);
});
