/**
 * The notification command of our page about Nagios, run as Nagios runs it: by a shell, with its macros in the
 * environment.
 */
import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { documentedBlock } from '../testing/documented-blocks.ts';
import { passedOn } from '../testing/passed-on.ts';
import { type SenderStory, senderStory } from '../testing/sender-story.ts';

const run = promisify(execFile);
const PAGE = 'integrations/nagios';

describe('the notification command for Nagios', { timeout: 600_000 }, () => {
  let s: SenderStory;
  let folder: string;
  let command: string;
  const began = Math.floor(Date.now() / 1_000) - 100;

  before(async () => {
    s = await senderStory('nagios');
    folder = await mkdtemp(join(tmpdir(), 'tocsin-nagios-'));
    const url = documentedBlock(PAGE, '', 'url = "https').replace(/"https:.*"/, JSON.stringify(s.url));
    await writeFile(join(folder, 'tocsin.conf'), url);
    const script = join(folder, 'tocsin-nagios');
    await writeFile(script, documentedBlock(PAGE, '', '#!/bin/sh'), { mode: 0o755 });
    const line = /command_line +(\S+)$/m.exec(documentedBlock(PAGE, '', 'define command'))?.[1] ?? '';
    assert.equal(line, '/usr/local/bin/tocsin-nagios');
    command = line.replace('/usr/local/bin/tocsin-nagios', script);
  });
  after(async () => {
    await s.story.end();
    await rm(folder, { recursive: true, force: true });
  });

  /** Macros without a value are in the environment, too, but empty. */
  async function notify(macros: Record<string, string | number>): Promise<void> {
    const usual = {
      LASTHOSTSTATECHANGE: began - 9_000,
      HOSTNOTESURL: '',
      HOSTNAME: 'db-01',
      HOSTSTATE: 'UP',
    };
    const given = Object.entries({ ...usual, HOSTADDRESS: '192.0.2.1', NOTIFICATIONAUTHOR: '', ...macros });
    const env = Object.fromEntries(given.map(([name, value]) => [`NAGIOS_${name}`, String(value)]));
    const settings = { ...passedOn(), TOCSIN_CONFIG: join(folder, 'tocsin.conf') };
    await run('sh', ['-c', command], { env: { ...settings, ...env } });
  }

  it('reports a service from its problem to its recovery', async () => {
    const disk = { SERVICEDESC: 'Disk', LASTSERVICESTATECHANGE: began, HOSTGROUPNAMES: 'databases,linux' };
    await notify({
      ...disk,
      ...{ NOTIFICATIONTYPE: 'PROBLEM', TIMET: began + 1, SERVICESTATE: 'CRITICAL', SERVICEATTEMPT: 3 },
      ...{ SERVICEOUTPUT: 'DISK CRITICAL - "/var" & $(more): 3%', LONGSERVICEOUTPUT: '/var 3%\\n/home 9%' },
    });
    await s.states('open');
    const moment = await s.moment();
    assert.equal(moment.name, 'Disk on db-01 is CRITICAL');
    assert.deepEqual([moment.priority, moment.source], ['high', 'Nagios']);
    const link = 'https://nagios.example.com/nagios4/cgi-bin/extinfo.cgi?type=2&host=db-01&service=Disk';
    assert.equal(decodeURIComponent(moment.source_url ?? ''), link);
    assert.equal(Date.parse(moment.occurred_at), began * 1_000);
    assert.match(moment.description ?? '', /^```\nDISK .*"\/var" & \$\(more\): 3%\n\/var 3%\n\/home 9%\n```/);

    const acknowledged = { NOTIFICATIONTYPE: 'ACKNOWLEDGEMENT', TIMET: began + 2, SERVICESTATE: 'CRITICAL' };
    await notify({ ...disk, ...acknowledged, NOTIFICATIONAUTHOR: 'ada', NOTIFICATIONCOMMENT: 'On it' });
    await s.states('acknowledged');
    const { acknowledged_as, acknowledged_comment } = await s.moment();
    assert.deepEqual([acknowledged_as, acknowledged_comment], ['ada', 'On it']);
    await notify({ ...disk, NOTIFICATIONTYPE: 'RECOVERY', TIMET: began + 3, SERVICESTATE: 'OK' });
    await s.states('resolved');
  });

  it('reports a host', async () => {
    const down = { HOSTSTATE: 'DOWN', HOSTOUTPUT: 'PING CRITICAL', LASTHOSTSTATECHANGE: began };
    await notify({ ...down, NOTIFICATIONTYPE: 'PROBLEM', TIMET: began + 1 });
    await s.states('open', 'resolved');
    assert.equal((await s.moments())[0]?.name, 'db-01 is DOWN');
    await notify({ NOTIFICATIONTYPE: 'RECOVERY', TIMET: began + 2, LASTHOSTSTATECHANGE: began + 2 });
    await s.states('resolved', 'resolved');
  });

  it('pages through the URL of a source, with only the URL changed', async () => {
    const former = await readFile(join(folder, 'tocsin.conf'), 'utf8');
    await writeFile(join(folder, 'tocsin.conf'), `url = "${await s.source('nagios')}"\n`);
    const load = { SERVICEDESC: 'Load', LASTSERVICESTATECHANGE: began, SERVICEATTEMPT: 3 };
    const problem = {
      ...load,
      NOTIFICATIONTYPE: 'PROBLEM',
      SERVICESTATE: 'CRITICAL',
      SERVICEOUTPUT: 'Load 9',
    };
    for (const after of [1, 2]) await notify({ ...problem, TIMET: began + after });
    const [raised] = await s.pages('notifying');
    assert.equal(raised?.title, 'Load on db-01 is CRITICAL');
    await notify({ ...load, NOTIFICATIONTYPE: 'RECOVERY', TIMET: began + 3, SERVICESTATE: 'OK' });
    assert.equal((await s.pages('resolved'))[0]?.id, raised?.id);
    await writeFile(join(folder, 'tocsin.conf'), former);
  });

  it('fails with an error if the address is wrong', async () => {
    await writeFile(join(folder, 'tocsin.conf'), `url = "${s.url.replace('/nagios', '/icinga2')}"`);
    await assert.rejects(notify({ NOTIFICATIONTYPE: 'PROBLEM', HOSTSTATE: 'DOWN' }), /404/);
  });
});
