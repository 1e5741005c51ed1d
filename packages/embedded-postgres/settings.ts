import { createHash } from 'node:crypto';

/** Names, among other things, the socket's file; no port of the network is opened. */
export const SOCKET_PORT = 5432;

/**
 * PostgreSQL's settings, given on its command line so that nothing in the cluster can weaken them: an accepted page is
 * on disk, and the machine may be a small one that does other things, too.
 */
const SETTINGS: Record<string, string> = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  listen_addresses: '',
  unix_socket_permissions: '0700',
  port: String(SOCKET_PORT),
  max_connections: '100',
  // How statements are carried out is decided by what the tables were last seen to hold, and the first storm may come a
  // minute after the installation.
  autovacuum_naptime: '10s',
  shared_buffers: '128MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_wal_size: '512MB',
  huge_pages: 'off',
  jit: 'off',
  // Parallel queries need shared memory in /dev/shm, of which containers have little, and two cores gain nothing.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  max_logical_replication_workers: '0',
  // A client that hangs inside a transaction holds up everyone who waits for its rows.
  idle_in_transaction_session_timeout: '60s',
  client_connection_check_interval: '10s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_checkpoints: 'off',
  // Details of an error quote values of rows: addresses and texts of pages do not belong into a log.
  log_error_verbosity: 'terse',
};

/**
 * The command line's settings. `tocsin.start` carries a fingerprint of them and of the version, by which a server
 * recognises whether a PostgreSQL that it finds running was started as it would start it.
 */
export function settingArguments(
  extra: Record<string, string>,
  version: string,
  socketDirectory: string,
): string[] {
  const settings = {
    ...SETTINGS,
    ...extra,
    'tocsin.start': fingerprint(extra, version),
    unix_socket_directories: `"${socketDirectory.replaceAll('"', '""')}"`,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

export function fingerprint(extra: Record<string, string>, version: string): string {
  return createHash('sha256')
    .update(JSON.stringify([SETTINGS, extra, version]))
    .digest('hex')
    .slice(0, 16);
}
