import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import { isDatabaseAway } from '../../db/away.ts';
import type { Clock } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import type { Log } from '../../kit/log.ts';
import { createNewNotices, presentNotice } from '../../notices/inbox.ts';
import type { Authentication, Viewer } from '../../sessions/contract.ts';
import type { OpenDashboards } from '../channels/browser/channel.ts';
import type { Rooms } from './announcements.ts';
import { type Beat, createBeats } from './beats.ts';
import { createChanges } from './changes.ts';
import { createPresence } from './presence.ts';

const LOOK_MS = 500;
/** A dashboard with more unread data than this is disconnected; it reconnects by itself. */
const MOST_UNREAD_BYTES = 1024 * 1024;
/** An event rather than a comment, because scripts in a browser do not see comments. */
const BEAT = 'event: beat\ndata: null\n\n';

export type LiveServices = {
  db: Database;
  clock: Clock;
  log: Log;
  dashboards: OpenDashboards;
  node(): number;
  /** Sends deliveries that wait for dashboards of this process. In processes with an engine, the engine does this. */
  sendWaiting(): Promise<void>;
  stillGood(authentications: readonly Authentication[]): Promise<(authentication: Authentication) => boolean>;
  /** The interval of beats, 20 s by default. */
  beatMs?: number | undefined;
};

/** The dashboards connected to this process. They get alarms, changes of pages and other rooms, and notices. */
export type LiveDashboards = {
  /** Connects a stream of server-sent events. Resolves with its id once alarms would reach it. */
  connect(viewer: Viewer, stream: Writable): Promise<string>;
  /** A dashboard of this person answered a beat on this stream. False when the stream is not connected to this process. */
  heard(streamId: string, userId: string): boolean;
  /** Sends the dashboards of an organization the rooms in which something changed. */
  changed(organizationId: string, rooms: Rooms): void;
  /** Ends every stream and accepts no new ones. */
  stop(): Promise<void>;
};

type Connection = { id: string; viewer: Viewer; stream: Writable; beat: Beat };

