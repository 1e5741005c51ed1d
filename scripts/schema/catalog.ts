import type { Client } from 'pg';

export type Column = {
  table: string;
  name: string;
  type: string;
  nullable: boolean;
  generated: boolean;
  /** Generated from other columns by the expression in `default`. */
  computed: boolean;
  default: string | null;
};
export type Constraint = { table: string; name: string; definition: string };
export type Index = { table: string; definition: string };
export type Trigger = { table: string; definition: string };
export type Catalog = {
  extensions: string[];
  tables: string[];
  columns: Column[];
  constraints: Constraint[];
  indexes: Index[];
  triggers: Trigger[];
  /** Whole definitions. */
  functions: string[];
};

/** Reads the schema of a migrated database, in an order that does not depend on its history. */
export async function readCatalog(client: Client): Promise<Catalog> {
  const columns = (await client.query<Column>(COLUMNS)).rows;
  return {
    extensions: (await client.query<{ name: string }>(EXTENSIONS)).rows.map((row) => row.name),
    tables: [...new Set(columns.map((column) => column.table))],
    columns,
    constraints: (await client.query<Constraint>(CONSTRAINTS)).rows,
    indexes: (await client.query<Index>(INDEXES)).rows,
    triggers: (await client.query<Trigger>(TRIGGERS)).rows,
    functions: (await client.query<{ definition: string }>(FUNCTIONS)).rows.map((row) => row.definition),
  };
}

const EXTENSIONS = `select extname as name from pg_extension where extname <> 'plpgsql' order by 1`;

const COLUMNS = `
  select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    not a.attnotnull as nullable, a.attidentity <> '' or a.attgenerated <> '' as generated,
    a.attgenerated <> '' as computed, pg_get_expr(d.adbin, d.adrelid) as default
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where a.attnum > 0 and not a.attisdropped and c.relname <> 'migrations'
  order by c.relname collate "C", a.attnum`;

// Not-null constraints belong to their columns; PostgreSQL 18 also lists them here.
const CONSTRAINTS = `
  select c.relname as "table", k.conname as name, pg_get_constraintdef(k.oid) as definition
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid and c.relnamespace = 'public'::regnamespace
  where k.contype in ('c', 'f', 'p', 'u', 'x') and c.relname <> 'migrations'
  order by c.relname collate "C", k.contype, k.conname collate "C"`;

const INDEXES = `
  select t.relname as "table", pg_get_indexdef(i.indexrelid) as definition
  from pg_index i
  join pg_class t on t.oid = i.indrelid and t.relnamespace = 'public'::regnamespace
  join pg_class x on x.oid = i.indexrelid
  where t.relname <> 'migrations' and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
  order by t.relname collate "C", x.relname collate "C"`;

const TRIGGERS = `
  select c.relname as "table", pg_get_triggerdef(t.oid) as definition
  from pg_trigger t
  join pg_class c on c.oid = t.tgrelid and c.relnamespace = 'public'::regnamespace
  where not t.tgisinternal
  order by c.relname collate "C", t.tgname collate "C"`;

// Functions of extensions are left out.
const FUNCTIONS = `
  select pg_get_functiondef(p.oid) as definition
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  order by p.proname collate "C"`;
