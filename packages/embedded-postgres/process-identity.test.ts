import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { until } from '../../testing/embedded.ts';
import { isAlive, processWith, servesCluster, signalProcess } from './process-identity.ts';

test('a process is alive until it ends', async () => {
  const sleeper = spawn('sleep', ['60'], { stdio: 'ignore' });
  const identity = processWith(sleeper.pid ?? -1);
  assert.ok(identity && isAlive(identity));
  const ended = once(sleeper, 'exit');
  signalProcess(identity, 'SIGKILL');
  await ended;
  assert.equal(isAlive(identity), false);
  assert.equal(processWith(identity.pid), undefined);
  signalProcess(identity, 'SIGKILL');
});

const onLinux = { skip: process.platform === 'linux' ? false : 'reads /proc' };

test('another process with the same number is not the same', onLinux, () => {
  assert.equal(isAlive({ pid: process.pid, startedAt: '1' }), false);
});

test('one that ended but was never collected by its parent does not count as alive', onLinux, async (t) => {
  const pid = await uncollected(t);
  process.kill(pid, 0);
  assert.equal(processWith(pid), undefined);
});

test('a process elsewhere does not serve a cluster', () => {
  assert.equal(servesCluster(process.pid, '/nonexistent'), false);
});

/** A process that has ended and whose parent never asks for it. */
async function uncollected(t: TestContext): Promise<number> {
  const parent = spawn('/bin/sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.after(() => parent.kill());
  const pid = Number(String((await once(parent.stdout, 'data'))[0]));
  await until(() => /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
  return pid;
}
