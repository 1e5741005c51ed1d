import { ConfigError, type Read, readChoice, readInteger } from '../kit/setting.ts';

/** How a node accepts pages while the external database is away. */
export type LifeboatSettings = {
  /** How long the database must accept no writes before the lifeboat accepts pages. */
  afterSeconds: number;
};

/** The directories in DATA_DIR where lifeboats have their databases; nodes that share a DATA_DIR use one each. */
export const LIFEBOAT_PLACES: readonly string[] = [
  'lifeboat',
  ...Array.from({ length: 7 }, (_, index) => `lifeboat-${index + 2}`),
];

export const LIFEBOAT_NAMES = ['LIFEBOAT', 'LIFEBOAT_AFTER_SECONDS'] as const;
type Name = (typeof LIFEBOAT_NAMES)[number];

/** Null: there is no lifeboat. */
export function readLifeboat(read: Read<Name>, databaseUrl: string | null): LifeboatSettings | null {
  const on = readChoice('LIFEBOAT', read, ['on', 'off'], 'off') === 'on';
  const afterSeconds = readInteger('LIFEBOAT_AFTER_SECONDS', read, 5, 2, 600);
  if (!on) return null;
  if (databaseUrl === null)
    throw new ConfigError(
      'LIFEBOAT is on, but the embedded database is on the same disk, so a lifeboat cannot help; remove LIFEBOAT, or set DATABASE_URL',
    );
  return { afterSeconds };
}
