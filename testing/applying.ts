import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, beforeEach } from 'node:test';
import { sql } from 'kysely';
import { type Applied, type ApplyOptions, applyFile } from '../src/apply/apply.ts';
import { FileRefused } from '../src/apply/file/document.ts';
import { databaseClock } from '../src/db/clock.ts';
import { createDatabase, createPool, type Database } from '../src/db/database.ts';
import { createSealing, type Sealing } from '../src/kit/sealing.ts';
import { createSolver } from '../src/planning/threads/solver.ts';
import { type TestDatabase, testDatabase } from './database.ts';

export const example = readFileSync(new URL('../examples/acme.yaml', import.meta.url), 'utf8');

export const twoPeople = `
organization: { name: Acme }
users:
  - { email: ada@example.com, name: Ada, role: owner, contact_methods: [{ type: email, value: ada@example.com }] }
  - { email: bob@example.com, name: Bob }
teams:
  - { slug: sre, members: [ada@example.com, bob@example.com] }
schedules:
  - name: SRE
    team: sre
    backstop: ada@example.com
    shifts: { every: day, handoff: "09:00" }
    stages: [ { stage: 1, members: [ada@example.com, bob@example.com] } ]
availabilities:
  - { user: bob@example.com, type: hard_unavailable, name: Away, start: 2030-01-01T00:00:00Z, end: 2030-01-02T00:00:00Z }
`;

export type Applying = {
  sealing: Sealing;
  /** The database of the current test. */
  db(): Database;
  apply(text: string, options?: Partial<ApplyOptions>, report?: (sentence: string) => void): Promise<Applied>;
  /** The problems of a file, as `line:column path message`. Fails when the file is applied. */
  problemsOf(text: string, options?: Partial<ApplyOptions>): Promise<string[]>;
  count(table: 'users' | 'organizations' | 'shifts' | 'audit_log' | 'schedules'): Promise<number>;
};

/** Applies files to databases. Each test of the calling file gets an empty database. */
export function applying(): Applying {
  const sealing = createSealing(randomBytes(32));
  const opened: { db: Database; database: TestDatabase }[] = [];

  beforeEach(async () => {
    const database = await testDatabase();
    const pool = createPool({ connection: { connectionString: database.url }, max: 4, name: 'test' });
    opened.push({ db: createDatabase(pool), database });
  });
  after(async () => {
    for (const one of opened) {
      await one.db.destroy();
      await one.database.drop();
    }
  });

  function db(): Database {
    return opened.at(-1)?.db ?? assert.fail('no test runs');
  }

  function apply(
    text: string,
    options: Partial<ApplyOptions> = {},
    report: (sentence: string) => void = () => {},
  ): Promise<Applied> {
    const services = { db: db(), clock: databaseClock, solver: createSolver(), sealing };
    return applyFile({ ...services, by: 'operator', report }, text, {
      dryRun: false,
      prune: false,
      ...options,
    });
  }

  return {
    sealing,
    db,
    apply,
    async problemsOf(text, options = {}) {
      const refused = await apply(text, options).then(
        () => assert.fail('the file was applied'),
        (error: unknown) => error,
      );
      assert.ok(refused instanceof FileRefused, String(refused));
      return refused.errors.map(({ line, column, path, message }) => `${line}:${column} ${path} ${message}`);
    },
    async count(table) {
      const counted = sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`;
      const { rows } = await counted.execute(db());
      return rows[0]?.n ?? 0;
    },
  };
}

/** `+ user ada@example.com`, without the details. */
export function headlines({ changes }: Applied): string[] {
  const signs = { add: '+', change: '~', remove: '-' };
  return changes.map(({ action, kind, name }) => `${signs[action]} ${kind} ${name}`);
}
