import { type RawBuilder, sql } from 'kysely';
import type { Handle } from './database.ts';

/**
 * Time as the rules see it: the database's, one for every node. `sql` is for statements that need the time where
 * they stand; `now` reads it once for a transaction whose rules are computed here.
 */
export type Clock = {
  readonly sql: RawBuilder<Temporal.Instant>;
  now(db: Handle): Promise<Temporal.Instant>;
  /** How far it was moved on purpose, milliseconds: what it went on or back beside that was done to the database's. */
  readonly movedMs: number;
};

export const databaseClock: Clock = {
  sql: sql<Temporal.Instant>`now()`,
  async now(db) {
    return readTime(db, databaseClock.sql);
  },
  movedMs: 0,
};

/** A clock that stories move. It starts at the database's time and goes on with it. */
export class MovableClock implements Clock {
  #offsetMs = 0;
  #stepsMs = 0;

  get sql(): RawBuilder<Temporal.Instant> {
    return sql<Temporal.Instant>`(now() + ${this.#offsetMs}::double precision * interval '1 millisecond')`;
  }

  async now(db: Handle): Promise<Temporal.Instant> {
    return readTime(db, this.sql);
  }

  get movedMs(): number {
    return this.#offsetMs - this.#stepsMs;
  }

  /** Sets it forward or back as somebody sets the clock of the database's machine: nobody is told. */
  step(duration: Temporal.DurationLike): void {
    this.#stepsMs += Temporal.Duration.from(duration).total('milliseconds');
    this.advance(duration);
  }

  advance(duration: Temporal.DurationLike): void {
    this.#offsetMs += Temporal.Duration.from(duration).total('milliseconds');
  }

  /** Moves so that `at` is now. */
  async travelTo(db: Handle, at: Temporal.Instant): Promise<void> {
    const now = await this.now(db);
    this.#offsetMs += at.epochMilliseconds - now.epochMilliseconds;
  }
}

async function readTime(db: Handle, expression: RawBuilder<Temporal.Instant>): Promise<Temporal.Instant> {
  const { rows } = await sql<{ now: Temporal.Instant }>`select ${expression} as now`.execute(db);
  const row = rows[0];
  if (!row) throw new Error('the database did not tell the time');
  return row.now;
}
