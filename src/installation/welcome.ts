import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A one-time link that signs in the person who opens it, and the texts printed with it. */
export type SignInLink = {
  link: string;
  /** Printed before the link on a terminal; ends with the purpose of the link. */
  onTerminal: string;
  /** Printed before the command that shows the file with the link. */
  inFile: string;
  /** Name of that file in DATA_DIR. */
  file: string;
};

/** The link that makes the first owner. */
export const WELCOME_FILE = 'welcome-link';
/** The link into the demo. */
export const DEMO_FILE = 'demo-link';

/** The link that makes the first owner of a new installation. */
export function welcome(link: string): SignInLink {
  return {
    link,
    onTerminal: 'Tocsin has no users yet. Open this link to create the owner; it works once:',
    inFile:
      'Tocsin has no users yet. The link that creates the owner is in a file that only you can read; it works once:',
    file: WELCOME_FILE,
  };
}

/**
 * Returns what to print about a sign-in link. A terminal shows the link itself to the person in front of it. Any other
 * output may be stored and read by others, and the link is enough to sign in, so it is written to a file that only the
 * user who runs the service can read.
 */
export async function announceLink(way: SignInLink, dataDir: string, isTerminal: boolean): Promise<string> {
  if (isTerminal) return `\n${way.onTerminal}\n\n  ${way.link}\n`;
  await removeLinkFile(way.file, dataDir);
  const path = join(dataDir, way.file);
  await writeFile(path, `${way.link}\n`, { mode: 0o600, flag: 'wx' });
  return `\n${way.inFile}\n\n  cat ${path}\n`;
}

/** Removes the file with a link that was used or replaced. */
export async function removeLinkFile(file: string, dataDir: string): Promise<void> {
  await rm(join(dataDir, file), { force: true });
}
