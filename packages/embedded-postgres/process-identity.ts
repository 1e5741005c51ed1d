import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';

/** Identifies a process: its id, and when it was started, because ids are reused. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Only for comparison with another one. */
  readonly startedAt: string;
}

const hasProc = process.platform === 'linux';

/** The process that has this id now; undefined if there is none, or only a zombie. */
export function processWith(pid: number): ProcessIdentity | undefined {
  const startedAt = hasProc ? startInProc(pid) : startFromPs(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

export function isAlive(identity: ProcessIdentity): boolean {
  // Running `ps` ten times a second would be too expensive.
  if (!hasProc) return answersSignals(identity.pid);
  return processWith(identity.pid)?.startedAt === identity.startedAt;
}

/** Sends the signal if that process is still running. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isAlive(identity)) return;
  try {
    process.kill(identity.pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Whether the process is a PostgreSQL server of this cluster, which runs inside the cluster's directory. */
export function servesCluster(pid: number, cluster: string): boolean {
  try {
    if (hasProc) return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
    return fromPs(pid, 'command').includes(cluster);
  } catch {
    return false;
  }
}

/**
 * See proc_pid_stat(5): the name is in parentheses and may contain anything; the state follows it, and field 22 is the
 * start time.
 */
function startInProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ended = fields[0] === 'Z' || fields[0] === 'X';
    return ended ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function startFromPs(pid: number): string | undefined {
  return fromPs(pid, 'lstart') || undefined;
}

function fromPs(pid: number, column: string): string {
  return spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? '';
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
