import { createHash } from 'node:crypto';

/** Part of the name of the socket's file; no TCP port is opened. */
export const SOCKET_PORT = 5432;

/**
 * PostgreSQL's settings, passed on its command line so that nothing in the cluster can weaken them: an accepted page
 * must be on disk, and the machine may be small and shared with other programs.
 */
const SETTINGS: Record<string, string> = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  listen_addresses: '',
  unix_socket_permissions: '0700',
  port: String(SOCKET_PORT),
  max_connections: '100',
  // Plans depend on statistics, and the first storm may come a minute after the installation.
  autovacuum_naptime: '10s',
  shared_buffers: '128MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_wal_size: '512MB',
  huge_pages: 'off',
  jit: 'off',
  // Parallel queries need shared memory in /dev/shm, which containers have little of, and gain nothing on two cores.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  max_logical_replication_workers: '0',
  // A client that hangs in a transaction blocks everybody who waits for its rows.
  idle_in_transaction_session_timeout: '60s',
  client_connection_check_interval: '10s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_checkpoints: 'off',
  // The details of an error quote rows, but addresses and texts of pages must not be logged.
  log_error_verbosity: 'terse',
};

/**
 * The settings as command-line arguments. `tocsin.start` is a fingerprint of the settings and the version, by which a
 * server recognizes a running PostgreSQL that was started with the same ones.
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
