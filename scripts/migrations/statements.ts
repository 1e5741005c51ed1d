import { statementsOf } from '../../src/db/migration-files.ts';

/** Without comments and the bodies of functions, in small letters, each in one line. */
export function plainStatements(text: string): string[] {
  return statementsOf(text.replace(/--.*$/gm, '').replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")).map((one) =>
    one.replace(/\s+/g, ' ').toLowerCase(),
  );
}

/** Tables that a migration makes itself: nobody waits for them yet, and they are empty. */
export function ownTables(statements: readonly string[]): Set<string> {
  return new Set(statements.flatMap((one) => /^create table (if not exists )?(\w+)/.exec(one)?.[2] ?? []));
}

/** One thing that a statement does, and why it must not. */
export type Breach = { found: RegExp; why: string };

export function found(breached: readonly Breach[], statement: string): string[] {
  return breached.filter((one) => one.found.test(statement)).map(({ why }) => why);
}

/** What `alter table` changes, and how; null for other statements. */
export function alteration(statement: string): { table: string; change: string } | null {
  const [all, table] = /^alter table (?:if exists |only )*(\w+)/.exec(statement) ?? [];
  return table ? { table, change: statement.slice(all?.length).trim() } : null;
}
