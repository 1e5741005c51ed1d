import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { promisify } from 'node:util';

const root = new URL('../', import.meta.url).pathname;

it('npm run bench -- large shows the cost of each view, and no view grows with the history', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/large.ts', '10000', '30'], {
    cwd: root,
    timeout: 600_000,
  });
  const blocksOf = (view: string) => {
    const [, few, many] = new RegExp(`^${view} +(\\d+) → (\\d+) `, 'm').exec(stdout)?.map(Number) ?? [];
    assert.ok(few !== undefined && many !== undefined, `${view} is missing in:\n${stdout}`);
    return { few, many };
  };
  for (const view of [
    'first view of the dashboard',
    'pages: all',
    'pages: after half of them',
    'pages: mine',
    'pages: a word of most',
    'pages: a word of one',
    'pages: a word of none',
    'one page',
    'moments: all',
    'moments: a word of none',
    'moments: a type of none',
    'requests: all',
    'requests: failed, of which there are none',
    'requests: of a kind that none has',
    'received calls: all',
    'received calls: failed',
    'audit log',
    'who is on call',
    'one schedule',
    'its shifts, eight weeks',
  ]) {
    const { few, many } = blocksOf(view);
    // The history is ten times as long; taller indexes may touch a few blocks more.
    assert.ok(many <= 1.5 * few + 60, `${view} touches ${few} and ${many} blocks:\n${stdout}`);
  }
  assert.ok(blocksOf('report of responses, 28 days').many > 0);
  for (const removed of ['received calls', 'moments', 'pages with all of theirs'])
    assert.match(stdout, new RegExp(`^${removed} +[1-9]\\d* +[\\d.]+ ms +[\\d.]+ ms +[\\d.]+ KB$`, 'm'));
});