export function createLiveDashboards(services: LiveServices): LiveDashboards {
  const { db, clock, log, dashboards, stillGood } = services;
  const presence = createPresence(db, clock, services.node);
  const changes = createChanges();
  const notices = createNewNotices();
  const connections = new Map<string, Connection>();
  const beats = createBeats(services.beatMs);
  const closing = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let looking = false;
  let stopping = false;

  async function look(): Promise<void> {
    await presence.keep();
    await services.sendWaiting();
    const open = [...connections.values()];
    const good = await stillGood(open.map(({ viewer }) => viewer.authentication));
    for (const { viewer, stream } of open) if (!good(viewer.authentication)) stream.end();
    for (const [organizationId, pages] of await changes.look(db, organizationsOf(open)))
      for (const userId of usersOf(open, organizationId))
        dashboards.write(userId, { event: 'pages', data: { pages } });
    for (const notice of await notices.look(db, everyUser(open)))
      dashboards.write(notice.userId, { event: 'notice', data: presentNotice(notice) });
    // While the database is away, answers are refused, so unanswered beats must not count.
    beats.answerable();
  }

  function lookAgain(): void {
    timer = setTimeout(async () => {
      await look().catch((error) =>
        log[isDatabaseAway(error) ? 'debug' : 'error']({ err: error }, 'could not look for changed pages'),
      );
      looking = false;
      keepLooking();
      if (looking) return;
      changes.reset();
      notices.reset();
    }, LOOK_MS);
  }

  /** Continues while a dashboard is connected, or while the list of open dashboards is out of date. */
  function keepLooking(): void {
    if (looking || stopping || (connections.size === 0 && !presence.isBehind())) return;
    looking = true;
    lookAgain();
  }

  /** Sends beats to a dashboard, and closes its connection when it stops answering. */
  function beatOn({ userId }: Viewer, stream: Writable): Beat {
    const to = guarded(stream);
    return beats.add({
      beat: () => to.write(BEAT),
      silent() {
        log.info({ user: userId }, 'a dashboard stopped answering; its connection is closed');
        stream.destroy();
      },
    });
  }

  function disconnect({ id, beat }: Connection, forget: () => void, leave: () => Promise<void>): void {
    forget();
    beat.remove();
    connections.delete(id);
    const left = leave().catch((error) => {
      log.warn(
        { err: error },
        'a closed dashboard stays listed as open until the database accepts writes again',
      );
      keepLooking();
    });
    closing.add(left);
    left.finally(() => closing.delete(left));
  }

  return {
    async connect(viewer, stream) {
      const id = `stream_${randomUUID().replaceAll('-', '')}`;
      if (stopping) {
        stream.end();
        return id;
      }
      makeRoom([...connections.values()], viewer.userId);
      const forget = dashboards.open(viewer.userId, guarded(stream));
      const leave = await presence.enter(viewer).catch((error) => {
        forget();
        keepLooking();
        throw error;
      });
      const connection = { id, viewer, stream, beat: beatOn(viewer, stream) };
      connections.set(id, connection);
      const gone = () => disconnect(connection, forget, leave);
      if (stream.destroyed || stopping) gone();
      else stream.once('close', gone);
      if (stopping) stream.end();
      if (looking) return id;
      looking = true;
      // No change is missed from here on: the dashboard reads everything once after it has connected.
      await Promise.all([changes.look(db, [viewer.organizationId]), notices.look(db, [])]).catch(
        () => undefined,
      );
      lookAgain();
      return id;
    },
    heard(streamId, userId) {
      const connection = connections.get(streamId);
      if (connection?.viewer.userId !== userId) return false;
      connection.beat.answered();
      return true;
    },
    changed(organizationId, rooms) {
      for (const userId of usersOf([...connections.values()], organizationId))
        dashboards.write(userId, { event: 'changed', data: { rooms } });
    },
    async stop() {
      stopping = true;
      const closed = [...connections.values()].map(
        ({ stream }) => new Promise<void>((resolve) => stream.once('close', () => resolve()).end()),
      );
      clearTimeout(timer);
      await Promise.race([Promise.all(closed), new Promise((resolve) => setTimeout(resolve, 2_000).unref())]);
      for (const { stream } of connections.values()) stream.destroy();
      await Promise.all(closing);
    },
  };
}

/** The most connections of one person, and of all people in one process. */
export const MOST_OF_ONE = 20;
const MOST_OF_ALL = 5_000;

/**
 * Ends the oldest connections beyond the limits. The event `replaced` keeps a dashboard from reconnecting
 * automatically.
 */
function makeRoom(connections: readonly Connection[], userId: string): void {
  const open = connections.filter(({ stream }) => !stream.writableEnded);
  const own = open.filter(({ viewer }) => viewer.userId === userId);
  const tooMany = [
    ...own.slice(0, Math.max(0, own.length - MOST_OF_ONE + 1)),
    ...open.slice(0, Math.max(0, open.length - MOST_OF_ALL + 1)),
  ];
  for (const { stream } of new Set(tooMany)) {
    const reason = `You have more than ${MOST_OF_ONE} dashboards open, or this server has too many; the oldest was closed.`;
    stream.end(`event: replaced\ndata: ${JSON.stringify({ reason })}\n\n`);
  }
}

/** A writer that disconnects a dashboard if it does not read its events. */
function guarded(stream: Writable): { write(text: string): void } {
  return {
    write(text) {
      if (stream.writableEnded || stream.destroyed) return;
      if (stream.writableLength > MOST_UNREAD_BYTES) stream.destroy();
      else stream.write(text);
    },
  };
}

function organizationsOf(connections: readonly Connection[]): string[] {
  return [...new Set(connections.map(({ viewer }) => viewer.organizationId))];
}

function everyUser(connections: readonly Connection[]): string[] {
  return [...new Set(connections.map(({ viewer }) => viewer.userId))];
}

function usersOf(connections: readonly Connection[], organizationId: string): Set<string> {
  const theirs = connections.filter(({ viewer }) => viewer.organizationId === organizationId);
  return new Set(theirs.map(({ viewer }) => viewer.userId));
}
