import { mkdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { ClientConfig } from 'pg';
import { isDatabaseAway } from '../db/away.ts';
import { LIFEBOAT_CONNECTIONS } from '../db/budget.ts';
import { databaseClock } from '../db/clock.ts';
import { emptyPool, endPool } from '../db/connection.ts';
import { createDatabase, createPool, type Database } from '../db/database.ts';
import { forgetHosts } from '../db/hosts.ts';
import { migrate } from '../db/migrate.ts';
import { migrateWhileServing } from '../db/migrate-while-serving.ts';
import { errorText } from '../kit/error-text.ts';
import type { Log } from '../kit/log.ts';
import { newId } from '../kit/typeid.ts';
import { findDelivery } from '../notifications/answer-store.ts';
import type { Actor } from '../pages/actor.ts';
import type { Recovery } from '../requests/recovery.ts';
import type { Keeps } from '../webhooks/record.ts';
import {
  type Aboard,
  anyAboard,
  countAboard,
  markUnsent,
  releaseAboard,
  releaseWaiting,
} from './aboard-store.ts';
import type { ApplySignals } from './answers.ts';
import type { LifeboatNotice, LifeboatState, StandBy } from './contract.ts';
import { copyConfiguration } from './copy-store.ts';
import { board, land } from './land.ts';
import {
  anyAfloat,
  type Columns,
  commonColumns,
  findOwn,
  forgetOldLifeboats,
  markPossibleRepeats,
  noteLifeboat,
} from './land-store.ts';
import { createOpenPages } from './open-pages.ts';
import { createPassing, type Passing } from './passing.ts';
import { type Place, startPlace } from './place.ts';
import { createWaitingPages } from './waiting.ts';
import { beginWatch, landed, observe, type Seen } from './watch.ts';

const LOOK_EVERY_MS = 1_000;
/**
 * A write that takes longer counts as failed, because a database that waits for a lost standby accepts no writes
 * either.
 */
const WRITE_WITHIN_MS = 3_000;
const LAND_AFTER_MS = 5_000;
const COPY_EVERY_MS = 60_000;
/** How often starting a lifeboat's database is retried. */
const START_AGAIN_MS = 60_000;
/** Requests in progress end within the time limits of the listener. */
const ANSWERED_WITHIN_MS = 15_000;
/** How long a node that has landed waits for other lifeboats to land, so that it does not repeat their work. */
const OTHERS_WITHIN_MS = 20_000;
/** With pages aboard, a process whose main service is not running by then escalates them itself. */
const ALONE_AFTER_MS = 5_000;

/** The service on a lifeboat's own database. */
export type Crew = {
  base: Pick<FastifyInstance, 'routing'>;
  acceptDb: Database;
  stop(): Promise<void>;
};

/** The service on the main database. */
export type Shore = {
  recovery: Recovery | null;
  acknowledge(pageId: string, actor: Actor): Promise<void>;
  applySignals: ApplySignals;
  keeps: Keeps;
  wake(): void;
};

export type Lifeboat = Pick<Passing, 'hook'> & {
  readonly state: LifeboatState;
  /**
   * True from the moment it is afloat until all lifeboats have landed, because the main database lacks their changes.
   */
  readonly holdsBack: boolean;
  /**
   * True from the moment it is afloat until its open pages have landed, and those of other lifeboats, for which it waits
   * `OTHERS_WITHIN_MS` at most.
   */
  readonly holdsSteps: boolean;
  /** Milliseconds since the epoch; null if there is no copy. */
  readonly copiedAt: number | null;
  /** The number of requests that are not in the main database yet. */
  readonly aboard: number;
  /** The service runs on the main database: copies are made, and a lifeboat that is afloat can land. */
  attach(shore: Shore): void;
  /** The service on the main database ends. */
  detach(): void;
  stop(): Promise<void>;
};

export type LifeboatOptions = {
  dataDir: string;
  /** Bypasses a pooler, if there is one. */
  main: ClientConfig;
  afterMs: number;
  log: Log;
  signal: AbortSignal;
  /** Starts the service on the database of the lifeboat, ready to answer. */
  launch(connection: ClientConfig, standBy: StandBy): Promise<Crew>;
  copyEveryMs?: number;
};

/**
 * Keeps a small database with a copy of the configuration, and accepts pages in it while the main database accepts no
 * writes (docs/database-away.md). Never throws: without its database, there is no lifeboat, and the log gives the
 * reason.
 */
export async function openLifeboat(options: LifeboatOptions): Promise<Lifeboat> {
  const boat = new Boat(options);
  await boat.start();
  return boat;
}

class Boat implements Lifeboat {
  readonly #options: LifeboatOptions;
  readonly #log: Log;
  readonly #passing: Passing;
  readonly #mainPool;
  readonly #main: Database;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #place: Place | null = null;
  #localPool: ReturnType<typeof createPool> | null = null;
  #local: Database | null = null;
  #id = newId('lifeboat');
  #watch = beginWatch(performance.now(), false);
  #crew: Crew | null = null;
  #shore: Shore | null = null;
  #standBy: StandBy | null = null;
  #begunAt = performance.now();
  #copiedLast = Number.NEGATIVE_INFINITY;
  #copying: Promise<void> | null = null;
  #abandonCopy = new AbortController();
  readonly #open = createOpenPages();
  readonly #waiting = createWaitingPages();
  #columns: Columns | null = null;
  /** Requests that both databases may have, until their steps in the main database are marked as possible repeats. */
  #shared: string[] = [];
  /** Until when this node waits for others to land. */
  #othersUntil = Number.NEGATIVE_INFINITY;
  /** From when on the main database runs the steps of pages, although this lifeboat has not landed. */
  #stepsFrom = Number.POSITIVE_INFINITY;
  #aboard = 0;
  #said = '';

  constructor(options: LifeboatOptions) {
    this.#options = options;
    this.#log = options.log;
    this.#passing = createPassing({
      state: () => this.state,
      notice: () => this.#notice(),
      base: () => this.#crew?.base ?? null,
      knows: async (deliveryId) =>
        this.#local !== null && (await findDelivery(this.#local, deliveryId)) !== null,
    });
    this.#mainPool = createPool({
      connection: options.main,
      max: LIFEBOAT_CONNECTIONS,
      name: 'tocsin lifeboat',
      // Rows are found by their keys, also right after a storm, of which the statistics do not know yet.
      byIndex: true,
      onError: (error) => this.#log.debug({ err: error }, 'a connection of the lifeboat broke'),
    });
    this.#main = createDatabase(this.#mainPool);
  }

  get state(): LifeboatState {
    // Without its service, it cannot answer. After a landing that was interrupted, the rest has yet to land.
    if (this.#watch.state === 'afloat' && this.#crew === null) return this.#aboard > 0 ? 'landing' : 'ashore';
    return this.#watch.state;
  }

  get holdsBack(): boolean {
    return this.state !== 'ashore' || this.#othersUntil > performance.now();
  }

  get holdsSteps(): boolean {
    return this.holdsBack && performance.now() < this.#stepsFrom;
  }

  get copiedAt(): number | null {
    return this.#standBy?.copiedAt.epochMilliseconds ?? null;
  }

  get aboard(): number {
    return this.#aboard;
  }

  #notice(): LifeboatNotice | null {
    if (!this.holdsBack) return null;
    const copiedAt = this.#standBy?.copiedAt.toString({ smallestUnit: 'second' });
    return this.state === 'afloat' && copiedAt !== undefined
      ? { state: 'afloat', copiedAt }
      : { state: 'landing', copiedAt: null };
  }

  hook(listener: FastifyInstance): void {
    this.#passing.hook(listener);
  }

  attach(shore: Shore): void {
    this.#shore = shore;
  }

  detach(): void {
    this.#shore = null;
  }

  async start(): Promise<void> {
    await this.#board().catch((error) => this.#sayOnce(error, 'the lifeboat cannot be used; trying again'));
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#copyEnded();
    await this.#dismiss();
    await this.#releaseWaiting();
    if (this.#localPool) await endPool(this.#localPool);
    await endPool(this.#mainPool);
    await this.#place?.stop();
  }

  /** Starts its database, and finds the pages that an earlier process left in it. */
  async #board(): Promise<void> {
    const { dataDir, log, signal } = this.#options;
    this.#place ??= await startPlace(dataDir, log, AbortSignal.any([signal, this.#stopping.signal]));
    const connection = { ...this.#place.connection };
    await migrate(connection);
    this.#localPool ??= createPool({ connection, max: 4, name: 'tocsin lifeboat', byIndex: true });
    const local = createDatabase(this.#localPool);
    const migrating = migrateWhileServing({ db: local, direct: connection, log });
    this.#stopping.signal.addEventListener('abort', () => void migrating.stop(), { once: true });
    const own = await findOwn(local);
    if (own) {
      this.#id = own.id;
      if (own.copiedAt) this.#standBy = { node: hostname(), copiedAt: own.copiedAt };
    }
    this.#aboard = await countAboard(local);
    this.#watch = beginWatch(performance.now(), await anyAboard(local));
    this.#begunAt = performance.now();
    this.#local = local;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let triedAt = performance.now();
    while (!signal.aborted) {
      try {
        if (this.#local) await this.#look(this.#local);
        else if (performance.now() - triedAt >= START_AGAIN_MS) {
          triedAt = performance.now();
          await this.#board();
        }
      } catch (error) {
        this.#sayOnce(error, 'the lifeboat cannot be used; trying again');
      }
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #look(local: Database): Promise<void> {
    const seen = await this.#write();
    this.#watch = observe(this.#watch, seen, performance.now(), {
      afterMs: this.#options.afterMs,
      landAfterMs: LAND_AFTER_MS,
    });
    const { state } = this.#watch;
    if (seen === 'wrote') await this.#markShared();
    if (state === 'landing') return this.#landOrWait(local);
    if (state === 'afloat') return this.#stayAfloat();
    if (seen !== 'wrote' || !this.#shore) return;
    if (this.#othersUntil > performance.now() && !(await anyAfloat(this.#main, this.#id)))
      this.#othersUntil = Number.NEGATIVE_INFINITY;
    this.#columns ??= await commonColumns(this.#main, local);
    await this.#open.look(this.#main, this.#shore.recovery);
    if (this.#standBy) await this.#waiting.look(this.#main, local, this.#id);
    this.#copySometimes(local);
  }

  async #write(): Promise<Seen> {
    const note = noteLifeboat(this.#main, {
      id: this.#id,
      host: hostname(),
      state: this.state,
      copiedAt: this.#standBy?.copiedAt ?? null,
    });
    const late = delay(WRITE_WITHIN_MS, 'late' as const, { ref: false });
    try {
      if ((await Promise.race([note, late])) !== 'late') return 'wrote';
      note.catch(() => undefined);
    } catch (error) {
      // For example a schema that is not migrated yet: this says nothing about writes.
      if (!isDatabaseAway(error)) return 'unclear';
    }
    // The connection may lead to a former primary that no longer accepts writes.
    forgetHosts();
    emptyPool(this.#mainPool);
    return 'away';
  }

  /** A lifeboat that never got a copy knows nobody. */
  #stayAshore(): void {
    this.#watch = { ...this.#watch, state: 'ashore' };
    this.#sayOnce(new Error('no copy of the configuration was made yet'), 'the lifeboat cannot take pages');
  }

  /** Other nodes run these steps as soon as the database is back. */
  async #markShared(): Promise<void> {
    if (this.#shared.length === 0) return;
    await markPossibleRepeats(this.#main, this.#shared);
    this.#shared = [];
  }

  async #stayAfloat(): Promise<void> {
    if (this.#crew) return;
    if (this.#standBy === null) return this.#stayAshore();
    const alone = this.#aboard > 0 && this.#watch.writingSince !== null;
    if (alone && performance.now() - this.#begunAt < ALONE_AFTER_MS) return;
    await this.#launch(this.#standBy);
  }

  async #launch(standBy: StandBy): Promise<void> {
    if (!this.#place) return;
    await this.#copyEnded();
    const began = performance.now();
    const recovered = this.#open.unread(this.#shore?.recovery ?? null);
    await this.#takeAboard(standBy, new Set(recovered));
    const crew = await this.#options.launch({ ...this.#place.connection }, standBy);
    try {
      const ids = this.#open.unread(this.#shore?.recovery ?? null);
      const wanted = new Set(ids);
      const written = await this.#shore?.recovery?.recover(crew.acceptDb, {
        isWanted: ({ requestId }) => wanted.has(requestId),
        // Its source, team or person may be newer than the copy. The main database has the request.
        failed: (err, request) =>
          this.#log.warn({ err, request }, 'a request is unknown to the lifeboat; it waits for the database'),
      });
      for (const id of ids) this.#shared.push(id);
      this.#crew = crew;
      this.#log.warn(
        {
          copiedAt: standBy.copiedAt.toString(),
          recovered: written,
          ms: Math.round(performance.now() - began),
        },
        'the database accepts no writes: this node accepts pages in its lifeboat',
      );
    } catch (error) {
      await crew.stop();
      throw error;
    }
  }

  /** The open pages of this node, and the waiting pages that its lifeboat has taken. */
  async #takeAboard(standBy: StandBy, recovered: ReadonlySet<string>): Promise<void> {
    const [local, parts] = [this.#local, this.#open.take()];
    if (!local || (await anyAboard(local))) return;
    const services = { local, log: this.#log, standBy };
    for (const aboard of parts) {
      if (!this.#columns) break;
      await board({ ...services, columns: this.#columns }, aboard).catch((error) =>
        this.#log.error({ err: error }, 'open pages could not be taken aboard and wait for the database'),
      );
      for (const { id } of aboard.requests) this.#shared.push(String(id));
    }
    await this.#waiting
      .board(services, recovered)
      .catch((error) =>
        this.#log.error({ err: error }, 'waiting pages could not be taken aboard and wait for the database'),
      );
  }

  /** Other lifeboats may take its waiting pages. If the main database is away, they do so after a while. */
  async #releaseWaiting(): Promise<void> {
    if (this.#watch.state !== 'ashore' || this.#watch.writingSince === null) return;
    const late = delay(WRITE_WITHIN_MS, undefined, { ref: false });
    await Promise.race([releaseWaiting(this.#main, this.#id), late]).catch(() => undefined);
  }

  async #dismiss(): Promise<void> {
    const crew = this.#crew;
    this.#crew = null;
    await crew?.stop();
  }

  /** From here on, new pages go to the main database, and so do those of the lifeboat. */
  async #landOrWait(local: Database): Promise<void> {
    const shore = this.#shore;
    if (!shore || !this.#standBy) {
      this.#watch = { ...this.#watch, state: 'afloat' };
      return this.#stayAfloat();
    }
    await this.#passing.idle(ANSWERED_WITHIN_MS);
    try {
      await this.#dismiss();
      await releaseAboard(local, databaseClock);
      const followLanded = await this.#open.landing(local);
      const moved = await land({
        ...{ main: this.#main, local, log: this.#log, standBy: this.#standBy },
        ...{ acknowledge: shore.acknowledge, applySignals: shore.applySignals, keeps: shore.keeps },
        wake: () => shore.wake(),
        openLanded: () => this.#releaseSteps(),
        strand: (requestId, aboard) => this.#strand(requestId, aboard),
      });
      followLanded();
      this.#watch = landed(this.#watch, true);
      this.#copiedLast = Number.NEGATIVE_INFINITY;
      this.#othersUntil = performance.now() + OTHERS_WITHIN_MS;
      this.#log.warn({ moved }, 'the database is back: the pages of the lifeboat are in it');
    } catch (error) {
      this.#watch = landed(this.#watch, false);
      this.#stepsFrom = Number.POSITIVE_INFINITY;
      // Both databases may have pages that were already moved.
      await markUnsent(local);
      this.#log[isDatabaseAway(error) ? 'warn' : 'error'](
        { err: error },
        'the lifeboat could not land all pages; it continues with the rest and tries again',
      );
    } finally {
      this.#aboard = await countAboard(local);
    }
  }

  /** Pages that the main database accepts need not wait until the ended ones have landed. */
  async #releaseSteps(): Promise<void> {
    const others = await anyAfloat(this.#main, this.#id);
    this.#stepsFrom = performance.now() + (others ? OTHERS_WITHIN_MS : 0);
  }

  async #strand(requestId: string, aboard: Aboard): Promise<void> {
    if (!this.#place) return;
    const directory = join(this.#place.directory, 'stranded');
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const path = join(directory, `${requestId}.json`);
    await writeFile(path, JSON.stringify(aboard, null, 2), { mode: 0o600, flush: true });
    this.#log.error({ path }, 'a page of the lifeboat could not be moved; it is kept in this file');
  }

  #copySometimes(local: Database): void {
    const now = performance.now();
    if (this.#copying || now - this.#copiedLast < (this.#options.copyEveryMs ?? COPY_EVERY_MS)) return;
    this.#copiedLast = now;
    this.#copying = this.#copy(local).finally(() => {
      this.#copying = null;
    });
  }

  /** Abandons a copy in progress: a database that falls silent meanwhile would hold it up for a long time. */
  async #copyEnded(): Promise<void> {
    this.#abandonCopy.abort();
    await this.#copying;
  }

  async #copy(local: Database): Promise<void> {
    if (!this.#place) return;
    this.#abandonCopy = new AbortController();
    const { signal } = this.#abandonCopy;
    try {
      if (await anyAboard(local)) return;
      const target = { connection: { ...this.#place.connection }, id: this.#id, host: hostname() };
      const copiedAt = await copyConfiguration(this.#options.main, target, { signal });
      this.#standBy = { node: hostname(), copiedAt };
      this.#said = '';
      await forgetOldLifeboats(this.#main);
    } catch (error) {
      this.#sayOnce(error, 'the configuration could not be copied into the lifeboat; the former copy stays');
    }
  }

  /** A failure that repeats every second is logged once. */
  #sayOnce(error: unknown, message: string): void {
    const said = `${message} ${errorText(error)}`;
    if (said === this.#said || this.#stopping.signal.aborted) return;
    this.#said = said;
    this.#log.warn({ err: error }, message);
  }
}
