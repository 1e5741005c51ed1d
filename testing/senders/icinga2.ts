import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { type Daemon, debianProgram, startDaemon } from '../debian-program.ts';
import { documentedBlock } from '../documented-blocks.ts';
import { type RealSender, watchedFiles, writeCheck } from './sender.ts';

const PAGE = 'integrations/icinga2';

/** An Icinga 2 that is set up by nothing but our page about it, and has these objects. */
export type Icinga = {
  folder: string;
  /** Executes an external command, such as `ACKNOWLEDGE_HOST_PROBLEM;…`. */
  tell(command: string): Promise<void>;
  /** Notifies another URL from now on. */
  notify(url: string): Promise<void>;
  /** Kills the daemon with SIGKILL and starts it again. */
  die(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts one that notifies `url`, and repeats a problem after `interval`. `objects` may run `Here + "/check"`. */
export async function startIcinga(url: string, objects: string, interval = '30m'): Promise<Icinga> {
  const program = debianProgram('icinga2', 'icinga2-bin');
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-icinga-'));
  for (const inside of ['scripts', 'conf.d', 'run', 'data']) await mkdir(join(folder, inside));
  await writeCheck(folder);
  const notify = (to: string) =>
    writeFile(
      join(folder, 'tocsin.conf'),
      documentedBlock(PAGE, '', 'url = "https').replace(/"https:.*"/, JSON.stringify(to)),
    );
  await notify(url);
  const script = documentedBlock(PAGE, '', '#!/bin/sh');
  await writeFile(join(folder, 'scripts', 'tocsin.sh'), script, { mode: 0o755 });
  const notifications = documentedBlock(PAGE, '', 'NotificationCommand').replaceAll(
    'interval = 30m',
    `interval = ${interval}`,
  );
  await writeFile(join(folder, 'conf.d', 'tocsin.conf'), notifications);
  await writeFile(join(folder, 'icinga2.conf'), SURROUNDINGS + objects);
  const pipe = join(folder, 'run', 'icinga2.cmd');
  const start = async (): Promise<Daemon> => {
    await rm(pipe, { force: true });
    return startDaemon(
      program,
      ['daemon', '-c', `${folder}/icinga2.conf`, ...constants(folder)],
      environment(folder),
      () =>
        stat(pipe).then(
          () => true,
          () => false,
        ),
    );
  };
  let daemon = await start();
  return {
    folder,
    tell: (command) => appendFile(pipe, `[${Math.floor(Date.now() / 1_000)}] ${command}\n`),
    notify,
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

const SURROUNDINGS = `
include <itl>
object NotificationComponent "notification" { }
object CheckerComponent "checker" { }
object ExternalCommandListener "command" { command_path = RunFolder + "/icinga2.cmd" }
include "conf.d/*.conf"
`;

function constants(folder: string): string[] {
  const inData = ['LogDir', 'CacheDir', 'SpoolDir', 'DataDir'];
  return [
    ...inData.map((name) => `-DConfiguration.${name}=${folder}/data`),
    `-DConfiguration.InitRunDir=${folder}/run`,
    `-DConfiguration.PidPath=${folder}/run/pid`,
    `-DRunFolder=${folder}/run`,
    `-DConfigDir=${folder}`,
    `-DHere=${folder}`,
  ];
}

function environment(folder: string): Record<string, string> {
  return {
    TOCSIN_CONFIG: join(folder, 'tocsin.conf'),
    // As root it would become somebody who may not read the folder.
    ICINGA2_USER: userInfo().username,
    ICINGA2_GROUP: execFileSync('id', ['-gn'], { encoding: 'utf8' }).trim(),
  };
}

/** A service and a host whose states are in files, checked every second and repeated every two seconds. */
const THINGS = `
object CheckCommand "state" { command = [ Here + "/check", "$name$" ] }
template Host "quick" {
  check_command = "state"
  check_interval = 1s
  retry_interval = 1s
  max_check_attempts = 1
  enable_flapping = false
}
object Host "db-01" { import "quick"; vars.name = "healthy" }
object Host "web-01" { import "quick"; vars.name = "1" }
object Service "disk" {
  host_name = "db-01"
  check_command = "state"
  vars.name = "0"
  check_interval = 1s
  retry_interval = 1s
  max_check_attempts = 1
}
`;

/** Debian's own Icinga 2, which notifies this URL as our page about it says. */
export async function icinga2(url: string): Promise<RealSender> {
  const icinga = await startIcinga(url, THINGS, '2s');
  return {
    titles: ['disk on db-01 is CRITICAL', 'web-01 is DOWN'],
    ...watchedFiles(icinga.folder),
    async acknowledge(thing) {
      const command = ['ACKNOWLEDGE_SVC_PROBLEM;db-01;disk', 'ACKNOWLEDGE_HOST_PROBLEM;web-01'][thing];
      await icinga.tell(`${command};1;1;0;ada;On it`);
    },
    die: icinga.die,
    stop: icinga.stop,
  };
}
