/** Debian's own Icinga 2, set up by nothing but our page about it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Daemon, debianProgram, startDaemon } from '../testing/debian-program.ts';
import { documentedBlock } from '../testing/documented-blocks.ts';
import { type SenderStory, senderStory } from '../testing/sender-story.ts';

const PAGE = 'integrations/icinga2';
const WEB = 'https://icinga.example.com/icingaweb2/icingadb';

/** A host and a service whose states the test tells, in place of checks of its own. */
const SURROUNDINGS = `
include <itl>
object NotificationComponent "notification" { }
object ExternalCommandListener "command" { command_path = RunFolder + "/icinga2.cmd" }
object CheckCommand "told" { command = [ "/bin/true" ] }
template Host "told" { check_command = "told"; enable_active_checks = false; max_check_attempts = 1 }
template Service "told" { check_command = "told"; enable_active_checks = false; max_check_attempts = 1 }
object Host "db-01" { import "told"; address = "192.0.2.1"; notes_url = "https://wiki.example.com/db-01" }
object Service "disk" { import "told"; host_name = "db-01" }
include "conf.d/*.conf"
`;

describe('a real Icinga 2', { timeout: 600_000 }, () => {
  let s: SenderStory;
  let icinga: Daemon | undefined;
  let folder: string;

  before(async () => {
    s = await senderStory('icinga2');
    folder = await mkdtemp(join(tmpdir(), 'tocsin-icinga-'));
    for (const inside of ['scripts', 'conf.d', 'run', 'data']) await mkdir(join(folder, inside));
    const url = documentedBlock(PAGE, '', 'url = "https').replace(/"https:.*"/, JSON.stringify(s.url));
    await writeFile(join(folder, 'tocsin.conf'), url);
    const script = documentedBlock(PAGE, '', '#!/bin/sh');
    await writeFile(join(folder, 'scripts', 'tocsin.sh'), script, { mode: 0o755 });
    await writeFile(join(folder, 'conf.d', 'tocsin.conf'), documentedBlock(PAGE, '', 'NotificationCommand'));
    await writeFile(join(folder, 'icinga2.conf'), SURROUNDINGS);
    icinga = await startDaemon(
      debianProgram('icinga2', 'icinga2-bin'),
      ['daemon', '-c', `${folder}/icinga2.conf`, ...constants()],
      {
        TOCSIN_CONFIG: join(folder, 'tocsin.conf'),
        // As root it would become somebody who may not read the folder.
        ICINGA2_USER: userInfo().username,
        ICINGA2_GROUP: execFileSync('id', ['-gn'], { encoding: 'utf8' }).trim(),
      },
      () =>
        stat(join(folder, 'run', 'icinga2.cmd')).then(
          () => true,
          () => false,
        ),
    );
  });
  after(async () => {
    await icinga?.stop();
    await s.story.end();
    await rm(folder, { recursive: true, force: true });
  });

  function constants(): string[] {
    const folders = ['LogDir', 'CacheDir', 'SpoolDir', 'DataDir'].map((name) => [name, 'data']);
    return [
      ...folders.map(([name, inside]) => `-DConfiguration.${name}=${folder}/${inside}`),
      `-DConfiguration.InitRunDir=${folder}/run`,
      `-DConfiguration.PidPath=${folder}/run/pid`,
      `-DRunFolder=${folder}/run`,
      `-DConfigDir=${folder}`,
    ];
  }

  const tell = (command: string) =>
    appendFile(join(folder, 'run', 'icinga2.cmd'), `[${Math.floor(Date.now() / 1_000)}] ${command}\n`);

  it('tells of a service from its problem to its recovery', async () => {
    await tell('PROCESS_SERVICE_CHECK_RESULT;db-01;disk;2;DISK CRITICAL - /var is "full" (3%) & $(busy)');
    await s.states('open');
    const moment = await s.moment();
    assert.equal(moment.name, 'disk on db-01 is CRITICAL');
    assert.deepEqual([moment.type, moment.priority, moment.source], ['alert', 'high', 'Icinga']);
    assert.match(moment.description ?? '', /^```\nDISK CRITICAL - \/var is "full" \(3%\) & \$\(busy\)\n```/);
    assert.match(moment.description ?? '', /192\.0\.2\.1/);
    assert.equal(decodeURIComponent(moment.source_url ?? ''), `${WEB}/service?name=disk&host.name=db-01`);

    await tell('ACKNOWLEDGE_SVC_PROBLEM;db-01;disk;1;1;0;ada;I am on it');
    await s.states('acknowledged');
    const { acknowledged_as, acknowledged_comment } = await s.moment();
    assert.deepEqual([acknowledged_as, acknowledged_comment], ['ada', 'I am on it']);
    await tell('PROCESS_SERVICE_CHECK_RESULT;db-01;disk;0;DISK OK');
    await s.states('resolved');
  });

  it('tells of a host, and once more of the service', async () => {
    await tell('PROCESS_HOST_CHECK_RESULT;db-01;1;PING CRITICAL - 100% lost');
    await s.states('open', 'resolved');
    const [host] = await s.moments();
    assert.equal(host?.name, 'db-01 is DOWN');
    assert.equal(decodeURIComponent(host?.source_url ?? ''), `${WEB}/host?name=db-01`);
    await tell('PROCESS_HOST_CHECK_RESULT;db-01;0;PING OK');
    await s.states('resolved', 'resolved');
    await tell('PROCESS_SERVICE_CHECK_RESULT;db-01;disk;1;DISK WARNING');
    await s.states('open', 'resolved', 'resolved');
    const states = new Set((await s.notifications()).map(({ state }) => state));
    assert.deepEqual([...states], ['success']);
  });

  it('pages through the URL of a source, which alone is different', async () => {
    await writeFile(join(folder, 'tocsin.conf'), `url = "${await s.source('icinga2')}"\n`);
    await tell('PROCESS_SERVICE_CHECK_RESULT;db-01;disk;2;DISK CRITICAL - /var is full');
    const [raised] = await s.pages('notifying');
    assert.equal(raised?.title, 'disk on db-01 is CRITICAL');
    await tell('ACKNOWLEDGE_SVC_PROBLEM;db-01;disk;1;1;0;ada;I am on it');
    await s.pages('acknowledged');
    await tell('PROCESS_SERVICE_CHECK_RESULT;db-01;disk;0;DISK OK');
    const [resolved] = await s.pages('resolved');
    assert.equal(resolved?.id, raised?.id);
  });
});
