import { readFileSync } from 'node:fs';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../kit/setting.ts';

const NAME = 'ICU_TIMEZONE_FILES_DIR';
const FILE = 'zoneinfo64.res';
const SOURCE = 'https://github.com/unicode-org/icu-data, folder tzdata/icunew';

/**
 * The folder with time zone data that replaces the data of Node.js; null: none is set. ICU reads the variable itself
 * before our code runs, and silently falls back to its own data if it cannot read the file, so this checks the file.
 */
export function readTimeZoneFiles(env: NodeJS.ProcessEnv): string | null {
  const folder = env[NAME];
  if (folder === undefined || folder === '') return null;
  const file = join(folder, FILE);
  const head = readHead(file);
  if (head.toString('latin1', 12, 16) !== 'ResB' || head.readUInt16LE(2) !== 0x27da)
    throw new ConfigError(
      `${NAME} names ${folder}, whose ${FILE} is not time zone data of ICU; take it from ${SOURCE}`,
    );
  const order = head[8] === 0 ? 'LE' : 'BE';
  if (order !== endianness())
    throw new ConfigError(
      `${NAME} names ${folder}, whose ${FILE} is for machines of the other byte order; take it from the folder ${endianness().toLowerCase()} of ${SOURCE}`,
    );
  return folder;
}

function readHead(file: string): Buffer {
  try {
    return Buffer.concat([readFileSync(file), Buffer.alloc(16)]);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `${NAME} leads to ${file}, which cannot be read (${code}); correct the path, or take the file from ${SOURCE}`,
    );
  }
}
