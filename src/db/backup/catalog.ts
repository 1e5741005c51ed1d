import type { Client } from 'pg';

/** A table of the service, with its stored columns; generated columns are computed again. */
export type Table = { name: string; columns: string[] };

export async function listTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.oid order by c.relname`);
  return rows;
}

export type ForeignKey = { table: string; name: string; definition: string };

export async function listForeignKeys(client: Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace
    order by 1, 2`);
  return rows;
}

/** The service's own functions, without those of extensions. Their triggers are dropped with the tables. */
export async function listFunctions(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select p.oid::regprocedure::text as name from pg_proc p
    where p.pronamespace = current_schema()::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`);
  return rows.map(({ name }) => name);
}

export type Counter = { table: string; column: string; sequence: string; last: number };

/** Identity columns and their current values. */
export async function listCounters(client: Client): Promise<Counter[]> {
  const { rows } = await client.query<Counter>(`
    select c.relname as "table", a.attname as "column", pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence,
      coalesce(pg_sequence_last_value(pg_get_serial_sequence(quote_ident(c.relname), a.attname)::regclass), 0)::double precision as last
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attidentity <> ''`);
  return rows;
}

export async function listApplied(client: Client): Promise<{ name: string; checksum: string }[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations order by name',
  );
  return rows;
}
