import type { Client } from 'pg';
import { listCounters, listTables } from '../src/db/backup/catalog.ts';

/** Number of rows of a table, a hash of their contents, and the highest id that the database generated. */
export type Contents = { rows: number; hash: string; highest: number | null };

/** The contents of every table, by name. They depend neither on the order of rows nor on the version of PostgreSQL. */
export async function contentsOfTables(client: Client): Promise<Record<string, Contents>> {
  const counted = new Map((await listCounters(client)).map(({ table, column }) => [table, column]));
  const contents: Record<string, Contents> = {};
  for (const { name, columns } of await listTables(client)) {
    const row = `row(${columns.map((column) => `"${column}"`).join(', ')})::text collate "C"`;
    const highest = counted.has(name) ? `max("${counted.get(name)}")` : 'null';
    const { rows } = await client.query<Contents>(
      `select count(*)::int as rows, ${highest}::int as highest,
        encode(sha256(convert_to(coalesce(string_agg(${row}, e'\\n' order by ${row}), ''), 'UTF8')), 'hex') as hash
       from "${name}"`,
    );
    if (rows[0]) contents[name] = rows[0];
  }
  return contents;
}
