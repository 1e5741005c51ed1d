import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { LOCK } from '../../src/db/advisory-locks.ts';
import { isDatabaseAway } from '../../src/db/away.ts';
import { MovableClock } from '../../src/db/clock.ts';
import { createDatabase, createPool } from '../../src/db/database.ts';
import { createLog } from '../../src/kit/log.ts';
import { createSealing } from '../../src/kit/sealing.ts';
import type { TestDatabase } from '../../testing/database.ts';
import { type FakeSmtp, fakeSmtp } from '../../testing/fakes/fake-smtp.ts';
import { type FakeTwilio, fakeTwilio } from '../../testing/fakes/fake-twilio.ts';
import { type WebhookReceiver, webhookReceiver } from '../../testing/fakes/webhook-receiver.ts';
import { freePort } from '../../testing/free-port.ts';
import type { Seeding } from '../../testing/organization.ts';
import { type StatementProxy, statementProxy } from '../statements.ts';
import type { Death, Manner, NodeName } from './history.ts';
import type { OwnServer } from './lane.ts';

/**
 * How long it may take until another node takes over the work of a dead node. Real time: PostgreSQL has to notice its
 * closed connections.
 */
const TAKEN_OVER_WITHIN_MS = 20_000;

/** Long enough for a request to be sent, and shorter than the service needs for most requests. Real time. */
const CUT_AFTER_MS = 3;

export type Answered = { status: number; body: Record<string, unknown> };

/**
 * Two nodes of the real service in this process, whose clock is moved, with a network to the database that can be cut between two
 * statements, and receivers that behave as they are told. Many histories use it, one after the other.
 */
export type Service = Seeding & {
  clock: MovableClock;
  receiver: WebhookReceiver;
  mail: FakeSmtp;
  twilio: FakeTwilio;
  /** How the receiver at each path answers, and Twilio for each number. */
  manners: Map<string, Manner>;
  url(node: NodeName): Promise<string>;
  /** Null when no answer came. */
  call(
    node: NodeName,
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    /** `isCut`: the connection is cut as soon as the request has left. */
    of: { headers: Record<string, string>; body?: unknown; form?: string; isCut?: boolean },
  ): Promise<Answered | null>;
  /** Lets a node die at its statements from now on, until `spare`. */
  doom(death: Death): void;
  /** Returns whether the node died. */
  spare(): boolean;
  /** Refuses all connections of these nodes until `databaseIsBack`. */
  databaseIsAway(names: readonly NodeName[]): void;
  databaseIsBack(): Promise<void>;
  /** A switchover begins: the server that the nodes reach takes no writes until `switchedOver`. All their connections break. */
  switchesOver(): Promise<void>;
  switchedOver(): Promise<void>;
  /** Lets the nodes look for work, although they can do none. */
  lookInVain(): Promise<void>;
  /** Works until nothing is due, even if nodes die meanwhile. */
  settle(): Promise<void>;
  /** Errors that the nodes logged since the last time. */
  takeErrors(): string[];
  end(): Promise<void>;
};

type Node = {
  name: NodeName;
  proxy: StatementProxy;
  port: number;
  app: App | null;
  ending: Promise<void> | null;
  /** The network to the database is cut. */
  isCutOff: boolean;
  /** Resolves when it dies. */
  death: PromiseWithResolvers<void>;
};

