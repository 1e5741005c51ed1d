import { type Read, readAddress, readFlag, readInteger } from './reading.ts';

/** How the service watches itself, and who watches it. */
export type WatchSettings = {
  /** How late due work may be before somebody is told. */
  alarmSeconds: number;
  /** Called again and again while this process works; null: nobody is. */
  heartbeat: { url: string; seconds: number } | null;
  /** Pages itself every minute, through the whole path. */
  syntheticPages: boolean;
};

export const WATCH_NAMES = [
  'ALARM_SECONDS',
  'HEARTBEAT_URL',
  'HEARTBEAT_SECONDS',
  'SYNTHETIC_PAGES',
] as const;
type Name = (typeof WATCH_NAMES)[number];

export function readWatching(read: Read<Name>): WatchSettings {
  // The address carries the sender's secret, so that it may have a query; it is never told.
  const url = read('HEARTBEAT_URL') === null ? null : readHeartbeatUrl(read);
  const seconds = readInteger('HEARTBEAT_SECONDS', read, 60, 5, 3_600);
  return {
    alarmSeconds: readInteger('ALARM_SECONDS', read, 30, 5, 3_600),
    heartbeat: url === null ? null : { url, seconds },
    syntheticPages: readFlag('SYNTHETIC_PAGES', read),
  };
}

function readHeartbeatUrl(read: Read<Name>): string | null {
  const withoutQuery: Read<Name> = (name) => read(name)?.replace(/[?#].*$/, '') ?? null;
  readAddress('HEARTBEAT_URL', withoutQuery);
  return read('HEARTBEAT_URL');
}
