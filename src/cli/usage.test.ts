import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { VERSION } from '../kit/version.ts';
import { runCommandLine } from './main.ts';

async function run(args: string[]) {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const code = await runCommandLine(args, {}, streams);
  for (const stream of Object.values(streams)) stream.end();
  return { code, stdout: await text(streams.stdout), stderr: await text(streams.stderr) };
}

/** Nothing on stdout, one sentence on stderr. */
function refused({ code, stdout, stderr }: Awaited<ReturnType<typeof run>>, sentence: RegExp): void {
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, sentence);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
}

describe('usage', () => {
  it('has exit code 2, and a sentence that names the help', async () => {
    refused(await run(['aply']), /^Unknown command 'aply' \(Did you mean apply\?\); see: tocsin --help$/m);
    refused(await run(['apply']), /^Missing required argument 'file'; see: tocsin apply --help$/m);
    refused(await run(['key', 'create', '--user', 'a@b.c']), /Required option '--name <name>' not specified/);
    refused(await run(['apply', 'x', '--prun']), /Unknown option '--prun' \(Did you mean --prune\?\)/);
    refused(await run(['oncall', 'SRE', '--at', '2026-11-20']), /an ISO 8601 date and time such as/);
    refused(
      await run(['oncall', 'SRE', '--why', '--saved']),
      /Option '--why' cannot be used with option '--saved'; see: tocsin oncall --help$/m,
    );
    refused(
      await run(['page', 'team', 'x', '--title', 't', '--text', 't', '--urgency', 'huge']),
      /low, medium, high/,
    );
    refused(await run(['page', 'snooze', 'page_x', '--for', '2 hours']), /a time such as 45m, 2h or 1d12h/);
    const nothing = await run([]);
    assert.equal(nothing.code, 2);
    assert.equal(nothing.stdout, '');
    assert.match(nothing.stderr, /Usage: tocsin/);
  });

  it('is also printed as JSON if that is requested', async () => {
    for (const [args, sentence] of [
      [['aply', '--json'], "Unknown command 'aply' (Did you mean apply?)"],
      [['page', 'team', 'sre', '--json'], "Required option '--title <title>' not specified"],
      [['--json'], 'No command was given; see: tocsin --help'],
    ] as const) {
      const { code, stdout, stderr } = await run([...args]);
      assert.equal(code, 2);
      assert.deepEqual(JSON.parse(stdout), { error: sentence, details: [] });
      assert.notEqual(stderr, '');
    }
    const help = await run(['page', '--help', '--json']);
    assert.equal(help.code, 0);
    assert.doesNotMatch(help.stdout, /"error"/);
  });

  it('of every command shows examples', async () => {
    const commands = [
      '',
      'serve',
      'apply',
      'key create',
      'webhook create',
      'source create',
      'source list',
      'source show',
      'source try',
      'source rotate',
      'source revoke',
      'silence',
      'window create',
      'window list',
      'window end',
      'page team',
      'page person',
      'page acknowledge',
      'page unacknowledge',
      'page resolve',
      'page reopen',
      'page escalate',
      'page snooze',
      'page extend',
      'page comment',
      'page add',
      'page reassign',
      'request',
      'oncall',
      'schedules',
      'owner create',
      'sign-in-link',
      'doctor',
      'backup',
      'restore',
      'secret rotate',
      'secret forget',
    ];
    for (const command of commands) {
      const { code, stdout } = await run([...command.split(' ').filter(Boolean), '--help']);
      assert.equal(code, 0);
      const [, examples = ''] = stdout.split('\nExamples:\n');
      assert.match(examples, /^ {2}\$ /, command);
      for (const line of examples.trim().split('\n')) assert.match(line, /[\s(]tocsin \S/, command);
    }
  });

  it('--version prints only the version', async () => {
    assert.deepEqual(await run(['--version']), { code: 0, stdout: `${VERSION}\n`, stderr: '' });
  });
});
