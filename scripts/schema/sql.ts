import type { Catalog, Column } from './catalog.ts';

/** The schema as one readable file. It is never executed; it shows the schema and what a migration changed. */
export function schemaSql(catalog: Catalog): string {
  const parts = [
    '-- What the migrations add up to. Written by `npm run schema`, compared by `npm run check`; do not edit.',
  ];
  parts.push(...catalog.extensions.map((name) => `create extension ${name};`));
  for (const table of catalog.tables) parts.push(tableSql(catalog, table));
  parts.push(...catalog.functions.map((definition) => `${definition.trim()};`));
  return `${parts.join('\n\n')}\n`;
}

function tableSql(catalog: Catalog, table: string): string {
  const columns = catalog.columns.filter((column) => column.table === table).map(columnSql);
  const constraints = catalog.constraints
    .filter((constraint) => constraint.table === table)
    .map((constraint) => `  constraint ${constraint.name} ${constraint.definition}`);
  const indexes = catalog.indexes
    .filter((index) => index.table === table)
    .map((index) => `${index.definition};`);
  const triggers = catalog.triggers
    .filter((trigger) => trigger.table === table)
    .map((trigger) => `${trigger.definition};`);
  return [
    `create table ${table} (`,
    [...columns, ...constraints].join(',\n'),
    ');',
    ...indexes,
    ...triggers,
  ].join('\n');
}

function columnSql(column: Column): string {
  const words = [`  ${column.name} ${column.type}`];
  if (!column.nullable) words.push('not null');
  if (column.computed) words.push(`generated always as (${column.default}) stored`);
  else if (column.generated) words.push('generated always as identity');
  else if (column.default) words.push(`default ${column.default}`);
  return words.join(' ');
}
