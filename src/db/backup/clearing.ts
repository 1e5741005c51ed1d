import type { Client } from 'pg';
import { interruptServingMigrations } from '../migration-locks.ts';
import { listFunctions, listTables, type Table } from './catalog.ts';
import { quoted } from './contents.ts';

/** Two sessions wait for each other's tables, and PostgreSQL cancels one of them. */
const DEADLOCK = '40P01';
const TRIES = 10;

/** Begins the transaction with exclusive locks on all tables. Other sessions wait, or fail and retry. */
export async function lockEverything(client: Client): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await interruptServingMigrations(client);
      await client.query('begin');
      const tables = await listTables(client);
      const names = tables.map(({ name }) => quoted(name)).join(', ');
      if (names) await client.query(`lock table ${names} in access exclusive mode`);
      return;
    } catch (error) {
      await client.query('rollback');
      if ((error as NodeJS.ErrnoException).code !== DEADLOCK || attempt === TRIES) throw error;
    }
  }
}

export type LivingNode = { id: number; row: unknown };

/** Processes that did not stop in order. Whether they are still running is checked later. */
export async function keepNodes(client: Client): Promise<LivingNode[]> {
  const { rows: tables } = await client.query<{ there: boolean }>(
    `select to_regclass('nodes') is not null as there`,
  );
  if (!tables[0]?.there) return [];
  const { rows } = await client.query<LivingNode>(
    'select id, to_jsonb(n) as row from nodes n where stopped_at is null',
  );
  return rows;
}

/** Drops objects one by one, because the schema itself may belong to somebody else. */
export async function clearSchema(client: Client, tables: readonly Table[]): Promise<void> {
  if (tables.length > 0)
    await client.query(`drop table ${tables.map(({ name }) => quoted(name)).join(', ')} cascade`);
  for (const name of await listFunctions(client)) await client.query(`drop function ${name} cascade`);
}
