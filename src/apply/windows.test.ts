import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandsHere } from '../../testing/commands.ts';

const { file, rows, tocsin } = await commandsHere();

const ORGANIZATION = `
organization: { name: Acme }
users: [{ email: ada@example.com, name: Ada, role: owner }]
teams: [{ slug: sre, members: [ada@example.com] }]
`;
const apply = (windows: string, ...more: string[]) =>
  tocsin.run(['apply', file('acme.yaml', `${ORGANIZATION}\n${windows}`), ...more]);
const running = () =>
  rows(
    `select name, effect, match, recurrence, silence from maintenance_windows where over_at is null order by name`,
  );

const BACKUPS = `
windows:
  - name: Backups
    team: sre
    effect: record
    match: [service=db]
    owner: ada@example.com
    start: 2030-12-01T02:00:00+01:00
    end: 2030-12-01T03:00:00+01:00
    rrule: FREQ=WEEKLY;BYDAY=SU
    zone: Europe/Berlin
`;

describe('windows in the file', () => {
  it('are created once, replaced if they differ, and ended by --prune', async () => {
    const first = await apply(BACKUPS);
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /\+ window Backups/);
    const backups = { name: 'Backups', effect: 'record', match: ['service=db'], silence: false };
    assert.deepEqual(await running(), [{ ...backups, recurrence: 'FREQ=WEEKLY;BYDAY=SU' }]);
    assert.match((await apply(BACKUPS)).stdout, /Nothing changes/);
    const held = await apply(BACKUPS.replace('effect: record', 'effect: hold'));
    assert.match(held.stdout, /~ window Backups/);
    assert.deepEqual(
      (await running()).map(({ effect }) => effect),
      ['hold'],
    );
    await tocsin.run(['silence', '--team', 'sre', '--for', '5h']);
    assert.match((await apply('', '--prune')).stdout, /- window Backups/);
    assert.deepEqual(
      (await running()).map(({ name }) => name),
      ['Silence'],
    );
  });

  it('do not change if they have ended', async () => {
    const past = BACKUPS.replaceAll('2030', '2020').replace(/ {4}(rrule|zone):.*\n/g, '');
    assert.match((await apply(past)).stdout, /Nothing changes/);
  });

  it('are refused at their place in the file', async () => {
    const wrong = async (from: string | RegExp, to: string) => {
      const { code, stderr } = await apply(BACKUPS.replace(from, to));
      assert.equal(code, 1);
      return stderr;
    };
    assert.match(
      await wrong('service=db', 'critical'),
      /windows\[0\]\.match\[0\] is "critical", which is not a matcher/,
    );
    assert.match(await wrong('team: sre', 'team: sra'), /is sra, a team that is neither/);
    assert.match(await wrong('owner: ada@example.com', 'source: Nagios'), /not a page source of this team/);
    assert.match(await wrong('2030-12-01T03', '2030-12-01T01'), /windows\[0\]\.end .*give a later time/);
    assert.match(await wrong(/ {4}zone:.*\n/, ''), /zone is missing/);
  });

  it('are found again, however many there are, and also just after their end', async () => {
    const many = Array.from(
      { length: 201 },
      (_, index) =>
        `  - { name: W${index}, team: sre, start: 2030-12-01T00:00:00Z, end: 2030-12-01T${String(index % 24).padStart(2, '0')}:30:00Z }`,
    );
    const wanted = `windows:\n${many.join('\n')}\n`;
    const first = await apply(wanted, '--prune');
    assert.equal(first.code, 0, first.stderr);
    assert.match((await apply(wanted)).stdout, /Nothing changes/);
    await rows(
      `update maintenance_windows set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 second',
        first_starts_at = now() - interval '2 hours', first_ends_at = now() - interval '1 second' where name = 'W7'`,
    );
    const again = await apply(wanted);
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stdout, /~ window W7/);
    assert.equal((await apply('windows: []', '--prune')).code, 0);
    assert.deepEqual(
      await running(),
      (await running()).filter(({ silence }) => silence),
    );
  });
});
