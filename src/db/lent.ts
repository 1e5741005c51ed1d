import type { MessagePort } from 'node:worker_threads';
import {
  CompiledQuery,
  type ControlledTransaction,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import { prepareValue } from 'pg/lib/utils.js';
import type { Database } from './database.ts';
import type { DB } from './schema.ts';
import { teachDriver } from './temporal.ts';

/**
 * A thread that processes many rows uses the database of its process: `borrowDatabase` sends each statement to the
 * process, which runs it on a connection of its pool. So pools, failover and limits are the same as everywhere. The
 * thread writes the parameters as PostgreSQL's text, and the process only passes them on.
 */
type LoanRequest = { id: number } & (
  | { kind: 'statement'; sql: string; parameters: readonly unknown[] }
  | { kind: 'begin' | 'commit' | 'rollback' }
);

type Row = Record<string, unknown>;

type LoanAnswer = { id: number } & (
  | { ok: true; rows: readonly Row[]; instants: readonly string[]; affected: bigint | undefined }
  | { ok: false; code: unknown }
);

/** A statement failed in the process, which has the original error. */
export class StatementFailed extends Error {
  override name = 'StatementFailed';
  readonly statement: number;
  readonly code: unknown;

  constructor(statement: number, code: unknown) {
    super('a statement of a thread failed');
    this.statement = statement;
    this.code = code;
  }
}

export type Loan = {
  /** The error of a statement that failed. */
  failureOf(statement: number): unknown;
  /** Ends the loan after its current statement. A transaction that is not committed is rolled back. */
  end(): Promise<void>;
};

/** Runs the statements that a thread sends through the port, one after the other, in at most one transaction. */
export function lendDatabase(db: Database, port: MessagePort): Loan {
  const failures = new Map<number, unknown>();
  let transaction: ControlledTransaction<DB> | null = null;
  let last: Promise<void> = Promise.resolve();

  async function endTransaction(kind: 'commit' | 'rollback'): Promise<void> {
    const open = transaction;
    transaction = null;
    await open?.[kind]().execute();
  }

  async function run(request: LoanRequest): Promise<QueryResult<Row>> {
    if (request.kind === 'statement')
      return (transaction ?? db).executeQuery<Row>(CompiledQuery.raw(request.sql, [...request.parameters]));
    if (request.kind === 'begin') transaction = await db.startTransaction().execute();
    else await endTransaction(request.kind);
    return { rows: [] };
  }

  async function answer(request: LoanRequest): Promise<void> {
    const { id } = request;
    try {
      const { rows, numAffectedRows } = await run(request);
      const instants = instantsOf(rows);
      send({ id, ok: true, rows: asText(rows, instants), instants, affected: numAffectedRows });
    } catch (error) {
      failures.set(id, error);
      send({ id, ok: false, code: (error as { code?: unknown }).code });
    }
  }

  const send = (message: LoanAnswer) => port.postMessage(message);
  port.on('message', (request: LoanRequest) => {
    last = last.then(() => answer(request));
  });
  return {
    failureOf: (statement) => failures.get(statement),
    async end() {
      port.close();
      await last;
      await endTransaction('rollback').catch(() => undefined);
    },
  };
}

/** Columns with instants, which cannot be sent between threads. */
function instantsOf(rows: readonly Row[]): string[] {
  const columns = Object.keys(rows[0] ?? {});
  return columns.filter((column) => rows.some((row) => row[column] instanceof Temporal.Instant));
}

function asText(rows: readonly Row[], instants: readonly string[]): readonly Row[] {
  if (instants.length === 0) return rows;
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(
      instants.map((column) => [column, row[column] === null ? null : String(row[column])]),
    ),
  }));
}

function fromText(rows: readonly Row[], instants: readonly string[]): Row[] {
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(
      instants.map((column) => [
        column,
        row[column] === null ? null : Temporal.Instant.from(String(row[column])),
      ]),
    ),
  }));
}

/** The process's database, in a thread. Errors are `StatementFailed`. Use it for one statement or transaction at a time. */
export function borrowDatabase(port: MessagePort): Database {
  teachDriver();
  const driver = new BorrowedDriver(port);
  return new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

type Request = LoanRequest extends infer One ? (One extends unknown ? Omit<One, 'id'> : never) : never;

class BorrowedDriver implements Driver {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, PromiseWithResolvers<QueryResult<Row>>>();
  readonly #connection: DatabaseConnection;
  #statements = 0;

  constructor(port: MessagePort) {
    this.#port = port;
    this.#connection = {
      executeQuery: async <R>({ sql, parameters }: CompiledQuery) =>
        (await this.#ask({
          kind: 'statement',
          sql,
          parameters: parameters.map((parameter) => prepareValue(parameter)),
        })) as QueryResult<R>,
      // biome-ignore lint/correctness/useYield: it only refuses
      async *streamQuery() {
        throw new Error('a thread cannot stream rows');
      },
    };
    port.on('message', (answer: LoanAnswer) => this.#settle(answer));
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  async beginTransaction(): Promise<void> {
    await this.#ask({ kind: 'begin' });
  }
  async commitTransaction(): Promise<void> {
    await this.#ask({ kind: 'commit' });
  }
  async rollbackTransaction(): Promise<void> {
    await this.#ask({ kind: 'rollback' });
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {
    this.#port.close();
  }

  #ask(request: Request): Promise<QueryResult<Row>> {
    const id = ++this.#statements;
    const waiting = Promise.withResolvers<QueryResult<Row>>();
    this.#waiting.set(id, waiting);
    this.#port.postMessage({ ...request, id });
    return waiting.promise;
  }

  #settle(answer: LoanAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (!answer.ok) {
      waiting?.reject(new StatementFailed(answer.id, answer.code));
      return;
    }
    const { rows, instants, affected } = answer;
    waiting?.resolve({
      rows: instants.length === 0 ? [...rows] : fromText(rows, instants),
      ...(affected === undefined ? {} : { numAffectedRows: affected }),
    });
  }
}
