import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { PATIENCE_MS } from '../testing/patience.ts';

const root = new URL('../', import.meta.url).pathname;

it('npm run bench prints its figures, each next to that of the bare database', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/run.ts', '1'], {
    cwd: root,
    timeout: 600_000,
  });
  const figure = (name: string) => Number(new RegExp(`^${name}\\s+([\\d.-]+)`, 'm').exec(stdout)?.[1]);
  for (const name of [
    'bare commit, idle: median, 99th',
    'bare driver, 64 connections: pages a second',
    'ours over HTTP, 64 connections: pages a second',
    'ratio',
    'ours, sent meanwhile: a second, behind',
    'ours, from the answer to the provider: median, 99th',
    'accepted to handed to the provider: median, 99th',
    'moments over HTTP, 64 connections: a second',
    'moments recorded, a second until none waits',
    'pages in that storm: median, 99th, lost',
    'the same from sending them: median, 99th',
    'at 50 % of that, to the answer: median, 99th, refused',
    'at 50 %, to the provider: median, 99th, behind, lost',
    'at 90 % of that, to the answer: median, 99th, refused',
    'at 90 %, to the provider: median, 99th, behind, lost',
  ]) {
    assert.ok(Number.isFinite(figure(name)), `${name} is missing in:\n${stdout}`);
  }
  assert.match(stdout, /refused\s+.*\s0$/m);
  assert.match(stdout, /^moments: .*refused\s+.*\s0$/m);
  assert.match(stdout, /^moments recorded, .*\s6250\s/m);
  assert.match(stdout, /^pages in that storm: .*lost\s+.*\s0$/m);
  assert.equal(stdout.match(/^at .*, to the answer: .*refused\s+.*\s0$/gm)?.length, 2);
  assert.equal(stdout.match(/^at .*, to the provider: .*lost\s+.*\s0$/gm)?.length, 2);
});

it('measures only the requested parts', async () => {
  const ask = (...words: string[]) =>
    promisify(execFile)('sh', ['scripts/bench.sh', ...words], { cwd: root, timeout: PATIENCE_MS }).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      (error: Error & { code?: number; stderr?: string }) => ({ code: error.code, text: error.stderr ?? '' }),
    );
  for (const words of [
    ['abc'],
    ['0'],
    ['1.2.3'],
    ['day', '-5'],
    ['scale', '0'],
    ['lists', '5'],
    ['reports', 'quick'],
    ['goalert', 'nothing'],
    ['goalert', '/bin/sh', 'soon'],
  ]) {
    const { code, text } = await ask(...words);
    assert.equal(code, 2, words.join(' '));
    assert.match(text, new RegExp(`^bench: .*"${words.at(-1)}"`), words.join(' '));
  }
  const { code, text } = await ask('--help');
  assert.equal(code, 0);
  const named = [...text.matchAll(/-- ([a-z]+) /g)];
  assert.equal(named.length, 14);
  for (const [, name = ''] of named) assert.ok(existsSync(`${root}bench/${name}.ts`), name);
});
