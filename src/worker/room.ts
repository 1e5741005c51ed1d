import { statfs } from 'node:fs/promises';
import type { Database } from '../db/database.ts';
import { describeDatabase } from './system-store.ts';

const MIB = 1024 ** 2;

export type RoomSettings = {
  dataDir: string;
  /** Null: the embedded database, whose disk is that of `dataDir`. */
  databaseUrl: string | null;
  /** Less free space than so much is too little, in MiB. */
  leastFreeMb: number;
  /** A database beyond so much is too large, in MiB; null: nobody said. */
  mostDatabaseMb: number | null;
};

/** What is short of room, what is given up meanwhile, and what to do about it. */
export type Shortage = { of: 'disk' | 'database'; message: string; effect: string; fix: string };

/**
 * Whether there is room for what need not be kept. When there is little, raw bodies of calls and uploads are given up for
 * the pages, which are always taken. Of the disk of an external database nothing can be known but the size of the database.
 */
export type Room = {
  /** Measures; until the first time there is room. */
  look(): Promise<void>;
  /** In the database. */
  isLow(): boolean;
  /** On the disk of `dataDir`, where uploads wait. */
  isDiskLow(): boolean;
  shortages(): readonly Shortage[];
  /** What was measured, as a sentence. */
  sentence(): string;
};

export function createRoom(db: Database, settings: RoomSettings): Room {
  let shortages: readonly Shortage[] = [];
  let sentence = 'not measured yet';
  return {
    async look() {
      const freeMb = await freeMbOf(settings.dataDir);
      const databaseMb = settings.mostDatabaseMb === null ? null : (await describeDatabase(db)).bytes / MIB;
      const measured = { freeMb, databaseMb };
      shortages = shortagesOf(measured, settings);
      sentence = sentenceOf(measured);
    },
    isLow: () => shortages.some((one) => one.of === 'database' || settings.databaseUrl === null),
    isDiskLow: () => shortages.some((one) => one.of === 'disk'),
    shortages: () => shortages,
    sentence: () => sentence,
  };
}

type Measured = { freeMb: number | null; databaseMb: number | null };

const BODIES = 'bodies of webhook calls are not kept';

function shortagesOf({ freeMb, databaseMb }: Measured, settings: RoomSettings): Shortage[] {
  const { dataDir, databaseUrl, leastFreeMb, mostDatabaseMb } = settings;
  const shortages: Shortage[] = [];
  if (freeMb !== null && freeMb < leastFreeMb)
    shortages.push({
      of: 'disk',
      message: `The disk of ${dataDir} has ${Math.round(freeMb)} MiB free, less than the ${leastFreeMb} MiB of LEAST_FREE_MB.`,
      effect: `Pages are taken and sent; ${databaseUrl === null ? `${BODIES}, and ` : ''}uploads are refused.`,
      fix: 'make room on that disk, or give it more',
    });
  if (databaseMb !== null && mostDatabaseMb !== null && databaseMb > mostDatabaseMb)
    shortages.push({
      of: 'database',
      message: `The database takes ${Math.round(databaseMb)} MiB, more than the ${mostDatabaseMb} MiB of MOST_DATABASE_MB.`,
      effect: `Pages are taken and sent; ${BODIES}.`,
      fix: 'give the database a larger disk and raise MOST_DATABASE_MB, or keep things for fewer days (RETENTION_DAYS)',
    });
  return shortages;
}

function sentenceOf({ freeMb, databaseMb }: Measured): string {
  const parts = [
    freeMb !== null && `${Math.round(freeMb)} MiB free in DATA_DIR`,
    databaseMb !== null && `the database takes ${Math.round(databaseMb)} MiB`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : 'nothing is known of the disk; set MOST_DATABASE_MB';
}

/** Null where there is no such directory: an external database needs none. */
async function freeMbOf(path: string): Promise<number | null> {
  const found = await statfs(path).catch(() => null);
  return found && (found.bavail * found.bsize) / MIB;
}