/** Without `server`, other tests use the server of the database, so only connections to this database break. */
export async function serviceOn(database: TestDatabase, server?: OwnServer): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tocsin-histories-'));
  const masterKey = randomBytes(32);
  const sealing = createSealing(masterKey);
  const clock = new MovableClock();
  const manners = new Map<string, Manner>();
  const receiver = await webhookReceiver({ answerFor: (path) => answerOf(manners.get(path) ?? 'accepts') });
  const mail = await fakeSmtp();
  const publicUrl = `http://127.0.0.1:${await freePort()}`;
  const twilio = await fakeTwilio({
    publicUrl,
    answerFor: (to) => answerAbout(manners.get(to) ?? 'accepts'),
  });
  const errors: string[] = [];
  const pool = createPool({ connection: { connectionString: database.url }, max: 4, name: 'histories' });
  const db = createDatabase(pool);
  // Only acts move the clock, so the times of steps can be predicted exactly.
  await clock.stop(db);
  const direct = new URL(database.url);
  const nodes: Record<NodeName, Node> = { first: await made('first'), second: await made('second') };
  /** Nodes died or lost the database, so others may have to take over their work. */
  let hasLost = false;
  /** A client gave up a request, so a node may still be at work on it after everything else is done. */
  let isUnderWay = false;
  let doomed: { node: Node; died: boolean } | null = null;

  async function made(name: NodeName): Promise<Node> {
    const proxy = await statementProxy({ host: direct.hostname, port: Number(direct.port) });
    return {
      name,
      proxy,
      port: await freePort(),
      app: null,
      ending: null,
      isCutOff: false,
      death: Promise.withResolvers(),
    };
  }

  async function start(node: Node): Promise<App> {
    await node.ending;
    node.ending = null;
    if (node.app) return node.app;
    const through = new URL(direct);
    through.hostname = '127.0.0.1';
    through.port = String(node.proxy.port);
    const config = readConfig({
      ...{ PORT: String(node.port), UPLOAD_PORT: String(await freePort()), DATA_DIR: dataDir },
      ...{ DATABASE_URL: through.href, SECRET_KEY: masterKey.toString('base64') },
      ...{
        ALLOW_PRIVATE_WEBHOOKS: 'true',
        LOG_LEVEL: 'error',
        PUBLIC_URL: publicUrl,
        ...mail.env,
        ...twilio.env,
      },
      ...{ RATE_LIMIT_PER_SECOND: '100000', RATE_LIMIT_BURST: '100000' },
    });
    const death = Promise.withResolvers<void>();
    let isDead = false;
    death.promise.then(() => {
      isDead = true;
    });
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        // A dead process logs nothing.
        if (!isDead) errors.push(chunk.toString('utf8').trim());
        done();
      },
    });
    const app = await createApp({
      ...{ config, clock, automatic: false, log: createLog('error', sink) },
      connection: { connectionString: through.href },
      // A slow machine must not look like a process that stood still.
      elapsedMs: () => 0,
    });
    await app.listen();
    node.app = app;
    node.death = death;
    return app;
  }

  /**
   * The kernel closes the connections and locks of a dead process. Here, this process has to end the node itself,
   * because the node can no longer do anything.
   */
  function kill(node: Node): void {
    const { app } = node;
    hasLost = true;
    node.app = null;
    node.death.resolve();
    node.proxy.refuse();
    node.ending = (async () => {
      await app?.stop().catch(() => undefined);
      node.proxy.mend();
    })();
  }

  const living = () => Object.values(nodes).filter(({ app }) => app !== null);
  const working = () => living().filter(({ isCutOff }) => !isCutOff);

  /** Rows that a node holds, or that are due but held by no node. */
  async function isWorkLeft(): Promise<boolean> {
    const { rows } = await sql<{ left: boolean }>`
      select exists (select from deliveries where state = 'sending' or state in ('waiting', 'retrying') and due_at <= ${clock.sql})
        or exists (select from received_notifications where state = 'queued' and (due_at <= ${clock.sql} or claimed_by is not null))
        or exists (select from page_steps where state = 'due' and due_at <= ${clock.sql})
        or exists (select from waiting_pages where due_at <= ${clock.sql})
        or exists (select from all_clears where state = 'waiting' and due_at <= ${clock.sql}) as left`.execute(
      db,
    );
    return rows[0]?.left === true;
  }

  function reportUnlessLost(error: unknown): void {
    if (!hasLost) errors.push(`a node could not do what is due: ${(error as Error).stack}`);
  }

  async function settle(): Promise<void> {
    const deadline = performance.now() + TAKEN_OVER_WITHIN_MS;
    for (;;) {
      await Promise.all(Object.values(nodes).map(({ ending }) => ending));
      if (working().length === 0) await start(nodes.first.isCutOff ? nodes.second : nodes.first);
      // A node that is cut off waits for answers that never arrive.
      await Promise.all(
        working().map(({ app, death }) =>
          Promise.race([app?.engine.drain().catch(reportUnlessLost), death.promise]),
        ),
      );
      if (!hasLost && !isUnderWay) return;
      await Promise.all(Object.values(nodes).map(({ ending }) => ending));
      if (working().length > 0 && !(await isWorkLeft())) {
        hasLost = false;
        isUnderWay = false;
        return;
      }
      if (performance.now() > deadline) throw new Error('something that is due is still left');
      await delay(5);
    }
  }

  return {
    ...{ db, clock, sealing, receiver, mail, twilio, manners },
    async url(name) {
      await start(nodes[name]);
      return `http://127.0.0.1:${nodes[name].port}`;
    },
    async call(name, method, path, { headers, body, form, isCut = false }) {
      try {
        await start(nodes[name]);
      } catch (error) {
        // A node that died during a switchover cannot start before its end.
        if (isDatabaseAway(error)) return null;
        throw error;
      }
      const content = form ?? (body === undefined ? undefined : JSON.stringify(body));
      const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
      const cut = new AbortController();
      isUnderWay ||= isCut;
      if (isCut) setTimeout(() => cut.abort(), CUT_AFTER_MS);
      try {
        const response = await fetch(`http://127.0.0.1:${nodes[name].port}${path}`, {
          method,
          headers: { ...headers, ...(content === undefined ? {} : { 'content-type': type }) },
          ...(content === undefined ? {} : { body: content }),
          signal: cut.signal,
        });
        const text = await response.text();
        return {
          status: response.status,
          body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
        };
      } catch {
        return null;
      }
    },
    doom({ node: name, statement, when }) {
      const node = nodes[name];
      const mine = { node, died: false };
      doomed = mine;
      let left = statement;
      node.proxy.cutAt = (moment) => {
        if (moment.when !== when || !node.app || --left > 0) return false;
        mine.died = true;
        node.proxy.cutAt = null;
        kill(node);
        return true;
      };
    },
    spare() {
      const { node, died: hasDied } = doomed ?? { node: null, died: false };
      if (node) node.proxy.cutAt = null;
      doomed = null;
      return hasDied;
    },
    databaseIsAway(names) {
      for (const name of names) {
        hasLost = true;
        nodes[name].isCutOff = true;
        nodes[name].proxy.refuse();
      }
    },
    async databaseIsBack() {
      if (Object.values(nodes).every(({ isCutOff }) => isCutOff)) await server?.kill();
      const cut = Object.values(nodes).filter(({ isCutOff }) => isCutOff);
      // Some of their connections may not know yet that they broke.
      hasLost ||= cut.length > 0;
      for (const node of cut) {
        node.isCutOff = false;
        if (!node.ending) node.proxy.mend();
      }
      if (cut.length > 0) await registered();
    },
    async switchesOver() {
      hasLost = true;
      if (server) await server.standBy();
      else await setReadOnly(true);
    },
    async switchedOver() {
      if (server) await server.promote();
      else await setReadOnly(false);
      await registered();
    },
    async lookInVain() {
      await Promise.all(
        working().map(({ app }) =>
          app?.engine.drain().catch((error: unknown) => {
            if (!isDatabaseAway(error)) errors.push(`a node failed at a standby: ${(error as Error).stack}`);
          }),
        ),
      );
    },
    settle,
    takeErrors: () => errors.splice(0),
    async end() {
      await Promise.all(Object.values(nodes).map(({ ending }) => ending));
      await Promise.all(living().map(({ app }) => app?.stop()));
      for (const { proxy } of Object.values(nodes)) await proxy.stop();
      await receiver.stop();
      await mail.stop();
      await twilio.stop();
      await db.destroy();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };

  /** Sessions keep the setting with which they began, so those of the nodes end. */
  async function setReadOnly(isReadOnly: boolean): Promise<void> {
    await db.connection().execute(async (session) => {
      const name = sql.id(direct.pathname.slice(1));
      await sql`set default_transaction_read_only = off`.execute(session);
      await sql`alter database ${name} ${sql.raw(isReadOnly ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only')}`.execute(
        session,
      );
      await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and application_name like 'tocsin %'`.execute(session);
    });
  }

  /** Waits until each living node holds its lock again, because it leases nothing before that. */
  async function registered(): Promise<void> {
    const deadline = performance.now() + TAKEN_OVER_WITHIN_MS;
    while (performance.now() < deadline) {
      const { rows } = await sql<{ held: number }>`
        select count(*)::integer as held from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = current_database() and l.locktype = 'advisory' and l.classid = ${LOCK.node}::oid and l.granted`.execute(
        db,
      );
      if ((rows[0]?.held ?? 0) >= living().length) return;
      await delay(10);
    }
    throw new Error('a node did not register again although the database is back');
  }
}

function answerOf(manner: Manner) {
  switch (manner) {
    case 'accepts':
      return { status: 204 };
    case 'drops':
      return { status: 200 };
    case 'refuses':
      return { status: 410 };
    case 'fails':
      return { status: 503 };
    case 'fails after delivery':
      return { status: 500 };
    case 'breaks off':
      return 'reset' as const;
  }
}

/** How Twilio answers about a person whose receiver behaves like that; null for its usual answer. */
function answerAbout(manner: Manner) {
  return manner === 'accepts' || manner === 'drops' ? null : answerOf(manner);
}
