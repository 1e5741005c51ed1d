import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A link that lets whoever has it in, and how it is introduced. */
export type WayIn = {
  link: string;
  /** On a terminal, before the link; ends with what the link is for. */
  onTerminal: string;
  /** Before the command that shows the file with the link. */
  inFile: string;
  /** In DATA_DIR. */
  file: string;
};

/** The link that makes the first owner. */
export const WELCOME_FILE = 'welcome-link';
/** The link into the example of `--demo`. */
export const DEMO_FILE = 'demo-link';

/** How somebody gets to the link that makes the first owner. */
export function welcome(link: string): WayIn {
  return {
    link,
    onTerminal: 'Nobody is here yet. Open this link to make the owner; it works once:',
    inFile:
      'Nobody is here yet. The link that makes the owner is in a file that only you may read; it works once:',
    file: WELCOME_FILE,
  };
}

/**
 * What to print about a way in. A terminal shows the link to the person in front of it. Whatever else our output goes to
 * keeps it and shows it to others, and whoever has the link is in: then it is written into a file that only the user who
 * runs the service may read.
 */
export async function tellWayIn(way: WayIn, dataDir: string, isTerminal: boolean): Promise<string> {
  if (isTerminal) return `\n${way.onTerminal}\n\n  ${way.link}\n`;
  await forgetWayIn(way.file, dataDir);
  const path = join(dataDir, way.file);
  await writeFile(path, `${way.link}\n`, { mode: 0o600, flag: 'wx' });
  return `\n${way.inFile}\n\n  cat ${path}\n`;
}

/** The link was used, or another one takes its place. */
export async function forgetWayIn(file: string, dataDir: string): Promise<void> {
  await rm(join(dataDir, file), { force: true });
}
