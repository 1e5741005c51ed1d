import type { Room } from '../../worker/room.ts';
import { type Finding, fine, note, problem } from './finding.ts';

export type DatabaseFacts = {
  /** `server_version_num`, such as 180004. */
  versionNumber: number;
  version: string;
  fsync: string;
  synchronousCommit: string;
  fullPageWrites: string;
};

const OLDEST_VERSION = 150_000;

/** Whether what the database calls saved is saved. */
export function databaseFindings(facts: DatabaseFacts): Finding[] {
  const settings: [string, string, string][] = [
    ['fsync', facts.fsync, 'an accepted page may be lost when the machine loses power'],
    ['full_page_writes', facts.fullPageWrites, 'the database may be damaged when the machine loses power'],
  ];
  const findings = settings
    .filter(([, value]) => value !== 'on')
    .map(([name, value, danger]) =>
      problem('database', `${name} is ${value}: ${danger}`, `set ${name} = on in postgresql.conf and reload`),
    );
  if (facts.synchronousCommit === 'off') {
    const fix = 'set synchronous_commit = on in postgresql.conf, and for the role and database, and reload';
    findings.push(
      problem('database', 'synchronous_commit is off: pages of the last moment may be lost', fix),
    );
  }
  if (facts.versionNumber < OLDEST_VERSION)
    findings.push(
      problem('database', `PostgreSQL ${facts.version} is too old`, 'move to PostgreSQL 15 or later'),
    );
  return findings.length > 0
    ? findings
    : [fine('database', `PostgreSQL ${facts.version} keeps what it accepts`)];
}

/** Whether there is room for what comes in. */
export function roomFindings({ shortages, sentence }: Pick<Room, 'shortages' | 'sentence'>): Finding[] {
  const found = shortages().map(({ message, effect, fix }) =>
    problem('database', `${message} ${effect}`, fix),
  );
  return found.length > 0 ? found : [fine('database', `room: ${sentence()}`)];
}

/** `names`: what is applied while a server runs, and is not yet. */
export function schemaFindings(names: readonly string[]): Finding[] {
  if (names.length === 0) return [];
  return [
    note(
      'database',
      `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not applied yet: lists may be slow`,
      'leave a server running: it builds indexes beside its work; its log says when it begins and ends, or why it cannot',
    ),
  ];
}

/** Signatures and links live for minutes: beyond these, something stops working. */
const SKEW_NOTE_MS = 2_000;
const SKEW_PROBLEM_MS = 60_000;

/** `skewMs`: this machine's time less the database's. */
export function clockFindings(skewMs: number): Finding[] {
  const seconds = Math.abs(skewMs / 1_000).toFixed(1);
  const message = `this machine is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the database`;
  const fix = 'let both keep their time by NTP (timedatectl, chronyc tracking)';
  if (Math.abs(skewMs) >= SKEW_PROBLEM_MS) return [problem('clock', message, fix)];
  if (Math.abs(skewMs) >= SKEW_NOTE_MS) return [note('clock', message, fix)];
  return [fine('clock', 'this machine and the database agree on the time')];
}

export type QueueFacts = {
  /** How late the oldest due row is, in seconds; 0 when nothing waits. */
  stepSeconds: number;
  deliverySeconds: number;
  notificationSeconds: number;
  /** Processes that run now, by role. */
  nodes: { role: string; host: string }[];
};

const LATE_SECONDS = 10;

export function queueFindings({
  stepSeconds,
  deliverySeconds,
  notificationSeconds,
  nodes,
}: QueueFacts): Finding[] {
  const working = nodes.some(({ role }) => role !== 'api');
  const fix = working
    ? 'look at the log of the workers, and at /readyz: they run but do not keep up'
    : 'start a server: npm start, or tocsin serve --role worker';
  const late: [string, number][] = [
    ['step of a page', stepSeconds],
    ['notification to a person', deliverySeconds],
    ['call of a webhook', notificationSeconds],
  ];
  const findings = late
    .filter(([, seconds]) => seconds > LATE_SECONDS)
    .map(([what, seconds]) => problem('queue', `a ${what} has been due for ${Math.round(seconds)} s`, fix));
  return [
    ...(findings.length > 0 ? findings : [fine('queue', 'nothing waits longer than it should')]),
    serverFinding(nodes, working),
  ];
}

function serverFinding(nodes: QueueFacts['nodes'], working: boolean): Finding {
  if (nodes.length === 0)
    return note('server', 'no server runs now: nobody can be paged', 'start one: npm start, or tocsin serve');
  const names = nodes.map(({ role, host }) => `${role} on ${host}`).join(', ');
  if (working) return fine('server', `running: ${names}`);
  return problem(
    'server',
    `no worker runs, only ${names}: pages wait`,
    'start one: tocsin serve --role worker',
  );
}
