import type { Catalog, Column } from './catalog.ts';

const TYPES: Record<string, string> = {
  text: 'string',
  integer: 'number',
  bigint: 'number',
  numeric: 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  'text[]': 'string[]',
  tsvector: 'string',
  tstzmultirange: 'string',
  date: 'string',
  'timestamp with time zone': 'Temporal.Instant',
};

/** Columns whose values the code declares, so that the database does not repeat them. */
const DECLARED: Record<string, string> = {
  'contact_method_sends.type': 'MethodType',
  'contact_methods.type': 'MethodType',
  'deliveries.channel': 'ChannelName',
  'all_clears.channel': 'ChannelName',
  'messages.channel': "Exclude<ChannelName, 'browser'>",
  'notification_rules.channels': 'ChannelName[]',
  'notification_rules.urgency': 'Urgency',
  'pages.urgency': 'Urgency',
  'requests.kind': 'RequestKind',
};

/**
 * Row types for Kysely. A text column gets the type that the code declares for it, or the union of the values in its
 * check constraint, so that each list has one place.
 */
export function schemaTypes(catalog: Catalog): string {
  const tables = catalog.tables.map((table) => tableType(catalog, table));
  const names = catalog.tables.map((table) => `  ${table}: ${typeName(table)};`);
  return [
    '// Types of the migrated schema. Written by `npm run schema`, compared by `npm run check`; do not edit.',
    "import type { ColumnType, Generated, GeneratedAlways } from 'kysely';",
    "import type { ChannelName, MethodType } from '../notifications/channels/contract.ts';",
    "import type { Urgency } from '../pages/urgency-contract.ts';",
    "import type { RequestKind } from '../requests/contract.ts';",
    '',
    '/** Read as parsed JSON, written as JSON text. */',
    'export type Json = ColumnType<unknown, string, string>;',
    'export type JsonWithDefault = ColumnType<unknown, string | undefined, string>;',
    '',
    ...tables,
    'export type DB = {',
    ...names,
    '};',
    '',
  ].join('\n');
}

function typeName(table: string): string {
  return table.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
}

function tableType(catalog: Catalog, table: string): string {
  const columns = catalog.columns.filter((column) => column.table === table);
  const lines = columns.map((column) => `  ${column.name}: ${columnType(catalog, column)};`);
  return [`export type ${typeName(table)} = {`, ...lines, '};', ''].join('\n');
}

function columnType(catalog: Catalog, column: Column): string {
  if (column.type === 'jsonb') return jsonType(column);
  const base = DECLARED[`${column.table}.${column.name}`] ?? union(catalog, column) ?? TYPES[column.type];
  if (!base)
    throw new Error(`${column.table}.${column.name}: no TypeScript type is known for ${column.type}`);
  const type = column.nullable ? `${base} | null` : base;
  if (column.generated) return `GeneratedAlways<${type}>`;
  return column.default ? `Generated<${type}>` : type;
}

function jsonType(column: Column): string {
  if (column.nullable) return 'ColumnType<unknown, string | null, string | null>';
  return column.default ? 'JsonWithDefault' : 'Json';
}

/** `CHECK ((state = ANY (ARRAY['open'::text, 'resolved'::text])))` → `'open' | 'resolved'`. */
function union(catalog: Catalog, column: Column): string | null {
  const pattern = new RegExp(`^CHECK \\(\\(${column.name} = ANY \\(ARRAY\\[([^\\]]+)\\]\\)\\)\\)$`);
  for (const constraint of catalog.constraints) {
    const values = constraint.table === column.table && pattern.exec(constraint.definition)?.[1];
    if (values) return [...values.matchAll(/'([^']*)'/g)].map((match) => `'${match[1]}'`).join(' | ');
  }
  return null;
}
