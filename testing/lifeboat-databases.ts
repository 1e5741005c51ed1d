import { createDatabase, createPool, type Database } from '../src/db/database.ts';
import { newId } from '../src/kit/typeid.ts';
import { copyConfiguration } from '../src/lifeboat/copy-store.ts';
import { testDatabase } from './database.ts';

/** A main database, and the database of the lifeboat of `api-1`. */
export type LifeboatDatabases = {
  main: Database;
  /** Where the main database is. */
  url: string;
  local: Database;
  /** The id of the lifeboat. */
  id: string;
  /** Copies the configuration into the lifeboat. */
  copy(mostBytes?: number): Promise<unknown>;
  drop(): Promise<void>;
};

const open = (connectionString: string) =>
  createDatabase(createPool({ connection: { connectionString }, max: 2, name: 'test', byIndex: true }));

export async function lifeboatDatabases(): Promise<LifeboatDatabases> {
  const one = await testDatabase();
  const main = open(one.url);
  const { drop, ...first } = await lifeboatOf(one.url, 'api-1');
  return {
    ...{ main, url: one.url, ...first },
    async drop() {
      await main.destroy();
      await drop();
      await one.drop();
    },
  };
}

/** The lifeboat of another node of the same main database. */
export function secondLifeboat({ url }: LifeboatDatabases) {
  return lifeboatOf(url, 'api-2');
}

async function lifeboatOf(mainUrl: string, host: string) {
  const two = await testDatabase();
  const [local, id] = [open(two.url), newId('lifeboat')];
  return {
    ...{ local, id },
    copy: (mostBytes?: number): Promise<unknown> =>
      copyConfiguration(
        { connectionString: mainUrl },
        { connection: { connectionString: two.url }, id, host },
        mostBytes === undefined ? {} : { mostBytes },
      ),
    async drop() {
      await local.destroy();
      await two.drop();
    },
  };
}
