import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandsHere, example, refused } from '../../testing/commands.ts';

const { rows, tocsin } = await commandsHere();
await tocsin.run(['owner', 'create', '--email', 'boss@acme.example', '--name', 'The Boss']);
assert.equal((await tocsin.run(['apply', example])).code, 0);

const stored = (id: string) =>
  rows(`select name, effect, silence, match, recurrence, zone, over_at is null as running,
    extract(epoch from ends_at - starts_at)::int / 60 as minutes,
    (select email from users where users.id = created_by) as owner, source_id is null as "wholeTeam"
    from maintenance_windows where id = '${id.trim()}'`);

describe('silence', () => {
  it('prints its id, and has the given length', async () => {
    const made = await tocsin.run([
      ...['silence', '--team', 'sre', '--match', 'service=db', '--match', 'severity!=critical'],
      ...['--for', '1h30m', '--owner', 'ada@example.com'],
    ]);
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, /^window_\w+\n$/);
    assert.match(made.stderr, /^It ends at /);
    const match = ['service=db', 'severity!=critical'];
    assert.deepEqual(await stored(made.stdout), [
      {
        name: 'Silence',
        effect: 'hold',
        silence: true,
        match,
        recurrence: null,
        zone: null,
        running: true,
        minutes: 90,
        owner: 'ada@example.com',
        wholeTeam: true,
      },
    ]);
  });

  it('may be for one source', async () => {
    await tocsin.run(['source', 'create', '--team', 'sre', '--name', 'Prometheus', '--type', 'alertmanager']);
    const made = await tocsin.run(['silence', '--team', 'sre', '--source', 'prometheus', '--for', '5m']);
    assert.equal((await stored(made.stdout))[0]?.wholeTeam, false);
    refused(
      await tocsin.run(['silence', '--team', 'sre', '--source', 'Promethius', '--for', '5m']),
      /no source "Promethius".*did you mean Prometheus/s,
    );
  });

  it('is refused with the name of the option', async () => {
    const silence = (...more: string[]) => tocsin.run(['silence', '--team', 'sre', ...more]);
    refused(await silence('--for', 'soon'), /Give a time such as 45m, 2h or 1d12h/, 2);
    refused(await silence('--for', '5m', '--effect', 'drop'), /Give hold or record/, 2);
    refused(await silence(), /--for <time>/, 2);
    refused(
      await silence('--for', '5m', '--match', 'critical'),
      /--match is "critical", which is not a matcher/,
    );
    refused(await silence('--for', '367d'), /--to is more than 366 days after the start/);
    refused(await silence('--for', '5m', '--owner', 'nobody@example.com'), /nobody@example.com/);
  });
});

describe('window', () => {
  it('create, list and end work on one window', async () => {
    const made = await tocsin.run([
      ...['window', 'create', '--team', 'sre', '--name', 'Backups', '--effect', 'record'],
      ...['--from', '2030-12-01T02:00:00+01:00', '--for', '1h'],
      ...['--rrule', 'FREQ=WEEKLY;BYDAY=SU', '--zone', 'Europe/Berlin', '--until', '2031-12-01T00:00:00Z'],
    ]);
    assert.equal(made.code, 0, made.stderr);
    const [row] = await stored(made.stdout);
    assert.deepEqual(
      [row?.effect, row?.silence, row?.recurrence, row?.zone, row?.minutes],
      ['record', false, 'FREQ=WEEKLY;BYDAY=SU', 'Europe/Berlin', 60],
    );
    const listed = await tocsin.run(['window', 'list', '--team', 'sre', '--json']);
    const { windows } = JSON.parse(listed.stdout) as { windows: { name: string; state: string }[] };
    assert.equal(windows.find(({ name }) => name === 'Backups')?.state, 'upcoming');
    assert.match((await tocsin.run(['window', 'list'])).stdout, /Backups +upcoming +record/);
    const ended = await tocsin.run(['window', 'end', 'backups']);
    assert.equal(ended.stdout, 'Backups has ended.\n');
    assert.equal((await stored(made.stdout))[0]?.running, false);
    refused(await tocsin.run(['window', 'end', 'Backups']), /no window "Backups" that is active or upcoming/);
  });

  it('needs exactly one end', async () => {
    const create = (...more: string[]) =>
      tocsin.run(['window', 'create', '--team', 'sre', '--name', 'x', ...more]);
    refused(await create(), /A window needs an end; give --to or --for/);
    refused(await create('--for', '5m', '--to', '2040-01-01T00:00:00Z'), /Give one of --to and --for/);
    refused(await create('--to', '2020-01-01T00:00:00Z'), /--to is 2020-01-01/);
  });
});
