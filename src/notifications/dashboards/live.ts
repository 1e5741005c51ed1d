import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import { isDatabaseAway } from '../../db/away.ts';
import type { Clock } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import type { Log } from '../../kit/log.ts';
import { createNews } from '../../notices/news.ts';
import { presentNotice } from '../../notices/present.ts';
import type { Pass, Viewer } from '../../sessions/contract.ts';
import type { OpenDashboards } from '../channels/browser.ts';
import { type Beat, createBeats } from './beats.ts';
import { createChanges } from './changes.ts';
import type { Rooms } from './news.ts';
import { createPresence } from './presence.ts';

const LOOK_MS = 500;
/** A dashboard that reads so slowly is as good as gone; it connects again when it is back. */
const MOST_UNREAD_BYTES = 1024 * 1024;
/** An event, not a comment: scripts in a browser do not see comments. */
const BEAT = 'event: beat\ndata: null\n\n';

export type LiveServices = {
  db: Database;
  clock: Clock;
  log: Log;
  dashboards: OpenDashboards;
  node(): number;
  /** Sends what waits for dashboards of this process; for processes that run no engine, which would. */
  sendWaiting(): Promise<void>;
  stillGood(passes: readonly Pass[]): Promise<(pass: Pass) => boolean>;
  /** Tests beat faster; left out, the usual 20 s. */
  beatMs?: number | undefined;
};

/** Dashboards that are connected to this process: alarms of their person, word of pages that changed, and what they are told. */
export type LiveDashboards = {
  /** Connects a stream of server-sent events; resolves with the id of the stream when alarms would reach it. */
  connect(viewer: Viewer, stream: Writable): Promise<string>;
  /** A dashboard of this person answered a beat on this stream. False when the stream is not connected to this process. */
  heard(streamId: string, userId: string): boolean;
  /** Tells the dashboards of an organization that something changed in these rooms. */
  changed(organizationId: string, rooms: Rooms): void;
  /** Ends every stream and takes no more. */
  stop(): Promise<void>;
};

type Connection = { id: string; viewer: Viewer; stream: Writable; beat: Beat };

export function createLiveDashboards(services: LiveServices): LiveDashboards {
  const { db, clock, log, dashboards, stillGood } = services;
  const presence = createPresence(db, clock, services.node);
  const changes = createChanges();
  const news = createNews();
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
    const good = await stillGood(open.map(({ viewer }) => viewer.pass));
    for (const { viewer, stream } of open) if (!good(viewer.pass)) stream.end();
    for (const [organizationId, pages] of await changes.look(db, organizationsOf(open)))
      for (const userId of usersOf(open, organizationId))
        dashboards.write(userId, { event: 'pages', data: { pages } });
    for (const notice of await news.look(db, everyUser(open)))
      dashboards.write(notice.userId, { event: 'notice', data: presentNotice(notice) });
    // While the database is away answers are refused: then nobody who gives them may be taken for silent.
    beats.answerable();
  }

  function lookAgain(): void {
    timer = setTimeout(async () => {
      await look().catch((error) =>
        log[isDatabaseAway(error) ? 'debug' : 'error']({ err: error }, 'looking for changed pages failed'),
      );
      looking = false;
      keepLooking();
      if (looking) return;
      changes.reset();
      news.reset();
    }, LOOK_MS);
  }

  /** Goes on looking while somebody is connected, and while the list of open dashboards is behind. */
  function keepLooking(): void {
    if (looking || stopping || (connections.size === 0 && !presence.isBehind())) return;
    looking = true;
    lookAgain();
  }

  /** Sends this dashboard its beats, and closes its connection when they are no longer answered. */
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
        'a closed dashboard is listed as open until the database can be written again',
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
      // From here on nothing that changes is missed: the dashboard reads everything once after this.
      await Promise.all([changes.look(db, [viewer.organizationId]), news.look(db, [])]).catch(
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

/** Tabs and devices of one person; of all people in one process. */
export const MOST_OF_ONE = 20;
const MOST_OF_ALL = 5_000;

/** Ends the oldest connections that are too many, and tells them why: a dashboard that is told does not come back by itself. */
function makeRoom(connections: readonly Connection[], userId: string): void {
  const open = connections.filter(({ stream }) => !stream.writableEnded);
  const own = open.filter(({ viewer }) => viewer.userId === userId);
  const tooMany = [
    ...own.slice(0, Math.max(0, own.length - MOST_OF_ONE + 1)),
    ...open.slice(0, Math.max(0, open.length - MOST_OF_ALL + 1)),
  ];
  for (const { stream } of new Set(tooMany)) {
    const reason = `More than ${MOST_OF_ONE} dashboards of yours are open, or too many of all people; this one was the oldest.`;
    stream.end(`event: replaced\ndata: ${JSON.stringify({ reason })}\n\n`);
  }
}

/** Writes only what a dashboard keeps reading. */
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
