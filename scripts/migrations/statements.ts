import { statementsOf } from '../../src/db/migration-files.ts';

/** The statements without comments and function bodies, in lower case, each on one line. */
export function plainStatements(text: string): string[] {
  return statementsOf(text.replace(/--.*$/gm, '').replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")).map((one) =>
    one.replace(/\s+/g, ' ').toLowerCase(),
  );
}

/** Tables that the migration creates: they are empty, so nothing waits for them. */
export function ownTables(statements: readonly string[]): Set<string> {
  return new Set(statements.flatMap((one) => /^create table (if not exists )?(\w+)/.exec(one)?.[2] ?? []));
}

/** A pattern of a forbidden statement or action, and the reason. */
export type Breach = { found: RegExp; why: string };

export function found(breached: readonly Breach[], statement: string): string[] {
  return breached.filter((one) => one.found.test(statement)).map(({ why }) => why);
}

/** The table and actions of an `alter table`; null for other statements. */
export function alteration(statement: string): { table: string; change: string } | null {
  const [all, table] = /^alter table (?:if exists |only )*(\w+)/.exec(statement) ?? [];
  return table ? { table, change: statement.slice(all?.length).trim() } : null;
}
