import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { choiceOf } from '../faults/choice.ts';
import { EVERY_SCENARIO } from '../faults/every-scenario.ts';

const root = new URL('../', import.meta.url).pathname;

it('npm run faults, in its short form: no accepted request is lost, and every promise is kept', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['faults/run.ts', '--short'], {
    cwd: root,
    timeout: 1_200_000,
  }).catch((error: Error & { stdout?: string; stderr?: string }) => ({
    stdout: `${error.stdout ?? ''}\n${error.stderr ?? ''}`,
  }));
  assert.match(stdout, /Every promise held in \d+ scenarios\./, stdout);
  assert.match(stdout, /^Seed \d+/m);
  assert.equal((stdout.match(/^ +lost +0$/gm) ?? []).length, 5, stdout);
});

it('accepts only known options, and never tries less than requested', () => {
  const asked = (words: string) => choiceOf(words.split(' ').filter(Boolean), EVERY_SCENARIO);
  const said = (words: string) => {
    const answer = asked(words);
    return 'text' in answer ? `${answer.status} ${answer.text.split('\n')[0]}` : answer.chosen.length;
  };
  assert.equal(said(''), EVERY_SCENARIO.length);
  assert.equal(said('--only race,frozen'), 2);
  assert.match(
    String(said('--only race,frosen')),
    /^2 --only: there is no scenario "frosen"; there are: kill-all,/,
  );
  const played = asked('--histories 10000 --seed 7 --path 3:0');
  assert.deepEqual('histories' in played && [played.histories, played.chosen.length], [
    { count: 10_000, from: 0, path: '3:0' },
    0,
  ]);
  const goesOn = asked('--histories 8000 --seed 7 --from 2000');
  assert.deepEqual('histories' in goesOn && goesOn.histories, { count: 8_000, from: 2_000, path: undefined });
  for (const words of [
    ...['--histories 0', '--histories x', '--seed 7 --path 3', '--histories 1 --path 3'],
    ...[
      '--histories 1 --from 2',
      '--seed 7 --from 2',
      '--histories 1 --seed 7 --from 0.5',
      '--histories 1 --seed 7 --from x',
    ],
  ])
    assert.match(String(said(words)), /^2 --(histories|path|from) is "/, words);
  for (const words of ['--seconds x', '--seconds 0', '--seed 1.5', '--seed -1', '--quick', 'race'])
    assert.match(String(said(words)), /^2 \S/, words);
  assert.match(String(said('--help')), /^0 npm run faults/);
  const list = asked('--list');
  assert.ok('text' in list && list.status === 0);
  for (const { name, promise } of EVERY_SCENARIO)
    assert.ok(
      list.text.split('\n').some((line) => line.startsWith(`${name} `) && line.includes(promise)),
      name,
    );
});

it('has every scenario in the table of docs/reliability.md, and no other', () => {
  const page = readFileSync(`${root}docs/reliability.md`, 'utf8');
  const [, table = ''] = /## Scenarios\n(.*)## Generated histories\n/s.exec(page) ?? [];
  const names = [...table.matchAll(/^\| `([a-z\d.-]+)` \|/gm)].map(([, name]) => name);
  const all = EVERY_SCENARIO.map(({ name }) => name).sort();
  assert.deepEqual(names.sort(), all);
});
