import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type CommandLine, commandLine } from '../testing/command-line.ts';
import { signIn } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

const FILE = (members: string, more = '') => `
organization: { name: Acme }
schedules:
  - name: Night and day
    team: sre
    time_zone: Europe/Berlin
    backstop: ada@example.com
    strategy: fair
    plan_ahead_weeks: 12
    shifts: { every: day, handoff: "09:00" }
    ${more}
    stages: [ { stage: 1, members: [${members}] } ]
`;
const ALL = ['ada', 'alan', 'grace', 'joan'].map((name) => `${name}@example.com`);

/** The preview of a schedule change says exactly what applying it then does. */
describe('a file with a schedule', { timeout: 600_000 }, () => {
  let t: Story;
  let tocsin: CommandLine;
  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: Object.fromEntries(
          ['ada', 'alan', 'grace', 'joan'].map((name) => [
            name,
            { methods: [{ type: 'webhook' as const, value: `${receiver.url}${name}` }] },
          ]),
        ),
        teams: { sre: { members: ['ada', 'alan', 'grace', 'joan'] } },
      }),
    });
    await t.db
      .updateTable('users')
      .set({ role: 'owner' })
      .where('id', '=', t.acme.users.ada ?? '')
      .execute();
    tocsin = commandLine(t.commandEnv.DATABASE_URL);
  });
  after(async () => {
    tocsin.remove();
    await t.end();
  });

  async function apply(file: string, ...options: string[]): Promise<string> {
    const ran = await tocsin.run(['apply', '-', ...options], { input: file, env: t.commandEnv });
    assert.equal(ran.code, 0, ran.stderr);
    return ran.stdout;
  }

  /** Who has each shift from now on, ordered by start. */
  async function shifts(): Promise<Map<string, string | null>> {
    const rows = await t.db
      .selectFrom('shifts')
      .select(['starts_at', 'ends_at', 'user_id'])
      .where('ends_at', '>', await t.clock.now(t.db))
      .execute();
    return new Map(rows.map((row) => [`${row.starts_at} ${row.ends_at}`, row.user_id]));
  }

  /** `= Night and day: 21 of 85 published shifts go to somebody else, …`. */
  const planLines = (said: string) =>
    said.split('\n').filter((line) => /shift/.test(line) && !/shifts:/.test(line));

  async function changedBy(file: string): Promise<{ said: string; handedOver: number }> {
    const before = await shifts();
    const dry = await apply(file, '--dry-run');
    assert.deepEqual(await shifts(), before, 'a dry run changes nothing');
    const real = await apply(file);
    assert.deepEqual(planLines(real), planLines(dry));
    const now = await shifts();
    const handedOver = [...before].filter(([key, who]) => now.has(key) && now.get(key) !== who).length;
    return { said: planLines(dry).join('\n'), handedOver };
  }

  it('shows with --dry-run how many shifts the real run then changes', async () => {
    await apply(FILE(ALL.join(', ')));
    assert.ok((await shifts()).size >= 80);
    const left = await changedBy(FILE(ALL.slice(0, 3).join(', ')));
    assert.ok(left.handedOver > 5, `${left.handedOver} changed`);
    assert.match(
      left.said,
      new RegExp(`: ${left.handedOver} of \\d+ published shifts go to somebody else\\b`),
      left.said,
    );
    const joined = await changedBy(FILE(ALL.join(', ')));
    assert.equal(joined.handedOver, 0, joined.said);
  });

  it('sets the acknowledgement timeout, which pages then use', async () => {
    await apply(FILE(ALL.join(', '), 'acknowledge_timeout_minutes: 7'));
    await t.page('team', 'sre', { urgency: 'high' });
    const first = await t.receiver.next();
    assert.equal((await t.acknowledge(first)).status, 200);
    t.receiver.inbox.takeAll();
    await t.advance({ minutes: 6 });
    assert.deepEqual(t.receiver.inbox.takeAll(), []);
    await t.advance({ minutes: 2 });
    const again = await t.receiver.next();
    assert.deepEqual([again.path, again.body.page_id], [first.path, first.body.page_id]);
    await t.resolveAcknowledged();
    const said = await apply(FILE(ALL.join(', '), 'ask_again_medium_minutes: 90'));
    assert.match(said, /ask again at medium urgency: was off, is 90 minutes/);
    const ada = await signIn(t, 'ada');
    const { schedules } = (await ada.call('GET', '/api/schedules')).body;
    assert.equal(schedules.length, 1);
  });
});
