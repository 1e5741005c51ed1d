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

/** Checks that the database's commits are durable. */
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
    findings.push(problem('database', 'synchronous_commit is off: the latest pages may be lost', fix));
  }
  if (facts.versionNumber < OLDEST_VERSION)
    findings.push(
      problem('database', `PostgreSQL ${facts.version} is too old`, 'move to PostgreSQL 15 or later'),
    );
  return findings.length > 0
    ? findings
    : [fine('database', `PostgreSQL ${facts.version} stores commits durably`)];
}

/** Checks that there is enough free space. */
export function roomFindings({ shortages, sentence }: Pick<Room, 'shortages' | 'sentence'>): Finding[] {
  const found = shortages().map(({ message, effect, fix }) =>
    problem('database', `${message} ${effect}`, fix),
  );
  return found.length > 0 ? found : [fine('database', `room: ${sentence()}`)];
}

export type ReplicationFacts = {
  /** The number of standbys that replicate this server now. */
  standbys: number;
  /** The number of standbys that commits wait for; null if the role may not see it. */
  synchronous: number | null;
  /** `synchronous_standby_names`. */
  names: string;
  synchronousCommit: string;
};

/** Checks whether a promoted standby would have everything that was answered with 200. */
export function replicationFindings(facts: ReplicationFacts): Finding[] {
  if (facts.standbys === 0) return [];
  const copies = facts.standbys === 1 ? 'a standby copies' : `${facts.standbys} standbys copy`;
  const danger =
    'after a failover, the latest pages may be missing, unless the process that accepted them still runs';
  if (facts.names.trim() === '' || facts.synchronous === 0)
    return [
      note(
        'database',
        `${copies} this database asynchronously: ${danger}`,
        'set synchronous_standby_names (in Patroni: synchronous_mode: true); docs/failover.md says what it costs',
      ),
    ];
  if (facts.synchronousCommit === 'local')
    return [
      note(
        'database',
        `synchronous_commit is local, so that no commit waits for a standby: ${danger}`,
        'set synchronous_commit = on in postgresql.conf, and for the role and database, and reload',
      ),
    ];
  return [fine('database', `${copies} this database, and commits wait for it`)];
}

/** `names`: migrations that run while a server runs and were not applied yet. */
export function schemaFindings(names: readonly string[]): Finding[] {
  if (names.length === 0) return [];
  return [
    note(
      'database',
      `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not applied yet: lists may be slow`,
      'leave a server running: it builds indexes while it works; its log shows when it begins and ends, or why it cannot',
    ),
  ];
}

/** Signatures and links are valid for minutes; with a larger difference of the clocks, some stop working. */
const SKEW_NOTE_MS = 2_000;
const SKEW_PROBLEM_MS = 60_000;

/** `skewMs`: this machine's time minus the database's. */
export function clockFindings(skewMs: number): Finding[] {
  const seconds = Math.abs(skewMs / 1_000).toFixed(1);
  const message = `this machine is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the database`;
  const fix = 'synchronize both clocks by NTP (timedatectl, chronyc tracking)';
  if (Math.abs(skewMs) >= SKEW_PROBLEM_MS) return [problem('clock', message, fix)];
  if (Math.abs(skewMs) >= SKEW_NOTE_MS) return [note('clock', message, fix)];
  return [fine('clock', 'this machine and the database agree on the time')];
}

export type QueueFacts = {
  /** How late the oldest due row is, in seconds; 0 when nothing waits. */
  stepSeconds: number;
  deliverySeconds: number;
  callSeconds: number;
  /** Running processes by role. `publicUrl` is the base of links, if the process has one. */
  nodes: RunningNode[];
};

export type RunningNode = { role: string; host: string; publicUrl?: string | null };

/** Checks that links in messages lead to a running server. */
export function addressFindings(nodes: readonly RunningNode[]): Finding[] {
  const serving = nodes.filter(({ role }) => role !== 'worker');
  const urls = [...new Set(nodes.flatMap(({ publicUrl }) => publicUrl ?? []))].sort();
  const [url] = urls;
  if (url === undefined) return [];
  const fix = 'set PUBLIC_URL to the address at which people reach the service, the same for all processes';
  if (urls.length > 1)
    return [
      problem(
        'server',
        `the processes disagree on where links in messages lead: ${urls.join(', ')}; some lead nowhere`,
        fix,
      ),
    ];
  const elsewhere = new Set(nodes.map(({ host }) => host)).size > 1;
  if (isLoopback(url))
    return [
      elsewhere || serving.length === 0
        ? problem('server', `links in messages lead to ${url}, which other machines cannot open`, fix)
        : note('server', `links in messages lead to ${url}, which opens on this machine only`, fix),
    ];
  return [fine('server', `links in messages lead to ${url}`)];
}

function isLoopback(url: string): boolean {
  const host = new URL(url).hostname;
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}

const LATE_SECONDS = 10;

export function queueFindings({ stepSeconds, deliverySeconds, callSeconds, nodes }: QueueFacts): Finding[] {
  const working = nodes.some(({ role }) => role !== 'api');
  const fix = working
    ? 'check the log of the workers and /readyz: they run but do not keep up'
    : 'start a server: npm start, or tocsin serve --role worker';
  const late: [string, number][] = [
    ['step of a page', stepSeconds],
    ['notification to a person', deliverySeconds],
    ['call of a webhook', callSeconds],
  ];
  const findings = late
    .filter(([, seconds]) => seconds > LATE_SECONDS)
    .map(([what, seconds]) => problem('queue', `a ${what} has been due for ${Math.round(seconds)} s`, fix));
  return [
    ...(findings.length > 0 ? findings : [fine('queue', 'nothing waits too long')]),
    serverFinding(nodes, working),
  ];
}

function serverFinding(nodes: readonly RunningNode[], working: boolean): Finding {
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
