import { execFileSync } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { type Daemon, debianProgram, startDaemon } from '../debian-program.ts';
import { documentedBlock } from '../documented-blocks.ts';
import { type RealSender, watchedFiles, writeCheck } from './sender.ts';

const PAGE = 'integrations/nagios';
const PACKAGE = 'nagios4-core';

/** A service and a host whose states are in files, checked every second and repeated every two seconds. */
const THINGS = `
define command {
  command_name  state
  command_line  FOLDER/check $ARG1$
}
define host {
  use                     linux-server
  name                    quick-host
  contacts                tocsin
  contact_groups          null
  DOCUMENTED
  check_interval          1
  retry_interval          1
  max_check_attempts      1
  flap_detection_enabled  0
  register                0
}
define host {
  use            quick-host
  host_name      db-01
  address        192.0.2.1
  check_command  state!healthy
}
define host {
  use            quick-host
  host_name      web-01
  address        192.0.2.2
  check_command  state!1
}
define service {
  use                     generic-service
  host_name               db-01
  service_description     Disk
  check_command           state!0
  contacts                tocsin
  contact_groups          null
  DOCUMENTED
  check_interval          1
  retry_interval          1
  max_check_attempts      1
  flap_detection_enabled  0
}
`;

/** Debian's own Nagios 4 with Debian's own configuration, which notifies this URL as our page about it says. */
export async function nagios(url: string): Promise<RealSender> {
  const program = debianProgram('nagios4', PACKAGE);
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-nagios-'));
  await configure(folder, url);
  const pipe = join(folder, 'var/rw/nagios.cmd');
  const start = async (): Promise<Daemon> => {
    // Debian's unit removes it too, which a daemon that was killed leaves behind.
    await rm(pipe, { force: true });
    return startDaemon(
      program,
      [join(folder, 'etc/nagios.cfg')],
      { TOCSIN_CONFIG: join(folder, 'etc/tocsin.conf') },
      () =>
        stat(pipe).then(
          () => true,
          () => false,
        ),
    );
  };
  let daemon = await start();
  return {
    titles: ['Disk on db-01 is CRITICAL', 'web-01 is DOWN'],
    ...watchedFiles(folder),
    async acknowledge(thing) {
      const command = ['ACKNOWLEDGE_SVC_PROBLEM;db-01;Disk', 'ACKNOWLEDGE_HOST_PROBLEM;web-01'][thing];
      const at = Math.floor(Date.now() / 1_000);
      await appendFile(pipe, `[${at}] ${command};1;1;0;ada;On it\n`);
    },
    async die() {
      await daemon.kill();
      daemon = await start();
    },
    async stop() {
      await daemon.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function configure(folder: string, url: string): Promise<void> {
  await cp('/etc/nagios4/objects', join(folder, 'etc/objects'), { recursive: true });
  for (const inside of ['etc/conf.d', 'var/rw', 'var/spool/checkresults', 'log/archives', 'run'])
    await mkdir(join(folder, inside), { recursive: true });
  await writeFile(
    join(folder, 'etc/tocsin.conf'),
    documentedBlock(PAGE, '', 'url = "https').replace(/"https:.*"/, JSON.stringify(url)),
  );
  const script = join(folder, 'tocsin-nagios');
  await writeFile(script, documentedBlock(PAGE, '', '#!/bin/sh'), { mode: 0o755 });
  await writeCheck(folder);
  const contact = documentedBlock(PAGE, '', 'define command').replace('/usr/local/bin/tocsin-nagios', script);
  await writeFile(join(folder, 'etc/conf.d/tocsin.cfg'), contact);
  const intervals = documentedBlock(PAGE, '', 'notification_interval  30').replace('30', '2');
  const things = THINGS.replaceAll('DOCUMENTED', intervals).replaceAll('FOLDER', folder);
  await writeFile(join(folder, 'etc/conf.d/things.cfg'), things);
  await writeFile(join(folder, 'etc/resource.cfg'), '');
  await writeFile(join(folder, 'etc/nagios.cfg'), await mainFile(folder));
}

/** Debian's main file with the documented settings and its folders here. It is as quick as a test needs it. */
async function mainFile(folder: string): Promise<string> {
  const documented = documentedBlock(PAGE, '', 'enable_environment_macros=');
  const group = execFileSync('id', ['-gn'], { encoding: 'utf8' }).trim();
  const changed = [
    ...documented.trim().split('\n'),
    ...['interval_length=1', 'check_for_updates=0', 'use_syslog=0', 'check_result_reaper_frequency=1'],
    ...['cached_host_check_horizon=0', 'cached_service_check_horizon=0'],
    ...['max_service_check_spread=1', 'max_host_check_spread=1', `temp_path=${folder}/var`],
    // As root it would become somebody who may not read the folder.
    ...[`nagios_user=${userInfo().username}`, `nagios_group=${group}`],
  ];
  const names = changed.map((line) => line.slice(0, line.indexOf('=') + 1));
  const debian = (await readFile('/etc/nagios4/nagios.cfg', 'utf8'))
    .split('\n')
    .filter((line) => !names.some((name) => line.startsWith(name)))
    .filter((line) => !/objects\/localhost\.cfg|nagios-plugins/.test(line))
    .join('\n')
    .replaceAll('/etc/nagios4', `${folder}/etc`)
    .replaceAll('/var/lib/nagios4', `${folder}/var`)
    .replaceAll('/var/log/nagios4', `${folder}/log`)
    .replaceAll('/var/run/nagios4', `${folder}/run`);
  return `${debian}\n${changed.join('\n')}\n`;
}
