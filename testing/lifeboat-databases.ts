import { createDatabase, createPool, type Database } from '../src/db/database.ts';
import { newId } from '../src/kit/typeid.ts';
import { copyConfiguration } from '../src/lifeboat/copy-store.ts';
import { testDatabase } from './database.ts';

/** A main database, and the database of the lifeboat of `api-1`. */
export type LifeboatDatabases = {
  main: Database;
  local: Database;
  /** The id of the lifeboat. */
  id: string;
  /** Copies the configuration into the lifeboat. */
  copy(mostBytes?: number): Promise<unknown>;
  drop(): Promise<void>;
};

export async function lifeboatDatabases(): Promise<LifeboatDatabases> {
  const [one, two] = await Promise.all([testDatabase(), testDatabase()]);
  const open = (connectionString: string) =>
    createDatabase(createPool({ connection: { connectionString }, max: 2, name: 'test', byIndex: true }));
  const [main, local, id] = [open(one.url), open(two.url), newId('lifeboat')];
  return {
    ...{ main, local, id },
    copy: (mostBytes) =>
      copyConfiguration(
        { connectionString: one.url },
        { connection: { connectionString: two.url }, id, host: 'api-1' },
        mostBytes,
      ),
    async drop() {
      await Promise.all([main.destroy(), local.destroy()]);
      await Promise.all([one.drop(), two.drop()]);
    },
  };
}
