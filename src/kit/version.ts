import { readFileSync } from 'node:fs';

/** The version of this program, from package.json. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

/** The version of the IANA time zone data in use, such as `2026c`. */
export const TIME_ZONES_VERSION = process.versions.tz ?? 'unknown';
