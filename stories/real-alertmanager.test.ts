/** Debian's Alertmanager, configured as our page about it says and in no other way. */
import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { type Daemon, debianProgram, startDaemon } from '../testing/debian-program.ts';
import { documentedBlock } from '../testing/documented-blocks.ts';
import { freePort } from '../testing/free-port.ts';
import { type SenderStory, senderStory } from '../testing/sender-story.ts';

const run = promisify(execFile);
const PAGE = 'integrations/alertmanager';
const PACKAGE = 'prometheus-alertmanager';

/** Short enough for a test; a user who follows the page has Alertmanager's default intervals. */
const INTERVALS = { group_wait: '100ms', group_interval: '300ms', repeat_interval: '300ms' };

type Documented = { route: object; receivers: { webhook_configs: Record<string, unknown>[] }[] };

describe('a real Alertmanager', { timeout: 600_000 }, () => {
  let s: SenderStory;
  let alertmanager: Daemon | undefined;
  let folder: string;
  let address: string;

  before(async () => {
    s = await senderStory('alertmanager');
    folder = await mkdtemp(join(tmpdir(), 'tocsin-alertmanager-'));
    address = `127.0.0.1:${await freePort()}`;
    const program = debianProgram(PACKAGE, PACKAGE);
    await writeFile(join(folder, 'alertmanager.yml'), await configuration(program));
    const args = [
      `--config.file=${folder}/alertmanager.yml`,
      `--storage.path=${folder}`,
      `--web.listen-address=${address}`,
      '--cluster.listen-address=',
    ];
    alertmanager = await startDaemon(program, args, {}, () =>
      fetch(`http://${address}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  });
  after(async () => {
    await alertmanager?.stop();
    await s.story.end();
    await rm(folder, { recursive: true, force: true });
  });

  /** The configuration from the page, in the form for the installed version. */
  async function configuration(program: string): Promise<string> {
    const documented = parse(documentedBlock(PAGE, 'yaml', 'receivers:')) as Documented;
    const [webhook] = documented.receivers[0]?.webhook_configs ?? [];
    assert.equal(webhook?.url_file, '/etc/alertmanager/tocsin-url');
    if (webhook) Object.assign(webhook, await urlSetting(program));
    const pagerduty_configs = [{ url: await s.another('pagerduty'), routing_key: 'any' }];
    const routes = [{ receiver: 'pagerduty', matchers: ['alertname="ForPagerDuty"'] }];
    return stringify({
      route: { ...documented.route, ...INTERVALS, routes },
      receivers: [...documented.receivers, { name: 'pagerduty', pagerduty_configs }],
    });
  }

  async function urlSetting(program: string): Promise<object> {
    const { stdout, stderr } = await run(program, ['--version']);
    const [, minor] = /version 0\.(\d+)/.exec(stdout + stderr) ?? [];
    if (Number(minor) < 26) return { url: s.url, url_file: undefined };
    await writeFile(join(folder, 'url'), s.url);
    return { url_file: join(folder, 'url') };
  }

  /**
   * The time by Alertmanager's own clock: a Go program reads it from the kernel, so `npm test -- --at` cannot move it.
   */
  async function now(): Promise<Date> {
    const { headers } = await fetch(`http://${address}/-/ready`);
    return new Date(headers.get('date') ?? '');
  }

  /** The header has whole seconds; rounded up, so that nothing ends before it starts. */
  const endNow = async () => `--end=${new Date((await now()).getTime() + 1_000).toISOString()}`;

  /** Fires the alert of the page, or ends it. */
  async function alert(...more: string[]): Promise<void> {
    return named('TocsinTest', ...more);
  }

  async function named(name: string, ...more: string[]): Promise<void> {
    const command = documentedBlock(PAGE, '', 'alert add').trim().replace('TocsinTest', name);
    const amtool = command.replace('amtool', debianProgram('amtool', PACKAGE));
    await run('sh', ['-euc', `${amtool.replace('localhost:9093', address)} "$@"`, 'sh', ...more]);
  }

  it('fires one moment, which its repetitions do not duplicate, and resolves it', async () => {
    await alert();
    await s.states('open');
    const moment = await s.moment();
    assert.equal(moment.name, 'Hello, Tocsin');
    assert.deepEqual([moment.type, moment.priority, moment.source], ['alert', 'medium', 'Alertmanager']);
    assert.match(moment.source_url ?? '', /^http/);
    await s.received(3);
    await s.states('open');

    await alert(await endNow());
    await s.states('resolved');
    const states = new Set((await s.notifications()).map(({ state }) => state));
    assert.ok(!states.has('error'), JSON.stringify(await s.notifications()));
  });

  it('fires again, which is a new moment', async () => {
    await alert();
    await s.states('open', 'resolved');
  });

  it('may use our PagerDuty-compatible API', async () => {
    await named('ForPagerDuty');
    await s.states('open', 'open', 'resolved');
    const [moment] = await s.moments();
    assert.match(moment?.name ?? '', /ForPagerDuty/);
    assert.deepEqual([moment?.source, moment?.webhook?.type], ['Alertmanager', 'pagerduty']);
    await named('ForPagerDuty', await endNow());
    await s.states('resolved', 'open', 'resolved');
  });

  /** Silences one alert for an hour; returns a function that ends the silence. */
  async function silence(matchers: Record<string, string>): Promise<() => Promise<void>> {
    const silences = `http://${address}/api/v2/silence`;
    const startsAt = await now();
    const body = {
      matchers: Object.entries(matchers).map(([name, value]) => ({ name, value, isRegex: false })),
      startsAt: startsAt.toISOString(),
      endsAt: new Date(startsAt.getTime() + 3_600_000).toISOString(),
      createdBy: 'ada',
      comment: 'a test',
    };
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${silences}s`, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 200);
    const { silenceID } = (await answer.json()) as { silenceID: string };
    return async () => {
      assert.equal((await fetch(`${silences}/${silenceID}`, { method: 'DELETE' })).status, 200);
    };
  }

  it('reports an alert that was silenced until the rest of its group had ended, which is a new moment', async () => {
    const before = ['resolved', 'open', 'resolved'];
    const speak = await silence({ alertname: 'HalfSilenced', instance: 'db-02' });
    await named('HalfSilenced', 'instance=db-02');
    await named('HalfSilenced', 'instance=db-01');
    await s.states('open', ...before);
    await named('HalfSilenced', 'instance=db-01', await endNow());
    await s.states('resolved', ...before);
    await speak();
    await s.states('open', 'resolved', ...before);
    await named('HalfSilenced', 'instance=db-02', await endNow());
    await s.states('resolved', 'resolved', ...before);
  });
});
