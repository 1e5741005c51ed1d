import type { Socket } from 'node:net';
import type { ClientConfig } from 'pg';
import { breakConnection } from './connection.ts';
import { DatabaseClient } from './hosts.ts';

/**
 * A statement is prepared after it has run this often, because a plan for a statement that runs once is not worth
 * keeping.
 */
const WORTH_PREPARING = 3;
/**
 * An upper bound that is rarely reached: lists are passed as arrays, so there are only a few hundred different
 * statements.
 */
const MOST_PREPARED = 1_000;

/** How often each text was seen. The name of a statement depends on its text, so it is the same on every connection. */
const seen = new Map<string, number>();
const names = new Map<string, string>();
let generation = 0;

/**
 * PostgreSQL's error for a prepared statement whose table was migrated. Only a statement with a new name is planned
 * again.
 */
function isOutdated(error: unknown): boolean {
  return error instanceof Error && error.message.includes('cached plan must not change result type');
}

/** The driver's error for an answer that did not arrive in time. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Called with each failed statement. */
export type OnFailure = (client: DatabaseClient, error: unknown) => void;

function forgetNames(): void {
  generation++;
  names.clear();
  seen.clear();
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST_PREPARED) return known;
  const times = (seen.get(text) ?? 0) + 1;
  seen.set(text, times);
  if (times < WORTH_PREPARING) {
    if (seen.size > 10 * MOST_PREPARED) seen.clear();
    return undefined;
  }
  const name = `tocsin_${generation}_${names.size + 1}`;
  names.set(text, name);
  seen.delete(text);
  return name;
}

/**
 * A connection that prepares statements that it runs often. Planning our larger statements takes longer than running
 * them, and would be half of the database time of a page.
 *
 * It closes itself when a statement is not answered in time. The driver would only reject the caller and return the
 * connection to the pool, where the next caller would wait behind the same statement. After a network partition, a pool
 * full of such connections would hang until TCP gives up, which takes a quarter of an hour.
 */
export class PreparingClient extends DatabaseClient {
  protected readonly prepares: boolean = true;
  readonly #onFailure: OnFailure | undefined;

  constructor(config: ClientConfig & { onFailure?: OnFailure } = {}) {
    super(config);
    this.#onFailure = config.onFailure;
  }

  /** Everything that is sent in one turn of the event loop leaves in one write. */
  #gather(): void {
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
    if (stream.writableCorked > 0) return;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver's own signature has nine overloads; all pass through.
  override query(...args: any[]): any {
    this.#gather();
    const result = this.#run(...args);
    if (result instanceof Promise)
      result.catch((error) => {
        if (isOutdated(error)) forgetNames();
        if (isSilence(error)) breakConnection(this);
        this.#onFailure?.(this, error);
      });
    return result;
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  #run(...args: any[]): any {
    const [text, values] = args;
    if (!this.prepares || typeof text !== 'string' || !Array.isArray(values))
      return super.query(...(args as [string]));
    const name = nameOf(text);
    if (name === undefined) return super.query(...(args as [string]));
    return super.query({ name, text, values }, ...(args.slice(2) as []));
  }
}

/** The same without preparing, because behind a pooler the next statement may run in another session. */
export class PooledClient extends PreparingClient {
  protected override readonly prepares = false;
}
