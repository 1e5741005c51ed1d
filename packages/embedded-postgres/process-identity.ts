import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';

/** One certain process: its number, and when it was started, because numbers are used again. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Only to be compared with another one. */
  readonly startedAt: string;
}

const hasProc = process.platform === 'linux';

/** The process that has this number now; undefined when none has, or only one that ended and was not collected. */
export function processWith(pid: number): ProcessIdentity | undefined {
  const startedAt = hasProc ? startInProc(pid) : startFromPs(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

export function isAlive(identity: ProcessIdentity): boolean {
  // Asking `ps` ten times a second would cost more than the question is worth.
  if (!hasProc) return answersSignals(identity.pid);
  return processWith(identity.pid)?.startedAt === identity.startedAt;
}

/** Sends the signal if that process still lives. */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isAlive(identity)) return;
  try {
    process.kill(identity.pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Whether the process is a PostgreSQL server of this cluster: one works inside its cluster directory. */
export function servesCluster(pid: number, cluster: string): boolean {
  try {
    if (hasProc) return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
    return fromPs(pid, 'command').includes(cluster);
  } catch {
    return false;
  }
}

/** See proc_pid_stat(5): the name stands in parentheses and may hold anything; the state follows it, the start is field 22. */
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
