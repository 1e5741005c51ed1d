import type { Database } from '../db/database.ts';
import { freeMbOf } from '../kit/free-space.ts';
import { stored } from '../language/contract.ts';
import { describeDatabase } from './store.ts';

const MIB = 1024 ** 2;

export type RoomSettings = {
  dataDir: string;
  /** Null for the embedded database, which is on the disk of `dataDir`. */
  databaseUrl: string | null;
  /** The free space in MiB below which room is short. */
  leastFreeMb: number;
  /** The size of the database in MiB above which room is short; null for no limit. */
  mostDatabaseMb: number | null;
};

/** A shortage, what Tocsin stops storing meanwhile, and how to fix it. */
export type Shortage = { of: 'disk' | 'database'; message: string; effect: string; fix: string };

/**
 * Watches the space for data. If it is short, raw bodies of calls and uploads are not stored, so that pages are always
 * accepted. Of an external database, only the size is known.
 */
export type Room = {
  /** Measures the space. Before the first time, there is room. */
  look(): Promise<void>;
  /** Whether the database is short of room. */
  isLow(): boolean;
  /** Whether the disk of `dataDir` is short of room, where uploads wait. */
  isDiskLow(): boolean;
  shortages(): readonly Shortage[];
  /** The measurements as a sentence. */
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

function shortagesOf({ freeMb, databaseMb }: Measured, settings: RoomSettings): Shortage[] {
  const { dataDir, databaseUrl, leastFreeMb, mostDatabaseMb } = settings;
  const shortages: Shortage[] = [];
  if (freeMb !== null && freeMb < leastFreeMb)
    shortages.push({
      of: 'disk',
      message: stored(
        'The disk of {dataDir} has {freeMb} MiB free, less than the {leastFreeMb} MiB of LEAST_FREE_MB.',
        { dataDir, freeMb: Math.round(freeMb), leastFreeMb },
      ),
      effect:
        databaseUrl === null
          ? stored(
              'Pages are accepted and sent; bodies of webhook calls are not kept, and uploads are refused.',
            )
          : stored('Pages are accepted and sent; uploads are refused.'),
      fix: stored('free space on that disk, or enlarge it'),
    });
  if (databaseMb !== null && mostDatabaseMb !== null && databaseMb > mostDatabaseMb)
    shortages.push({
      of: 'database',
      message: stored(
        'The database takes {databaseMb} MiB, more than the {mostDatabaseMb} MiB of MOST_DATABASE_MB.',
        { databaseMb: Math.round(databaseMb), mostDatabaseMb },
      ),
      effect: stored('Pages are accepted and sent; bodies of webhook calls are not kept.'),
      fix: stored('give the database a larger disk and raise MOST_DATABASE_MB, or reduce RETENTION_DAYS'),
    });
  return shortages;
}

function sentenceOf({ freeMb, databaseMb }: Measured): string {
  const parts = [
    freeMb !== null && `${Math.round(freeMb)} MiB free in DATA_DIR`,
    databaseMb !== null && `the database takes ${Math.round(databaseMb)} MiB`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : 'the disk of the database is unknown; set MOST_DATABASE_MB';
}
