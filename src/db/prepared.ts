import type { ClientConfig } from 'pg';
import { breakConnection } from './connection.ts';
import { DatabaseClient } from './hosts.ts';

/** A statement is prepared once it has been seen this often: what runs once is not worth a plan kept. */
const WORTH_PREPARING = 3;
/** A bound, not a budget: lists are passed as arrays, so that our statements are a few hundred texts at most. */
const MOST_PREPARED = 1_000;

/** Names of statements are the same in every connection of this process: the text decides. */
const seen = new Map<string, number>();
const names = new Map<string, string>();
let generation = 0;

/** PostgreSQL's word for a statement whose table was migrated under it; only a new name makes it plan anew. */
function isOutdated(error: unknown): boolean {
  return error instanceof Error && error.message.includes('cached plan must not change result type');
}

/** The driver's word for an answer that did not come in time. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Hears of each statement that failed. */
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
 * A connection that prepares the statements it runs again and again. Planning our larger statements takes longer than
 * running them; a page would spend half of its time on that.
 *
 * A connection that leaves a question unanswered is closed. The driver would only turn away who asked and keep the
 * connection for the next, who waits in line behind the same question: after a partition of the network a pool full of
 * such connections would stand still until TCP gives them up, a quarter of an hour later.
 */
export class PreparingClient extends DatabaseClient {
  protected readonly prepares: boolean = true;
  readonly #onFailure: OnFailure | undefined;

  constructor(config: ClientConfig & { onFailure?: OnFailure } = {}) {
    super(config);
    this.#onFailure = config.onFailure;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver's own signature has nine overloads; all pass through.
  override query(...args: any[]): any {
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

/** The same without preparing: behind a pooler the next statement may run in a session that knows of none. */
export class PooledClient extends PreparingClient {
  protected override readonly prepares = false;
}
