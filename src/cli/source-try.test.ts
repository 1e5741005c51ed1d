import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandsHere, example, refused } from '../../testing/commands.ts';

const { rows, tocsin, file } = await commandsHere();
await tocsin.run(['owner', 'create', '--email', 'boss@acme.example', '--name', 'The Boss']);
assert.equal((await tocsin.run(['apply', example])).code, 0);
const create = ['source', 'create', '--team', 'sre', '--type', 'custom', '--name'];
assert.equal((await tocsin.run([...create, 'Checks', '--settings', '{"wait_minutes": 5}'])).code, 0);

const body = file('body.json', '{"title": "Disk full", "severity": "critical", "dedup_key": "disk"}');
const tryIt = (...more: string[]) => tocsin.run(['source', 'try', 'checks', ...more]);

describe('source create', () => {
  it('reads a key from standard input, so that the list of processes does not show it', async () => {
    const key = '0123456789abcdef0123456789abcdef';
    const named = ['source', 'create', '--team', 'sre', '--type', 'pagerduty-events', '--name', 'Old'];
    const { stdout, stderr } = await tocsin.run([...named, '--key', '-'], { input: `${key}\n` });
    assert.equal(stdout.trim(), key, stderr);
    const { code, stderr: problem } = await tocsin.run([...named, '--key', '-'], { input: '' });
    assert.equal(code, 2);
    assert.match(problem, /It is empty; give a secret, or - and the secret on standard input/);
  });
});

describe('source try', () => {
  it('shows the effect of a call, and stores nothing', async () => {
    const { code, stdout, stderr } = await tryIt('--file', body);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^event +trigger: Disk full$/m);
    assert.match(stdout, /^urgency +high, severity critical → high$/m);
    assert.match(stdout, /^would be +waiting: It pages at /m);
    assert.match(stdout, /^after 5 min +stage 1: /m);
    assert.match(stdout, /^1 page would be held back for now\. Nothing was stored\.$/m);
    const [count] = await rows(
      'select (select count(*) from requests)::int + (select count(*) from waiting_pages)::int as count',
    );
    assert.deepEqual(count, { count: 0 });
  });

  it('accepts a body on standard input and unsaved settings, and prints JSON', async () => {
    const settings = '{"rules": [{"match": ["severity=critical"], "then": {"ignore": true}}]}';
    const { stdout, stderr } = await tocsin.run(
      ['source', 'try', 'Checks', '--settings', settings, '--json'],
      {
        input: '{"title": "Disk full", "severity": "critical"}',
      },
    );
    const { events } = JSON.parse(stdout || stderr) as {
      events: { action: string; rule: { number: number } }[];
    };
    assert.deepEqual(
      events.map(({ action, rule }) => [action, rule.number]),
      [['ignored', 1]],
    );
  });

  it('is refused with the field or the option that is wrong', async () => {
    refused(
      await tryIt('--file', file('bad.json', '{"urgency": "loud"}')),
      /urgency is "loud".*title is missing/,
    );
    refused(await tryIt('--file', body, '--settings', '{"rules": [{}]}'), /--settings rules\[0\]/);
    refused(await tryIt('--file', body, '--call', 'notification_1'), /Give either --file or --call/);
    refused(await tryIt('--call', 'notification_1'), /--call is not a call that this source received/);
    refused(await tryIt('--file', body, '--type', 'grafana'), /the source Checks has the type custom/);
    refused(await tryIt('--file', body, '--header', 'x'), /--header is "x"/);
    refused(await tryIt('--file', '/nowhere/body.json'), /\/nowhere\/body\.json cannot be read/);
    refused(await tryIt('--file', file('empty.json', '')), /There is no body to try/);
  });
});
