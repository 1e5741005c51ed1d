import { CompiledQuery, type DatabaseConnection, type QueryResult, type RawBuilder } from 'kysely';
import { prepareValue } from 'pg/lib/utils.js';
import type { Handle, Tx } from './database.ts';
import { insideOf } from './together.ts';

/** How a short transaction ends. */
export type Ending<Result, Row, Last = unknown> = {
  result: Result;
  /** The last statements. They are sent with the commit. */
  last: readonly RawBuilder<Last>[];
  /** A query that is sent behind the commit and runs after it; null for none. */
  after: RawBuilder<Row> | null;
};

/** How a short transaction begins. */
export type Beginning<First, Ahead> = {
  /**
   * A query that is sent before the transaction, for what the work probably needs; null for none. If it fails, nothing else
   * does.
   */
  ahead: RawBuilder<Ahead> | null;
  /** Statements that only read and lock rows. */
  first(tx: Tx): Promise<First>;
  /** How long a statement waits for a lock, in milliseconds; as long as the lock is held if left out. */
  patienceMs?: number;
};

/**
 * A transaction with fewer round trips, for work on which a person waits. `begin` is sent together with the query before it and
 * the first statements, which change nothing should `begin` fail. The last
 * statements are sent together with the commit, which rolls back if one of them failed, and with a query that follows it.
 *
 * `rest` gets what `first` resolved to, and the rows that were read ahead, null if that failed.
 *
 * Resolves to the result, the results of the last statements, and the rows of that query, null if it failed: what was committed stays committed. Rejects, as a
 * transaction does, when nothing was committed, or when the connection broke and nobody knows.
 */
export function shortTransaction<First, Result, Row, Ahead = never, Last = unknown>(
  db: Exclude<Handle, Tx>,
  { ahead, first, patienceMs }: Beginning<First, Ahead>,
  rest: (tx: Tx, first: First, ahead: Ahead[] | null) => Promise<Ending<Result, Row, Last>>,
): Promise<{ result: Result; rows: Row[] | null; last: QueryResult<Last>[] }> {
  return db.connection().execute((lent) => {
    const executor = lent.getExecutor();
    return executor.provideConnection(async (connection) => {
      const tx = insideOf(executor, connection);
      let ended = false;
      try {
        const [early, begun, taken] = await Promise.allSettled([
          ahead && connection.executeQuery<Ahead>(ahead.compile(tx)),
          begin(connection, patienceMs),
          first(tx),
        ]);
        if (begun.status === 'rejected') throw begun.reason;
        if (taken.status === 'rejected') throw taken.reason;
        const rows = early.status === 'fulfilled' ? (early.value?.rows ?? null) : null;
        const { result, last, after } = await rest(tx, taken.value, rows);
        const statements = [...last, ...(after ? [after] : [])].map((one) => ready(one.compile(tx)));
        ended = true;
        return { result, ...(await commitWith<Row, Last>(connection, statements, last.length)) };
      } catch (error) {
        // The error of the work says more than that of a connection that is gone.
        if (!ended) await run(connection, 'rollback').catch(() => undefined);
        throw error;
      }
    });
  });
}

/** Sends the first `inside` statements, the commit, and what follows it, in this order and without waiting in between. */
async function commitWith<Row, Last>(
  connection: DatabaseConnection,
  statements: readonly CompiledQuery[],
  inside: number,
): Promise<{ rows: Row[] | null; last: QueryResult<Last>[] }> {
  const last = statements.slice(0, inside).map((one) => connection.executeQuery<Last>(one));
  const commit = run(connection, 'commit');
  const [after] = statements.slice(inside).map((one) => connection.executeQuery<Row>(one));
  const ended = await Promise.allSettled([...last, commit]);
  const [read] = await Promise.allSettled([after]);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  const { rows } = await commit;
  if (rows[0]?.command !== 'COMMIT') throw new Error('A transaction was rolled back instead of committed.');
  const found = read?.status === 'fulfilled' ? (read.value?.rows ?? null) : null;
  return { rows: found, last: await Promise.all(last) };
}

async function begin(connection: DatabaseConnection, patienceMs: number | undefined): Promise<void> {
  const statements = [
    'begin',
    ...(patienceMs === undefined ? [] : [`set local lock_timeout = ${patienceMs}`]),
  ];
  await Promise.all(statements.map((text) => run(connection, text)));
}

function run(connection: DatabaseConnection, text: string) {
  return connection.executeQuery<{ command?: string }>(CompiledQuery.raw(text));
}

/** Its parameters as text, so that none can turn out to be unreadable when a commit is already under way behind it. */
function ready(query: CompiledQuery): CompiledQuery {
  return { ...query, parameters: query.parameters.map((parameter) => prepareValue(parameter)) };
}
