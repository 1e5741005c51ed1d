/** Debian's Alertmanager, configured as if Tocsin were PagerDuty and Opsgenie. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { type Daemon, debianProgram, startDaemon } from '../testing/debian-program.ts';
import { eventually } from '../testing/eventually.ts';
import { freePort } from '../testing/free-port.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

const run = promisify(execFile);
const PACKAGE = 'prometheus-alertmanager';
/** Intervals short enough for a test, which repeat each alert many times. */
const INTERVALS = { group_wait: '100ms', group_interval: '300ms', repeat_interval: '300ms' };

describe('a real Alertmanager with receivers of PagerDuty and Opsgenie', { timeout: 600_000 }, () => {
  let t: Story;
  let alertmanager: Daemon | undefined;
  let folder: string;
  let address: string;

  before(async () => {
    t = await story({
      automatic: true,
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada'),
        teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']] }] } },
      }),
    });
    const keyFor = async (type: string) => (await t.source({ team: 'sre', type, name: type })).key ?? '';
    folder = await mkdtemp(join(tmpdir(), 'tocsin-alertmanager-'));
    address = `127.0.0.1:${await freePort()}`;
    const pagerduty = {
      routing_key: await keyFor('pagerduty-events'),
      url: `${t.url}/v2/enqueue`,
      severity: 'critical',
    };
    const opsgenie = {
      api_key: await keyFor('opsgenie-api'),
      api_url: t.url,
      priority: 'P1',
      update_alerts: true,
    };
    const configuration = {
      route: {
        ...{ receiver: 'pagerduty', group_by: ['alertname'], ...INTERVALS },
        routes: [{ receiver: 'opsgenie', matchers: ['alertname="ForOpsgenie"'] }],
      },
      receivers: [
        { name: 'pagerduty', pagerduty_configs: [pagerduty] },
        { name: 'opsgenie', opsgenie_configs: [opsgenie] },
      ],
    };
    await writeFile(join(folder, 'alertmanager.yml'), stringify(configuration));
    const args = [
      ...[`--config.file=${folder}/alertmanager.yml`, `--storage.path=${folder}`],
      ...[`--web.listen-address=${address}`, '--cluster.listen-address='],
    ];
    alertmanager = await startDaemon(debianProgram(PACKAGE, PACKAGE), args, {}, () =>
      fetch(`http://${address}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  });
  after(async () => {
    await alertmanager?.stop();
    t?.receiver.inbox.takeAll();
    await t?.end();
    await rm(folder, { recursive: true, force: true });
  });

  /** The time by Alertmanager's own clock, rounded up to a second, so that no alert ends before it starts. */
  async function now(): Promise<string> {
    const { headers } = await fetch(`http://${address}/-/ready`);
    return new Date(new Date(headers.get('date') ?? '').getTime() + 1_000).toISOString();
  }

  async function alert(name: string, ...more: string[]): Promise<void> {
    const amtool = debianProgram('amtool', PACKAGE);
    const labels = [`alertname=${name}`, 'instance=db-1', '--annotation=summary=Disk full'];
    await run(amtool, ['alert', 'add', `--alertmanager.url=http://${address}`, ...labels, ...more]);
  }

  const pagesOf = (name: string) =>
    t.db
      .selectFrom('pages')
      .select(['id', 'state', 'urgency', 'title'])
      .where('title', 'like', `%${name}%`)
      .execute();
  const states = async (name: string) => (await pagesOf(name)).map(({ state }) => state);
  const calls = async (type: string) =>
    (
      await t.db
        .selectFrom('received_notifications')
        .select('state')
        .where('integration', '=', type)
        .execute()
    ).map(({ state }) => state);

  for (const [name, type] of [
    ['ForPagerDuty', 'pagerduty-events'],
    ['ForOpsgenie', 'opsgenie-api'],
  ] as const)
    it(`pages once as ${type}, however often it repeats, and resolves the page`, async () => {
      await alert(name);
      await eventually(() => states(name), ['notifying']);
      await eventually(async () => (await calls(type)).length >= 4, true);
      const [page, ...others] = await pagesOf(name);
      assert.deepEqual([others.length, page?.urgency], [0, 'high']);
      await alert(name, `--end=${await now()}`);
      await eventually(() => states(name), ['resolved']);
      assert.ok(!(await calls(type)).includes('error'));
    });
});
