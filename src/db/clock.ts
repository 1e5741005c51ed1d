import { type RawBuilder, sql } from 'kysely';
import type { Handle } from './database.ts';

/**
 * The time that all rules use: the database's, so that every node has the same. Use `sql` inside statements, and `now`
 * to read the time once for a transaction whose rules run here.
 */
export type Clock = {
  readonly sql: RawBuilder<Temporal.Instant>;
  now(db: Handle): Promise<Temporal.Instant>;
  /**
   * How far tests moved the clock on purpose, in milliseconds. Any other jump means that somebody set the database's
   * clock.
   */
  readonly movedMs: number;
};

export const databaseClock: Clock = {
  sql: sql<Temporal.Instant>`now()`,
  async now(db) {
    return readTime(db, databaseClock.sql);
  },
  movedMs: 0,
};

/** A clock that stories can move. It starts at the database's time and runs with it until it is stopped. */
export class MovableClock implements Clock {
  #offsetMs = 0;
  #stepsMs = 0;
  #stoppedAt: Temporal.Instant | null = null;

  get sql(): RawBuilder<Temporal.Instant> {
    const from = this.#stoppedAt ? sql`${this.#stoppedAt}::timestamptz` : sql`now()`;
    return sql<Temporal.Instant>`(${from} + ${this.#offsetMs}::double precision * interval '1 millisecond')`;
  }

  async now(db: Handle): Promise<Temporal.Instant> {
    return readTime(db, this.sql);
  }

  get movedMs(): number {
    return this.#offsetMs - this.#stepsMs;
  }

  /** Simulates somebody setting the clock of the database's machine: `movedMs` does not change. */
  step(duration: Temporal.DurationLike): void {
    this.#stepsMs += Temporal.Duration.from(duration).total('milliseconds');
    this.advance(duration);
  }

  advance(duration: Temporal.DurationLike): void {
    this.#offsetMs += Temporal.Duration.from(duration).total('milliseconds');
  }

  /** From now on, only `advance` moves the clock, so that a slow machine cannot let a waiting time pass. */
  async stop(db: Handle): Promise<void> {
    this.#stoppedAt = await databaseClock.now(db);
  }

  /** Moves the clock so that the time is `at`. */
  async travelTo(db: Handle, at: Temporal.Instant): Promise<void> {
    const now = await this.now(db);
    this.#offsetMs += at.epochMilliseconds - now.epochMilliseconds;
  }
}

async function readTime(db: Handle, expression: RawBuilder<Temporal.Instant>): Promise<Temporal.Instant> {
  const { rows } = await sql<{ now: Temporal.Instant }>`select ${expression} as now`.execute(db);
  const row = rows[0];
  if (!row) throw new Error('the database did not return the time');
  return row.now;
}
