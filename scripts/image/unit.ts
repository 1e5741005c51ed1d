import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { webhookReceiver } from '../../testing/fakes/webhook-receiver.ts';
import { freePort } from '../../testing/free-port.ts';
import { attempt, BUILD, root, run } from './commands.ts';
import { packageFile } from './debian-package.ts';
import { HOST, type Platform } from './platform.ts';
import type { Report } from './report.ts';
import { organization } from './try-image.ts';
import type { Probed } from './unit-probe.ts';

const SYSTEM = join(BUILD, 'system');
/** The dependencies of the package, and systemd, so that nothing has to be downloaded inside. */
const PACKAGES = 'systemd-sysv,dbus,adduser,libatomic1,libstdc++6';

type Ports = { port: number; uploadPort: number };

/** The system runs the probe once it has started, and powers off. */
const probeUnit = ({ port, uploadPort }: Ports) => `[Unit]
After=network.target
[Service]
Type=oneshot
ExecStartPre=/usr/bin/touch /booted
ExecStartPre=/usr/bin/dpkg --install /tocsin.deb
ExecStartPre=/bin/sh -c 'printf "ALLOW_PRIVATE_WEBHOOKS=true\\nPORT=${port}\\nUPLOAD_PORT=${uploadPort}\\n" >> /etc/tocsin/environment'
ExecStart=/usr/lib/tocsin/node_modules/node/bin/node /unit-probe.ts ${port}
ExecStopPost=/bin/systemctl --no-block poweroff
`;

/**
 * Boots a Debian with systemd, installs the package, and starts the service by its unit, whose restrictions apply only
 * there. The system shares this machine's network, so that a page can arrive here.
 */
export async function tryUnit(report: Report, platform: Platform): Promise<void> {
  if (platform !== HOST) {
    report.couldNot(
      `The unit was not started on ${platform.name}, because systemd does not boot under emulation; run this on such a machine.`,
    );
    return;
  }
  const missing = ['systemd-nspawn', 'unshare'].find((name) => !attempt(name, ['--version']).ok);
  if (missing) {
    report.couldNot(`The unit was not started, because ${missing} is not installed.`);
    return;
  }
  const receiver = await webhookReceiver();
  try {
    makeSystem({ port: await freePort(), uploadPort: await freePort() }, receiver.url);
    const booted = boot();
    if (!existsSync(join(SYSTEM, 'booted'))) {
      report.couldNot(`The unit was not started, because the system did not boot: ${booted.slice(-300)}`);
      return;
    }
    const file = join(SYSTEM, 'probed.json');
    if (!existsSync(file)) throw new Error('the package could not be installed, or its Node.js does not run');
    const probed = JSON.parse(readFileSync(file, 'utf8')) as Probed;
    if (probed.error !== null) throw new Error(probed.error);
    if (probed.user !== 'tocsin') throw new Error(`the unit runs as ${probed.user}, not as tocsin`);
    await receiver.next();
    report.fact(
      `systemd starts the unit as the user ${probed.user}: ready after ${probed.ready.toFixed(1)} s, and a page arrived.`,
    );
    report.fact(
      `After SIGKILL it was ready again in ${probed.readyAfterKill.toFixed(1)} s; systemctl stop took ${probed.stopped.toFixed(1)} s.`,
    );
  } finally {
    await receiver.stop();
    rmSync(SYSTEM, { recursive: true, force: true });
  }
}

function makeSystem(ports: Ports, webhook: string): void {
  const archive = join(BUILD, 'debian-systemd.tar');
  if (!existsSync(archive))
    run('mmdebstrap', ['--variant=minbase', `--include=${PACKAGES}`, 'trixie', archive]);
  rmSync(SYSTEM, { recursive: true, force: true });
  mkdirSync(SYSTEM, { recursive: true });
  run('tar', ['--extract', '--file', archive, '--directory', SYSTEM]);
  cpSync(packageFile(HOST), join(SYSTEM, 'tocsin.deb'));
  cpSync(join(root, 'scripts/image/unit-probe.ts'), join(SYSTEM, 'unit-probe.ts'));
  writeFileSync(join(SYSTEM, 'acme.yaml'), organization(webhook));
  const units = join(SYSTEM, 'etc/systemd/system');
  writeFileSync(join(units, 'probe.service'), probeUnit(ports));
  const wanted = join(units, 'multi-user.target.wants');
  mkdirSync(wanted, { recursive: true });
  run('ln', ['-sf', '../probe.service', join(wanted, 'probe.service')]);
}

/**
 * Returns the output. systemd needs the unified hierarchy of control groups, which this mounts for itself if necessary.
 */
function boot(): string {
  const unified = 'stat -fc %T /sys/fs/cgroup | grep -q cgroup2fs';
  const mounted = 'umount --recursive /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup';
  const system =
    'timeout 400 systemd-nspawn --quiet --register=no --keep-unit --console=pipe --boot --directory';
  const { output } = attempt('unshare', [
    '--mount',
    'sh',
    '-c',
    `{ ${unified} || { ${mounted}; }; } && exec ${system} "$1" </dev/null`,
    'sh',
    SYSTEM,
  ]);
  return output;
}
