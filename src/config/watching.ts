import { type Read, readAddress, readFlag, readInteger } from '../kit/setting.ts';

/** How the service watches itself, and which external monitor watches it. */
export type WatchSettings = {
  /** How late due work may be before an alarm is raised, in seconds. */
  alarmSeconds: number;
  /** A URL that is called periodically while this process works; null: none. */
  heartbeat: { url: string; seconds: number } | null;
  /** Whether the service pages itself every minute, through the same path as real pages. */
  syntheticPages: boolean;
  /** Free space in the data directory, in MiB, below which only pages and moments are stored. */
  leastFreeMb: number;
  /** The same limit for the size of the database, for a server whose disk cannot be measured; null: no limit. */
  mostDatabaseMb: number | null;
};

export const WATCH_NAMES = [
  'ALARM_SECONDS',
  'HEARTBEAT_URL',
  'HEARTBEAT_SECONDS',
  'SYNTHETIC_PAGES',
  'LEAST_FREE_MB',
  'MOST_DATABASE_MB',
] as const;
type Name = (typeof WATCH_NAMES)[number];

export function readWatching(read: Read<Name>): WatchSettings {
  // The URL contains a secret, so it may have a query and is never shown.
  const url = read('HEARTBEAT_URL') === null ? null : readHeartbeatUrl(read);
  const seconds = readInteger('HEARTBEAT_SECONDS', read, 60, 5, 3_600);
  return {
    alarmSeconds: readInteger('ALARM_SECONDS', read, 30, 5, 3_600),
    heartbeat: url === null ? null : { url, seconds },
    syntheticPages: readFlag('SYNTHETIC_PAGES', read),
    leastFreeMb: readInteger('LEAST_FREE_MB', read, 512, 0, 1_000_000_000),
    mostDatabaseMb:
      read('MOST_DATABASE_MB') === null ? null : readInteger('MOST_DATABASE_MB', read, 0, 1, 1_000_000_000),
  };
}

function readHeartbeatUrl(read: Read<Name>): string | null {
  const withoutQuery: Read<Name> = (name) => read(name)?.replace(/[?#].*$/, '') ?? null;
  readAddress('HEARTBEAT_URL', withoutQuery);
  return read('HEARTBEAT_URL');
}
