import { Client } from 'pg';

/** A statement is prepared once it has been seen this often: what runs once is not worth a plan kept. */
const WORTH_PREPARING = 3;
/** Lists of varying length make many texts; beyond this number nothing more is prepared. */
const MOST_PREPARED = 300;

/** Names of statements are the same in every connection of this process: the text decides. */
const seen = new Map<string, number>();
const names = new Map<string, string>();
let generation = 0;

/** PostgreSQL's word for a statement whose table was migrated under it; only a new name makes it plan anew. */
function isOutdated(error: unknown): boolean {
  return error instanceof Error && error.message.includes('cached plan must not change result type');
}

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
 */
export class PreparingClient extends Client {
  // biome-ignore lint/suspicious/noExplicitAny: the driver's own signature has nine overloads; all pass through.
  override query(...args: any[]): any {
    const [text, values] = args;
    if (typeof text !== 'string' || !Array.isArray(values)) return super.query(...(args as [string]));
    const name = nameOf(text);
    if (name === undefined) return super.query(...(args as [string]));
    const result = super.query({ name, text, values }, ...(args.slice(2) as []));
    if (result instanceof Promise) result.catch((error) => isOutdated(error) && forgetNames());
    return result;
  }
}
