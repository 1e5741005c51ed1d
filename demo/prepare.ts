import type { ClientConfig } from 'pg';
import { Refusal } from '../src/cli/refusal.ts';
import type { Config } from '../src/config.ts';
import { MovableClock } from '../src/db/clock.ts';
import { createDatabase, createPool, type Database } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { openInstallation } from '../src/installation/secrets.ts';
import { DEMO_FILE, type SignInLink } from '../src/installation/welcome.ts';
import type { Prepare } from '../src/serve.ts';
import { signInPath } from '../src/sessions/contract.ts';
import { createSignInLink } from '../src/sessions/sign-in-link.ts';
import { isEmpty } from '../src/sessions/store.ts';
import { findExample, removeUnfinished } from './example-store.ts';
import { fill } from './fill.ts';
import { emailOf, OWNER } from './people.ts';

/** Planning and inserting a year of rows take longer than any request may. */
const STATEMENT_TIMEOUT_MS = 60_000;

/**
 * Fills an empty installation with the example before the service starts, and prints a way to sign in. An installation
 * with a complete example gets a new sign-in link; any other is refused and not changed.
 */
export function prepareDemo(config: Readonly<Config>, report: (sentence: string) => void): Prepare {
  return async (connection, signal) =>
    withDatabase(connection, async (db) => {
      const clock = new MovableClock();
      const sealing = await openInstallation(db, clock, config);
      await removeUnfinished(db);
      if (await isEmpty(db)) {
        report('Making an example: a year of people, schedules, pages and moments …');
        // Does not log each plan. Ctrl-C takes effect between two plans.
        await fill({ db, clock: new MovableClock(), sealing, report: () => signal.throwIfAborted() });
      }
      const example = await findExample(db, emailOf(OWNER));
      if (!example) throw notEmpty();
      const { token } = await createSignInLink(
        db,
        await clock.now(db),
        example.organizationId,
        example.userId,
      );
      return signInLink(config.publicUrl + signInPath(token), example.name);
    });
}

async function withDatabase<T>(connection: ClientConfig, work: (db: Database) => Promise<T>): Promise<T> {
  await migrate(connection);
  const statementTimeoutMs = STATEMENT_TIMEOUT_MS;
  const db = createDatabase(createPool({ connection, max: 2, name: 'tocsin example', statementTimeoutMs }));
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

function notEmpty(): Refusal {
  return new Refusal(
    'There is an organization here already, and the example goes only into an empty installation; start without --demo, or set DATA_DIR (or DATABASE_URL) to a new one',
  );
}

function signInLink(link: string, name: string): SignInLink {
  const example = 'This is an example; email, SMS, calls and chat go nowhere.';
  return {
    link,
    onTerminal: `${example} Open this link to look around as ${name}; it works once:`,
    inFile: `${example} The link to look around as ${name} is in a file that only you can read; it works once:`,
    file: DEMO_FILE,
  };
}
