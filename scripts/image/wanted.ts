import { parseArgs } from 'node:util';
import { HOST, PLATFORMS, type Platform, platformNamed } from './platform.ts';

/** What can be run by itself: parts that are built for a platform, and parts that are the same for all. */
const OF_A_PLATFORM = ['build', 'page', 'debian', 'unit'] as const;
const OF_ALL = ['chart', 'compose'] as const;
export const PARTS = [...OF_A_PLATFORM, ...OF_ALL];
export type Part = (typeof PARTS)[number];

/** The platform of `--platform`, by default this machine's, and the parts in the order in which they run. */
export type Wanted = { platform: Platform; parts: readonly Part[] };

/**
 * Reads the arguments of `npm run image`.
 * @throws Error that names the wrong argument and the allowed values
 */
export function readWanted(args: readonly string[]): Wanted {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { platform: { type: 'string', default: HOST.name } },
    allowPositionals: true,
  });
  const platform = platformNamed(values.platform);
  if (platform === null) {
    const names = PLATFORMS.map(({ name }) => name).join(' and ');
    throw new Error(
      `the image is not built for the platform "${values.platform}"; --platform takes ${names}, one at a time`,
    );
  }
  const unknown = positionals.find((name) => !(PARTS as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new Error(`"${unknown}" is no part; the parts are ${PARTS.join(', ')}, and all run without a name`);
  return { platform, parts: PARTS.filter((part) => positionals.length === 0 || positionals.includes(part)) };
}

/** Whether the part runs programs of the platform. */
export function runsPrograms(part: Part): boolean {
  return (OF_A_PLATFORM as readonly Part[]).includes(part);
}
